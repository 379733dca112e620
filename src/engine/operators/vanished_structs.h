// What DuckDB's mapper of columns cannot read: structs deep inside lists and maps of which a file
// has no field that the table still has.
#pragma once

#include <string>

#include "duckdb.hpp"
#include "duckdb/common/multi_file/multi_file_data.hpp"

namespace tarn::engine {

/// Throws kUnsupported for the first such struct among the columns that are asked for. DuckDB 1.5.5
/// would take a vector of one type for one of another: an internal error, or values of other rows.
void RefuseVanishedStructs(const duckdb::vector<duckdb::MultiFileColumnDefinition>& table_columns,
                           const duckdb::vector<duckdb::ColumnIndex>& column_ids,
                           const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns);

}  // namespace tarn::engine
