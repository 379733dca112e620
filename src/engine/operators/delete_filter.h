// Which rows of a data file are dead, for DuckDB's Parquet reader.
#pragma once

#include "data/delete_mask.h"
#include "duckdb.hpp"
#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "tarn/file_system.h"
#include "tarn/scan.h"

namespace tarn::engine {

/// Reads the delete files of `file`, if it has any, and adds what else is deleted of it. Throws
/// kCorrupt for a delete file that cannot be read.
DeleteMask ReadDeletes(duckdb::ClientContext& context, FileSystem& file_system,
                       const ScanFile& file);
/// The same as a filter; null when no row is dead.
duckdb::unique_ptr<duckdb::DeleteFilter> MakeDeleteFilter(duckdb::ClientContext& context,
                                                          FileSystem& file_system,
                                                          const ScanFile& file);

}  // namespace tarn::engine
