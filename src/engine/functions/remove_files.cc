// ducklake_cleanup_old_files(lake) and ducklake_delete_orphaned_files(lake): files that nobody
// needs are removed at once, whatever becomes of the transaction.
#include "engine/catalog/pending_files.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "engine/functions/maintenance_arguments.h"
#include "tarn/error.h"
#include "tarn/maintenance.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

constexpr const char* kDefaultAge = "2 days";

using RemoveFiles = std::vector<std::string> (*)(Lake& lake, const FileRemoval& removal);

BoundLakeFunction BindRemoval(const LakeCall& call, const std::string& name, RemoveFiles remove) {
  FileRemoval removal;
  removal.dry_run = FlagArgument(call, "dry_run");
  removal.older_than = TimeArgument(call, "older_than");
  const bool all = FlagArgument(call, "cleanup_all");
  if (all && removal.older_than) {
    throw duckdb::InvalidInputException(
        "ducklake_%s: either cleanup_all OR older_than must be specified.\nYou can also set a "
        "default value for file deletion via e.g., CALL ducklake.set_option('delete_older_than', "
        "'1 week');",
        name);
  }
  const bool by_option = !all && !removal.older_than;

  BoundLakeFunction bound;
  bound.names = {"path"};
  bound.types = {LogicalType::VARCHAR};
  bound.run = [removal, by_option, remove](duckdb::ClientContext& context,
                                           TarnTransaction& transaction, ResultRows& rows) {
    auto& lake = transaction.catalog().lake();
    if (!removal.dry_run && lake.read_only()) {
      throw Error(ErrorCode::kInvalid,
                  "Cannot remove files of the lake: it is opened in read-only mode");
    }
    auto wanted = removal;
    if (by_option) wanted.older_than = TimeByOption(transaction, "delete_older_than", kDefaultAge);
    wanted.interrupted = [&context] { return context.interrupted.load(); };
    wanted.pending = PendingFiles::OfAllTransactions;
    for (const auto& path : remove(lake, wanted)) rows.Add({Value(path)});
  };
  return bound;
}

BoundLakeFunction BindCleanup(const LakeCall& call) {
  return BindRemoval(call, "cleanup_old_files", CleanUpOldFiles);
}

BoundLakeFunction BindOrphans(const LakeCall& call) {
  return BindRemoval(call, "delete_orphaned_files", DeleteOrphanedFiles);
}

LakeFunction Removal(std::string name, BoundLakeFunction (*bind)(const LakeCall&)) {
  return {.name = std::move(name),
          .writes = true,
          .named = {{"dry_run", LogicalType::BOOLEAN},
                    {"cleanup_all", LogicalType::BOOLEAN},
                    {"older_than", LogicalType::ANY}},
          .bind = bind};
}

}  // namespace

LakeFunction CleanupOldFilesFunction() { return Removal("cleanup_old_files", BindCleanup); }

LakeFunction DeleteOrphanedFilesFunction() { return Removal("delete_orphaned_files", BindOrphans); }

}  // namespace tarn::engine
