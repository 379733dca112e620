// The columns of a scan as DuckDB's column mapper wants them: each with its field id, at every
// level, and with what it reads as in files that lack it.
#pragma once

#include <memory>
#include <optional>

#include "duckdb.hpp"
#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "duckdb/planner/table_filter.hpp"
#include "tarn/data_file.h"
#include "tarn/schema.h"

namespace tarn::engine {

/// Embedded columns (format page, section 5).
inline constexpr int32_t kRowIdField = 2147483540;
inline constexpr int32_t kSnapshotIdField = 2147483539;
inline constexpr const char* kRowIdName = "_ducklake_internal_row_id";
inline constexpr const char* kSnapshotIdName = "_ducklake_internal_snapshot_id";
/// Columns of a positional delete file (section 6).
inline constexpr int32_t kDeletePathField = 2147483646;
inline constexpr int32_t kDeletePositionField = 2147483645;

duckdb::MultiFileColumnDefinition ToDefinition(const Column& column);
/// The same as a file has it: for columns of inlined tables, which are read as files are.
duckdb::MultiFileColumnDefinition ToFileDefinition(const Column& column);
/// A column that a file may have beside the table's: reads as NULL where it is absent.
duckdb::MultiFileColumnDefinition EmbeddedColumn(const char* name, int32_t field_id);
/// Where a file has this field at its top level.
std::optional<size_t> FindField(const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
                                int32_t field_id);

/// Gives the columns of a registered file, which has no field ids (or foreign ones), those of its
/// name map.
void ApplyNameMap(const NameMap& map, duckdb::vector<duckdb::MultiFileColumnDefinition>& columns);

/// The filters for a file whose columns differ from the table's: DuckDB would bring a filter's
/// constant to the file's type, which rounds (1.25 to 1.3, 0.1 to a float, a time to its date).
/// Such filters are evaluated on the cast column instead; optional ones are dropped. Null when all
/// filters can stay as they are.
duckdb::unique_ptr<duckdb::TableFilterSet> AdaptFilters(
    const duckdb::TableFilterSet& filters,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& table_columns,
    const duckdb::vector<duckdb::ColumnIndex>& column_ids,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns);

}  // namespace tarn::engine
