// Attaching runs on a connection of its own, committed at once: if the user's transaction around the ATTACH rolls back, DuckDB drops the lake,
// and the lake this object.
#include "engine/store/host_attachment.h"

#include <map>

#include "duckdb/common/string_util.hpp"
#include "duckdb/common/file_system.hpp"
#include "duckdb/main/attached_database.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/database_manager.hpp"
#include "duckdb/parser/parsed_data/attach_info.hpp"
#include "duckdb/transaction/meta_transaction.hpp"
#include "engine/store/host_error.h"
#include "store/catalog_file.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

bool IsFile(const std::string& path) { return path != ":memory:" && !path.empty(); }
bool IsLocalFile(const std::string& path) { return IsFile(path) && !duckdb::FileSystem::IsRemoteFile(path); }

/// Attachments of this process, so that ATTACH OR REPLACE finds the one whose name it takes.
class Registry {
 public:
  void Add(const std::shared_ptr<HostAttachment>& attachment) {
    std::lock_guard lock(mutex_);
    std::erase_if(attachments_, [](const auto& entry) { return entry.expired(); });
    attachments_.push_back(attachment);
  }
  std::shared_ptr<HostAttachment> Find(duckdb::DatabaseInstance& instance, const std::string& name) {
    std::vector<std::shared_ptr<HostAttachment>> kept;  // none may die under the lock
    std::lock_guard lock(mutex_);
    for (const auto& entry : attachments_) {
      auto attachment = entry.lock();
      if (!attachment) continue;
      kept.push_back(attachment);
      try {
        if (attachment->Instance().get() == &instance && duckdb::StringUtil::CIEquals(attachment->name(), name)) return attachment;
      } catch (const Error&) {
        continue;  // its instance is gone
      }
    }
    return nullptr;
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<HostAttachment>> attachments_;
};

Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

/// Refuses what can be told before anything is opened or made.
void CheckPath(duckdb::FileSystem& files, const HostStoreOptions& options, bool exists) {
  const Error::Context context = {{"path", options.path}};
  if (options.path.empty()) throw Error(ErrorCode::kInvalid, "A DuckDB catalog needs the path of its file, or :memory:.");
  if (IsLocalFile(options.path) && files.DirectoryExists(options.path)) {
    throw Error(ErrorCode::kInvalid, duckdb::StringUtil::Format("\"%s\" is a folder: a DuckDB catalog is a file.", options.path), context);
  }
  if (!exists) {
    if (options.read_only || !options.create_if_absent) {
      throw Error(ErrorCode::kNotFound, duckdb::StringUtil::Format("The DuckDB catalog \"%s\" does not exist.", options.path), context);
    }
    if (!IsLocalFile(options.path)) return;
    const std::string folder = FolderOf(CanonicalPath(options.path));
    if (!files.DirectoryExists(folder)) {
      throw Error(ErrorCode::kNotFound,
                  duckdb::StringUtil::Format("The DuckDB catalog \"%s\" cannot be made: its folder \"%s\" does not exist.", options.path, folder), context);
    }
    if (!CanWrite(folder)) {
      throw Error(ErrorCode::kInvalid,
                  duckdb::StringUtil::Format("The DuckDB catalog \"%s\" cannot be made: its folder \"%s\" cannot be written.", options.path, folder),
                  context);
    }
    return;
  }
  if (!IsLocalFile(options.path)) return;
  const auto kind = DetectCatalogScheme(options.path);
  if (kind == "sqlite") {
    throw Error(ErrorCode::kInvalid,
                duckdb::StringUtil::Format("\"%s\" is not a DuckDB database but a SQLite one: write \"sqlite:%s\".", options.path, options.path), context);
  }
  if (!kind) throw Error(ErrorCode::kInvalid, duckdb::StringUtil::Format("\"%s\" is not a DuckDB database.", options.path), context);
}

}  // namespace

HostAttachment::HostAttachment(duckdb::DatabaseInstance& instance, const HostStoreOptions& options)
    : options_(options), instance_(instance.shared_from_this()) {
  if (options_.schema.empty()) options_.schema = DEFAULT_SCHEMA;
}

