// What DuckDB's Parquet writer says of a file it has written, as the kernel wants it.
#pragma once

#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/function/copy_function.hpp"
#include "tarn/data_file.h"
#include "tarn/file_system.h"
#include "tarn/schema.h"

namespace tarn::engine {

/// Counts, sizes and the statistics of each leaf column, in the format's encoding.
DataFile DescribeWrittenFile(const duckdb::CopyFunctionFileStatistics& written,
                             const std::vector<Column>& columns);

/// The writer's word that a column holds no NaN is about the last row group only. Its footer tells
/// more: a row group that holds NaN has no bounds there. Where it does not prove the writer right,
/// whether there is NaN is left open. `path` is where the file is, closed.
void DoubtAbsentNans(FileSystem& file_system, const std::string& path, DataFile& file);

/// The `field_ids` option of the writer: ids at every level.
duckdb::Value FieldIdOption(const std::vector<Column>& columns);

}  // namespace tarn::engine
