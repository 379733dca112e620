// See the header.
#include "engine/store/lake_store.h"

#include "engine/metadata/metadata_catalog.h"
#include "engine/store/host_duckdb_store.h"
#include "engine/store/query_log.h"

namespace tarn::engine {
namespace {

/// A store of another driver together with the database that shows its tables.
class ShownStore : public CatalogStore {
 public:
  ShownStore(std::shared_ptr<CatalogStore> store, std::shared_ptr<OwnedAttachment> tables,
             std::shared_ptr<const QueryLog> log)
      : store_(std::move(store)), tables_(std::move(tables)), log_(std::move(log)) {}

  std::unique_ptr<StoreConnection> Connect() override { return log_->Watch(store_->Connect()); }
  const Dialect& dialect() const override { return store_->dialect(); }
  std::string location() const override { return store_->location(); }
  bool writable() const override { return store_->writable(); }
  void CreateSchemaIfAbsent() override { store_->CreateSchemaIfAbsent(); }
  OwnedAttachment& tables() { return *tables_; }

 private:
  const std::shared_ptr<CatalogStore> store_;
  const std::shared_ptr<OwnedAttachment> tables_;
  const std::shared_ptr<const QueryLog> log_;
};

}  // namespace

std::shared_ptr<CatalogStore> OpenLakeStore(duckdb::ClientContext& context,
                                            const LakeAttachOptions& options) {
  auto& instance = duckdb::DatabaseInstance::GetDatabase(context);
  auto log = std::make_shared<const QueryLog>(instance, options.lake_name);
  if (options.scheme == "duckdb") {
    HostStoreOptions host;
    host.log = std::move(log);
    host.path = options.metadata_path;
    host.database_name = options.metadata_catalog;
    host.hidden = !options.metadata_catalog_given;
    host.schema = options.metadata_schema;
    host.read_only = options.read_only;
    host.create_if_absent = options.create_if_absent && !options.read_only;
    host.replace = options.replace;
    host.parameters = options.metadata_parameters;
    return std::make_shared<HostDuckDbStore>(instance, host);
  }
  StoreOptions plain;
  plain.location = options.metadata_path;
  plain.schema = options.metadata_schema;
  plain.read_only = options.read_only;
  plain.create_if_absent = options.create_if_absent && !options.read_only;
  if (options.busy_timeout_ms) plain.busy_timeout_ms = *options.busy_timeout_ms;
  plain.parameters = options.metadata_parameters;
  auto store = OpenCatalogStore(options.scheme, plain);
  auto tables = AttachMetadata(instance, store, options.metadata_catalog,
                               !options.metadata_catalog_given, options.replace);
  return std::make_shared<ShownStore>(std::move(store), std::move(tables), std::move(log));
}

void ConfirmLakeStore(CatalogStore& store) {
  if (auto* host = dynamic_cast<HostDuckDbStore*>(&store)) host->attachment().Confirm();
  if (auto* shown = dynamic_cast<ShownStore*>(&store)) shown->tables().Confirm();
}

void ReleaseLakeStoreName(CatalogStore& store) {
  auto* shown = dynamic_cast<ShownStore*>(&store);
  if (shown && shown->tables().IsAttached()) shown->tables().Detach();
}

}  // namespace tarn::engine
