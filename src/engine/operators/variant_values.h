// What lies inside of VARIANT values: Parquet's VARIANT holds fewer types than DuckDB's, and rows
// that the catalog keeps must all become a file one day.
#pragma once

#include "duckdb.hpp"

namespace tarn::engine {

/// Whether a file could hold the values of a VARIANT vector, nested ones among them.
bool FitVariantFiles(duckdb::Vector& values, duckdb::idx_t count);

}  // namespace tarn::engine
