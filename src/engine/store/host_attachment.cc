// Checks a path before anything is opened or made, and decides how the file is attached.
#include "engine/store/host_attachment.h"

#include "duckdb/common/file_system.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/common/types/variant.hpp"
#include "duckdb/main/attached_database.hpp"
#include "duckdb/main/database.hpp"
#include "duckdb/storage/storage_manager.hpp"
#include "duckdb/transaction/meta_transaction.hpp"
#include "store/catalog_file.h"
#include "store/duckdb_dialect.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

bool IsFile(const std::string& path) { return path != ":memory:" && !path.empty(); }
bool IsLocalFile(const std::string& path) {
  return IsFile(path) && !duckdb::FileSystem::IsRemoteFile(path);
}

/// Refuses what can be told before anything is opened or made.
void CheckPath(duckdb::FileSystem& files, const HostStoreOptions& options, bool exists) {
  const Error::Context context = {{"path", options.path}};
  if (options.path.empty())
    throw Error(ErrorCode::kInvalid, "A DuckDB catalog needs the path of its file, or :memory:.");
  if (IsLocalFile(options.path) && files.DirectoryExists(options.path)) {
    throw Error(
        ErrorCode::kInvalid,
        duckdb::StringUtil::Format("\"%s\" is a folder: a DuckDB catalog is a file.", options.path),
        context);
  }
  if (!exists) {
    if (options.read_only || !options.create_if_absent) {
      throw Error(
          ErrorCode::kNotFound,
          duckdb::StringUtil::Format("The DuckDB catalog \"%s\" does not exist.", options.path),
          context);
    }
    if (!IsLocalFile(options.path)) return;
    const std::string folder = FolderOf(CanonicalPath(options.path));
    if (!files.DirectoryExists(folder)) {
      throw Error(ErrorCode::kNotFound,
                  duckdb::StringUtil::Format(
                      "The DuckDB catalog \"%s\" cannot be made: its folder \"%s\" does not exist.",
                      options.path, folder),
                  context);
    }
    if (!CanWrite(folder)) {
      throw Error(
          ErrorCode::kInvalid,
          duckdb::StringUtil::Format(
              "The DuckDB catalog \"%s\" cannot be made: its folder \"%s\" cannot be written.",
              options.path, folder),
          context);
    }
    return;
  }
  if (!IsLocalFile(options.path)) return;
  const auto kind = DetectCatalogScheme(options.path);
  if (kind == "sqlite") {
    throw Error(ErrorCode::kInvalid,
                duckdb::StringUtil::Format(
                    "\"%s\" is not a DuckDB database but a SQLite one: write \"sqlite:%s\".",
                    options.path, options.path),
                context);
  }
  if (!kind)
    throw Error(ErrorCode::kInvalid,
                duckdb::StringUtil::Format("\"%s\" is not a DuckDB database.", options.path),
                context);
}

}  // namespace

HostAttachment::HostAttachment(duckdb::DatabaseInstance& instance, const HostStoreOptions& options)
    : options_(options) {
  if (options_.schema.empty()) options_.schema = DEFAULT_SCHEMA;
  auto& files = instance.GetFileSystem();
  const std::string& path = options_.path;
  const bool exists = IsFile(path) && files.FileExists(path);
  CheckPath(files, options_, exists);
  created_ = IsFile(path) && !exists;

  AttachRequest request;
  request.name = options_.database_name;
  request.path = path;
  for (const auto& [key, value] : options_.parameters) request.options[key] = duckdb::Value(value);
  // Named, since DuckDB would else look into the file and might load another extension for what it
  // finds.
  request.options.emplace("type", duckdb::Value("duckdb"));
  if (created_) request.options.emplace("storage_version", duckdb::Value(kDuckDbStorageVersion));
  request.read_only =
      options_.read_only || (exists && IsLocalFile(path) &&
                             (!CanWrite(path) || !CanWrite(FolderOf(CanonicalPath(path)))));
  request.hidden = options_.hidden;
  request.replace = options_.replace;
  attachment_ = OwnedAttachment::Make(instance, std::move(request));
  const auto database = attachment_->Database();
  read_only_ = database->IsReadOnly();
  stores_variant_ =
      database->GetStorageManager().GetStorageVersion() >= duckdb::Variant::VERSION_ADDED;
}

HostAttachment::~HostAttachment() {
  try {
    const auto instance = Instance();
    attachment_.reset();
    if (!created_ || written_) return;
    auto& files = instance->GetFileSystem();
    files.TryRemoveFile(options_.path);
    files.TryRemoveFile(options_.path + ".wal");
  } catch (...) {  // the instance is closing
  }
}

void HostAttachment::UseIn(duckdb::ClientContext& context) const {
  auto database = attachment_->Database();
  auto& transaction = duckdb::MetaTransaction::Get(context);
  transaction.UseDatabase(database);
  // DuckDB fixes what a transaction sees of a database when it first touches it.
  transaction.GetTransaction(*database);
}

}  // namespace tarn::engine
