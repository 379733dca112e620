// What DuckDB's Parquet writer says of a file it has written, as the kernel wants it.
#pragma once

#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/function/copy_function.hpp"
#include "tarn/data_file.h"
#include "tarn/schema.h"

namespace tarn::engine {

/// Counts, sizes and the statistics of each leaf column, in the format's encoding.
DataFile DescribeWrittenFile(const duckdb::CopyFunctionFileStatistics& written,
                             const std::vector<Column>& columns);

/// The `field_ids` option of the writer: ids at every level.
duckdb::Value FieldIdOption(const std::vector<Column>& columns);

}  // namespace tarn::engine
