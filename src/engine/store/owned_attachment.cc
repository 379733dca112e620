// See the header.
#include "engine/store/owned_attachment.h"

#include <mutex>
#include <vector>

#include "duckdb/common/string_util.hpp"
#include "duckdb/main/connection.hpp"
#include "duckdb/main/database_manager.hpp"
#include "duckdb/parser/parsed_data/attach_info.hpp"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

/// All attachments of this process, so that ATTACH OR REPLACE finds the one whose name it takes.
class Registry {
 public:
  void Add(const std::shared_ptr<OwnedAttachment>& attachment) {
    std::lock_guard lock(mutex_);
    std::erase_if(attachments_, [](const auto& entry) { return entry.expired(); });
    attachments_.push_back(attachment);
  }

  std::shared_ptr<OwnedAttachment> Find(const std::string& name,
                                        const duckdb::AttachedDatabase* database) {
    std::vector<std::shared_ptr<OwnedAttachment>>
        alive;  // declared first: none may die under the lock
    std::lock_guard lock(mutex_);
    for (const auto& entry : attachments_) {
      auto attachment = entry.lock();
      if (!attachment) continue;
      alive.push_back(attachment);
      if (duckdb::StringUtil::CIEquals(attachment->name(), name) && attachment->IsAttached() &&
          attachment->Database().get() == database) {
        return attachment;
      }
    }
    return nullptr;
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<OwnedAttachment>> attachments_;
};

Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

}  // namespace

OwnedAttachment::OwnedAttachment(duckdb::DatabaseInstance& instance, AttachRequest request)
    : request_(std::move(request)), instance_(instance.shared_from_this()) {}

std::shared_ptr<OwnedAttachment> OwnedAttachment::Make(duckdb::DatabaseInstance& instance,
                                                       AttachRequest request) {
  std::shared_ptr<OwnedAttachment> attachment(new OwnedAttachment(instance, std::move(request)));
  if (attachment->request_.replace) {
    const auto present = duckdb::DatabaseManager::Get(instance).GetDatabase(attachment->name());
    if (present) attachment->former_ = TheRegistry().Find(attachment->name(), present.get());
    if (attachment->former_) attachment->former_->Detach();
  }
  attachment->Attach();  // if this throws, the destructor gives the name back
  TheRegistry().Add(attachment);
  return attachment;
}

OwnedAttachment::~OwnedAttachment() {
  try {
    if (!instance_.lock()) return;  // it is closing, and its databases with it
    if (IsAttached()) Detach();
    if (former_) former_->Attach();
  } catch (...) {  // a destructor has nobody to tell; the instance closes the database when it
                   // closes itself
  }
}

duckdb::shared_ptr<duckdb::DatabaseInstance> OwnedAttachment::Instance() const {
  auto instance = instance_.lock();
  if (!instance)
    throw Error(ErrorCode::kUnavailable,
                "The database instance of this lake was closed: open it again.");
  return instance;
}

duckdb::shared_ptr<duckdb::AttachedDatabase> OwnedAttachment::Database() const {
  auto database = database_.lock();
  if (!database || !IsAttached()) {
    throw Error(
        ErrorCode::kUnavailable,
        duckdb::StringUtil::Format(
            "The catalog database \"%s\" was detached or replaced: attach the lake again.", name()),
        {{"path", request_.path}});
  }
  return database;
}

bool OwnedAttachment::IsAttached() const {
  const auto instance = instance_.lock();
  const auto database = database_.lock();
  return instance && database &&
         duckdb::DatabaseManager::Get(*instance).GetDatabase(name()) == database;
}

void OwnedAttachment::Attach() {
  const auto instance = Instance();
  if (duckdb::DatabaseManager::Get(*instance).GetDatabase(name())) {
    // DuckDB says so too, but only when it has made the file.
    throw Error(ErrorCode::kInvalid,
                duckdb::StringUtil::Format(
                    "Failed to attach database: database with name \"%s\" already exists%s", name(),
                    request_.hidden ? ". A transaction that began before its lake was detached may "
                                      "still use it: end that one, then attach again."
                                    : ""));
  }
  duckdb::AttachInfo info;
  info.name = request_.name;
  info.path = request_.path;
  info.options = request_.options;
  if (request_.prepare) request_.prepare();
  try {
    duckdb::AttachOptions options(request_.options, request_.read_only
                                                        ? duckdb::AccessMode::READ_ONLY
                                                        : duckdb::AccessMode::AUTOMATIC);
    options.visibility =
        request_.hidden ? duckdb::AttachVisibility::HIDDEN : duckdb::AttachVisibility::SHOWN;
    duckdb::Connection connection(*instance);
    connection.context->RunFunctionInTransaction([&] {
      database_ = duckdb::DatabaseManager::Get(*instance).AttachDatabase(*connection.context, info,
                                                                         options);
    });
  } catch (const std::exception& exception) {
    const duckdb::ErrorData error(exception);
    const Error::Context context = {{"path", request_.path}, {"database", request_.name}};
    switch (error.Type()) {
      case duckdb::ExceptionType::BINDER:
      case duckdb::ExceptionType::CATALOG:
      case duckdb::ExceptionType::CONVERSION:
      case duckdb::ExceptionType::INVALID_INPUT:
      case duckdb::ExceptionType::NOT_IMPLEMENTED:
      case duckdb::ExceptionType::PERMISSION:
        throw Error(ErrorCode::kInvalid, error.RawMessage(), context);
      default:
        throw Error(ErrorCode::kUnavailable, error.RawMessage(), context);
    }
  }
}

void OwnedAttachment::Detach() {
  const auto instance = Instance();
  duckdb::Connection connection(*instance);
  connection.context->RunFunctionInTransaction([&] {
    duckdb::DatabaseManager::Get(*instance).DetachDatabase(*connection.context, name(),
                                                           duckdb::OnEntryNotFound::RETURN_NULL);
  });
}

}  // namespace tarn::engine
