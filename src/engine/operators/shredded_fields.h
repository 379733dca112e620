// What DuckDB's Parquet writer says of the fields of a variant. Of each file it decides by the
// first rows which fields it keeps apart ("shreds"), each as two leaves: `typed_value` for values
// of the type it has chosen, and `value` for all others.
#pragma once

#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/function/copy_function.hpp"
#include "format/variant_stats.h"

namespace tarn::engine {

/// Of the column whose leaves begin with `path` (a quoted name): the fields of which no value is
/// left in `value`, sorted by their paths, the last first.
std::vector<VariantFieldStats> ShreddedFields(const duckdb::CopyFunctionFileStatistics& written,
                                              const std::string& path);

/// True when surely no row of the column is NULL. The writer stores NULL and the null of JSON
/// alike, as a value, and so counts no NULLs.
bool HasNoNulls(const duckdb::CopyFunctionFileStatistics& written, const std::string& path);

}  // namespace tarn::engine
