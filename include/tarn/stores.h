// The catalog drivers that come with Tarn. Each is a library of its own, so that a program links
// only the databases it wants; it makes their schemes known to OpenCatalogStore by calling these
// once at its start. Calling again does no harm.
#pragma once

namespace tarn {

void RegisterSqliteDriver();    ///< "sqlite", in Tarn::store_sqlite (part of Tarn::tarn)
void RegisterPostgresDriver();  ///< "postgres", in Tarn::store_postgres (part of Tarn::tarn)
void RegisterDuckDbDriver();    ///< "duckdb", in Tarn::store_duckdb: a DuckDB file, through
                                ///< libduckdb; not inside a DuckDB process

}  // namespace tarn
