// The catalog databases that the kernel reaches by itself.
#include "store/store_fixture.h"

#include <cstdlib>

#ifdef TARN_STORE_POSTGRES
#include "store/postgres/postgres_driver.h"
#endif
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
#ifdef TARN_STORE_POSTGRES
  // A server that test/harness/postgres.py has started, or any other whose role may create schemas.
  if (const char* server = std::getenv("TARN_TEST_POSTGRES")) {
    RegisterPostgresDriver();
    kinds.push_back(
        {"Postgres", "postgres", {}, true, true, std::string(server) + " dbname=postgres", true});
  }
#endif
  return kinds;
}

}  // namespace tarn::test
