// ducklake_expire_snapshots(lake): snapshots are forgotten, with all that no other one sees.
#include "duckdb/common/types/value.hpp"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "engine/functions/maintenance_arguments.h"
#include "engine/functions/snapshot_rows.h"
#include "tarn/maintenance.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;

std::vector<SnapshotId> Versions(const duckdb::Value& list) {
  if (list.IsNull()) throw duckdb::BinderException("The versions cannot be NULL.");
  std::vector<SnapshotId> versions;
  for (const auto& version : duckdb::ListValue::GetChildren(list)) {
    // NULL is no snapshot, nor is a number beyond those that ids have.
    constexpr uint64_t kMaxId = std::numeric_limits<int64_t>::max();
    if (version.IsNull() || duckdb::UBigIntValue::Get(version) > kMaxId) continue;
    versions.emplace_back(static_cast<int64_t>(duckdb::UBigIntValue::Get(version)));
  }
  return versions;
}

BoundLakeFunction Bind(const LakeCall& call) {
  ExpiryRequest request;
  const bool dry_run = FlagArgument(call, "dry_run");
  request.older_than = TimeArgument(call, "older_than");
  const auto versions = call.named.find("versions");
  const bool has_versions = versions != call.named.end();
  if (has_versions) request.versions = Versions(versions->second);
  if (has_versions && request.older_than) {
    throw duckdb::InvalidInputException(
        "ducklake_expire_snapshots: cannot specify both 'versions' and 'older_than' parameters at "
        "the same time. Please use only one criterion.");
  }
  const bool by_option = !has_versions && !request.older_than;

  auto bound = SnapshotColumns();
  bound.run = [request, dry_run, by_option](duckdb::ClientContext&, TarnTransaction& transaction,
                                            ResultRows& rows) {
    auto wanted = request;
    if (by_option) wanted.older_than = TimeByOption(transaction, "expire_older_than");
    for (const auto& info : transaction.kernel().ExpireSnapshots(wanted, dry_run))
      AddSnapshot(rows, info);
  };
  return bound;
}

}  // namespace

LakeFunction ExpireSnapshotsFunction() {
  return {.name = "expire_snapshots",
          .writes = true,
          .named = {{"dry_run", LogicalType::BOOLEAN},
                    {"versions", LogicalType::LIST(LogicalType::UBIGINT)},
                    {"older_than", LogicalType::ANY}},
          .bind = Bind};
}

}  // namespace tarn::engine
