// Data files are read and written with DuckDB's own parquet extension.
#pragma once

namespace duckdb {
class DatabaseInstance;
}

namespace tarn::engine {

// Makes sure that parquet_scan and the parquet copy function exist, loading the extension if the
// client came without it. Called at ATTACH, not at LOAD: when a client starts, Tarn may be loaded
// before parquet is. Throws when it cannot be had.
void RequireParquet(duckdb::DatabaseInstance& db);

}  // namespace tarn::engine