std::shared_ptr<HostAttachment> HostAttachment::Open(duckdb::DatabaseInstance& instance, const HostStoreOptions& options) {
  std::shared_ptr<HostAttachment> attachment(new HostAttachment(instance, options));
  auto& files = instance.GetFileSystem();
  const bool exists = IsFile(options.path) && files.FileExists(options.path);
  CheckPath(files, options, exists);
  attachment->created_ = IsFile(options.path) && !exists;
  attachment->read_only_ =
      options.read_only ||
      (exists && IsLocalFile(options.path) && (!CanWrite(options.path) || !CanWrite(FolderOf(CanonicalPath(options.path)))));

  // The lake that has the name lives on until the new one is there, and longer if this fails.
  const auto former = options.replace ? TheRegistry().Find(instance, options.database_name) : nullptr;
  if (former) former->Detach();
  try {
    attachment->Attach();
  } catch (...) {
    if (former) former->Attach();
    throw;
  }
  TheRegistry().Add(attachment);
  return attachment;
}

HostAttachment::~HostAttachment() {
  try {
    const auto instance = instance_.lock();
    if (!instance || !IsOurs()) return;
    Detach();
    if (!created_ || written_) return;
    auto& files = instance->GetFileSystem();
    files.TryRemoveFile(options_.path);
    files.TryRemoveFile(options_.path + ".wal");
  } catch (...) {  // a destructor has nobody to tell; the instance closes the file when it closes itself
  }
}

duckdb::shared_ptr<duckdb::DatabaseInstance> HostAttachment::Instance() const {
  auto instance = instance_.lock();
  if (!instance) throw Error(ErrorCode::kUnavailable, "The database instance of this lake was closed: open it again.");
  return instance;
}

void HostAttachment::Attach() {
  const auto instance = Instance();
  duckdb::AttachInfo info;
  info.name = options_.database_name;
  info.path = options_.path;
  duckdb::unordered_map<duckdb::string, duckdb::Value> values;
  for (const auto& [key, value] : options_.parameters) values[key] = duckdb::Value(value);
  // Named, since DuckDB would else look into the file and might load another extension for what it finds.
  if (values.find("type") == values.end()) values["type"] = duckdb::Value("duckdb");
  const auto mode = read_only_ ? duckdb::AccessMode::READ_ONLY : duckdb::AccessMode::AUTOMATIC;
  try {
    duckdb::AttachOptions attach(values, mode);
    if (options_.hidden) attach.visibility = duckdb::AttachVisibility::HIDDEN;
    info.options = std::move(values);
    duckdb::Connection connection(*instance);
    connection.context->RunFunctionInTransaction([&] {
      database_ = duckdb::DatabaseManager::Get(*instance).AttachDatabase(*connection.context, info, attach);
    });
  } catch (const std::exception& exception) {
    const duckdb::ErrorData error(exception);
    const Error::Context context = {{"path", options_.path}, {"database", options_.database_name}};
    switch (error.Type()) {
      case duckdb::ExceptionType::BINDER:
      case duckdb::ExceptionType::CATALOG:
      case duckdb::ExceptionType::INVALID_INPUT:
      case duckdb::ExceptionType::NOT_IMPLEMENTED:
      case duckdb::ExceptionType::PERMISSION:
        throw Error(ErrorCode::kInvalid, error.RawMessage(), context);
      default:
        throw Error(ErrorCode::kUnavailable, error.RawMessage(), context);
    }
  }
  if (const auto database = database_.lock()) read_only_ = database->IsReadOnly();
}

void HostAttachment::Detach() {
  const auto instance = Instance();
  duckdb::Connection connection(*instance);
  connection.context->RunFunctionInTransaction([&] {
    duckdb::DatabaseManager::Get(*instance).DetachDatabase(*connection.context, options_.database_name,
                                                           duckdb::OnEntryNotFound::RETURN_NULL);
  });
}

bool HostAttachment::IsOurs() const {
  const auto instance = instance_.lock();
  const auto database = database_.lock();
  return instance && database && duckdb::DatabaseManager::Get(*instance).GetDatabase(options_.database_name) == database;
}

void HostAttachment::UseIn(duckdb::ClientContext& context) const {
  auto database = database_.lock();
  if (!database || !IsOurs()) {
    throw Error(ErrorCode::kUnavailable,
                duckdb::StringUtil::Format("The catalog database \"%s\" was detached or replaced: attach the lake again.", options_.database_name),
                {{"path", options_.path}});
  }
  auto& transaction = duckdb::MetaTransaction::Get(context);
  transaction.UseDatabase(database);
  // DuckDB fixes what a transaction sees of a database when it first touches it.
  transaction.GetTransaction(*database);
}

}  // namespace tarn::engine
