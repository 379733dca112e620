// Loading Tarn into a database instance. See extension.h.
#include "engine/extension.h"

#include "duckdb.hpp"
#include "duckdb/main/extension_helper.hpp"
#include "duckdb/main/extension_manager.hpp"
#include "engine/catalog/secrets.h"
#include "engine/catalog/storage.h"
#include "engine/catalog/upkeep_after_commits.h"
#include "engine/functions/functions.h"
#include "engine/functions/settings.h"
#include "engine/metadata/metadata_catalog.h"
#include "engine/operators/catalog_answers.h"
#include "engine/operators/row_changes_bind.h"
#include "engine/operators/scan.h"
#include "engine/store/query_log.h"

namespace tarn::engine {
namespace {

// The name that clients know the format by; Tarn answers to it beside its own.
constexpr const char* kFormatExtension = "ducklake";

duckdb::ExtensionInstallInfo InstallInfo() {
  duckdb::ExtensionInstallInfo info;
  info.mode = duckdb::ExtensionInstallMode::STATICALLY_LINKED;
  info.version = TARN_VERSION;
  return info;
}

}  // namespace

void LoadTarn(duckdb::ExtensionLoader& loader) {
  auto& db = loader.GetDatabaseInstance();
  // From here on `LOAD ducklake` finds this done, so that no second implementation is loaded over
  // Tarn's names, by hand or by DuckDB's automatic loading. Held to the end: another thread that
  // loads either waits until everything below is registered.
  auto format_load = duckdb::ExtensionManager::Get(db).BeginLoad(kFormatExtension);
  if (!format_load) {
    throw duckdb::InvalidInputException(
        "The extension \"ducklake\" is loaded in this database already, and Tarn answers to the "
        "same "
        "names. Open a new database and load Tarn there first.");
  }
  RegisterMetadataStorage(db);
  RegisterStorage(db);
  RegisterQueryLog(db);
  RegisterUpkeepLog(db);
  RegisterSettings(db);
  RegisterSecrets(loader);
  RegisterFunctions(loader);
  RegisterScan(loader);
  RegisterCatalogAnswers(db);
  RegisterOldRows(db);
  loader.SetDescription("Lakehouse tables in the DuckLake format, by Tarn");
  auto info = InstallInfo();
  format_load->FinishLoad(info);
}

void LoadTarn(duckdb::DatabaseInstance& db) {
  auto load = duckdb::ExtensionManager::Get(db).BeginLoad("tarn");
  if (!load) {
    return;
  }
  try {
    duckdb::ExtensionLoader loader(*load);
    LoadTarn(loader);
  } catch (std::exception& error) {
    load->LoadFail(duckdb::ErrorData(error));
    throw;
  }
  auto info = InstallInfo();
  load->FinishLoad(info);
}

}  // namespace tarn::engine
