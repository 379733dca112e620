// What the catalog knows of a column, for DuckDB's optimiser.
#pragma once

#include "duckdb.hpp"
#include "engine/operators/scan_source.h"

namespace tarn::engine {

/// Bounds that every row of the scan keeps to, and whether there can be NULLs. Null when nothing
/// holds: time travel, no statistics, a nested or virtual column.
duckdb::unique_ptr<duckdb::BaseStatistics> ColumnStatistics(ScanSource& source,
                                                            duckdb::column_t column_id);

}  // namespace tarn::engine
