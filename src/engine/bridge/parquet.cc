// DuckDB's parquet extension, on demand. See parquet.h.
#include "engine/bridge/parquet.h"

#include "duckdb.hpp"
#include "duckdb/main/extension_helper.hpp"

namespace tarn::engine {

void RequireParquet(duckdb::DatabaseInstance& db) {
  if (db.ExtensionIsLoaded("parquet")) {
    return;
  }
  // The usual automatic loading may be off; a copy that lies in the extension directory is taken
  // all the same, since without parquet no lake can be read.
  if (duckdb::ExtensionHelper::TryAutoLoadExtension(db, "parquet")) {
    return;
  }
  throw duckdb::MissingExtensionException(
      "A lake keeps its rows in Parquet files, and this DuckDB has no extension \"parquet\". Run "
      "INSTALL parquet and LOAD parquet, then attach the lake again.");
}

}  // namespace tarn::engine
