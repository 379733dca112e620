// The storage extension. See storage.h.
#include "engine/catalog/storage.h"

#include "duckdb.hpp"
#include "duckdb/main/attached_database.hpp"
#include "duckdb/storage/storage_extension.hpp"
#include "duckdb/transaction/transaction_manager.hpp"

namespace tarn::engine {
namespace {

duckdb::unique_ptr<duckdb::Catalog> Attach(duckdb::optional_ptr<duckdb::StorageExtensionInfo>,
                                           duckdb::ClientContext&, duckdb::AttachedDatabase&,
                                           const duckdb::string& name, duckdb::AttachInfo& info,
                                           duckdb::AttachOptions&) {
  throw duckdb::NotImplementedException("This build of Tarn cannot open a lake yet (\"%s\" as \"%s\").",
                                        info.path, name);
}

duckdb::unique_ptr<duckdb::TransactionManager> CreateTransactionManager(
    duckdb::optional_ptr<duckdb::StorageExtensionInfo>, duckdb::AttachedDatabase&, duckdb::Catalog&) {
  throw duckdb::InternalException("a transaction manager without a catalog");
}

}  // namespace

void RegisterStorage(duckdb::DatabaseInstance& db) {
  auto extension = duckdb::make_shared_ptr<duckdb::StorageExtension>();
  extension->attach = Attach;
  extension->create_transaction_manager = CreateTransactionManager;
  auto& config = duckdb::DBConfig::GetConfig(db);
  duckdb::StorageExtension::Register(config, "tarn", extension);
  duckdb::StorageExtension::Register(config, "ducklake", extension);
}

}  // namespace tarn::engine
