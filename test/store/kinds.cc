// The catalog databases that the kernel reaches by itself.
#include "store/store_fixture.h"

#ifdef TARN_STORE_SQLITE
#include "store/sqlite/sqlite_driver.h"
#endif
#ifdef TARN_STORE_DUCKDB
#include "store/duckdb/duckdb_driver.h"
#endif

namespace tarn::test {

std::vector<StoreKind> AllStoreKinds() {
  std::vector<StoreKind> kinds;
#ifdef TARN_STORE_SQLITE
  RegisterSqliteDriver();
  kinds.push_back({"SqliteWal", "sqlite", {}, true, true});
  kinds.push_back({"SqliteRollbackJournal", "sqlite", {{"journal_mode", "delete"}}, true, true});
#endif
#ifdef TARN_STORE_DUCKDB
  RegisterDuckDbDriver();
  kinds.push_back({"DuckDb", "duckdb", {}, false, false});
#endif
  return kinds;
}

}  // namespace tarn::test
