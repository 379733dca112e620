// The storage extension. See storage.h.
#include "engine/catalog/storage.h"

#include "duckdb.hpp"
#include "duckdb/common/file_system.hpp"
#include "duckdb/main/attached_database.hpp"
#include "duckdb/main/database_manager.hpp"
#include "duckdb/storage/storage_extension.hpp"
#include "engine/bridge/encryption.h"
#include "engine/bridge/errors.h"
#include "engine/bridge/parquet.h"
#include "engine/catalog/attach.h"
#include "engine/catalog/attach_options.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction_manager.h"
#include "engine/store/lake_store.h"
#ifdef TARN_STORE_POSTGRES
#include "store/postgres/postgres_driver.h"
#endif
#ifdef TARN_STORE_SQLITE
#include "store/sqlite/sqlite_driver.h"
#endif

namespace tarn::engine {
namespace {

/// Without AS a lake is called after its file's stem. DuckDB takes "sqlite:lake" for the stem of
/// "sqlite:lake.db".
void DropSchemeFromName(duckdb::ClientContext& context, duckdb::AttachedDatabase& db,
                        const duckdb::AttachInfo& info) {
  const auto colon = info.path.find(':');
  if (colon == std::string::npos || info.path == ":memory:") return;
  auto& files = duckdb::FileSystem::GetFileSystem(context);
  if (db.GetName() != duckdb::AttachedDatabase::ExtractDatabaseName(info.path, files)) return;
  const auto stem =
      duckdb::AttachedDatabase::ExtractDatabaseName(info.path.substr(colon + 1), files);
  if (stem == db.GetName()) return;
  if (info.on_conflict == duckdb::OnCreateConflict::IGNORE_ON_CONFLICT &&
      duckdb::DatabaseManager::Get(context).GetDatabase(stem)) {
    throw duckdb::BinderException(
        "Database \"%s\" is attached already: give the lake its name in ATTACH IF NOT EXISTS … AS "
        "%s.",
        stem, stem);
  }
  db.SetName(stem);
}

duckdb::unique_ptr<duckdb::Catalog> Attach(duckdb::optional_ptr<duckdb::StorageExtensionInfo>,
                                           duckdb::ClientContext& context,
                                           duckdb::AttachedDatabase& db, const duckdb::string&,
                                           duckdb::AttachInfo& info,
                                           duckdb::AttachOptions& options) {
  return Guard([&]() -> duckdb::unique_ptr<duckdb::Catalog> {
    RequireParquet(db.GetDatabase());
    DropSchemeFromName(context, db, info);
    // DuckDB looks only afterwards, when the catalog database has been opened a second time.
    if (info.on_conflict != duckdb::OnCreateConflict::REPLACE_ON_CONFLICT &&
        duckdb::DatabaseManager::Get(context).GetDatabase(db.GetName())) {
      throw duckdb::BinderException(
          "Failed to attach database: database with name \"%s\" already exists", db.GetName());
    }
    auto lake_options = ReadAttachOptions(context, db.GetName(), info, options);
    if (lake_options.read_only) db.SetReadOnlyDatabase();
    auto lake = OpenLake(context, lake_options);
    // Also one that cannot be written, though nobody has said READ_ONLY: DuckDB then refuses every
    // change at its beginning, before a file is written for it.
    if (lake->read_only()) db.SetReadOnlyDatabase();
    if (lake->encrypted()) LendEncryption(db.GetDatabase());
    // A snapshot that is not there is an error of ATTACH, not of the first query.
    const auto& pin = lake_options.snapshot;
    if (pin.version || pin.time) lake->FindSnapshot(pin);
    ConfirmLakeStore(lake->store());
    return duckdb::make_uniq<TarnCatalog>(db, std::move(lake), std::move(lake_options));
  });
}

duckdb::unique_ptr<duckdb::TransactionManager> CreateTransactionManager(
    duckdb::optional_ptr<duckdb::StorageExtensionInfo>, duckdb::AttachedDatabase& db,
    duckdb::Catalog& catalog) {
  return duckdb::make_uniq<TarnTransactionManager>(db, catalog.Cast<TarnCatalog>());
}

}  // namespace

void RegisterStorage(duckdb::DatabaseInstance& db) {
#ifdef TARN_STORE_POSTGRES
  RegisterPostgresDriver();
#endif
#ifdef TARN_STORE_SQLITE
  RegisterSqliteDriver();
#endif
  auto extension = duckdb::make_shared_ptr<duckdb::StorageExtension>();
  extension->attach = Attach;
  extension->create_transaction_manager = CreateTransactionManager;
  auto& config = duckdb::DBConfig::GetConfig(db);
  duckdb::StorageExtension::Register(config, "tarn", extension);
  duckdb::StorageExtension::Register(config, "ducklake", extension);
}

}  // namespace tarn::engine
