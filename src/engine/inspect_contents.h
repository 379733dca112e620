// Reads a data or delete file whole and compares what is in it with what the catalog says of it:
// for `tarn check --deep`. What the footer alone tells is InspectDataFile's business
// (tarn/check.h).
#pragma once

#include <string>
#include <vector>

#include "duckdb.hpp"
#include "tarn/check.h"
#include "tarn/data_file.h"
#include "tarn/schema.h"

namespace tarn::engine {

/// Findings on counts, NULLs, NaN and bounds of the top-level columns, one per contradiction; a
/// file that cannot be read is one, too. `table` has all columns that the table ever had.
std::vector<CheckFinding> InspectContents(duckdb::Connection& connection, FileSystem& file_system,
                                          const std::string& path, const DataFile& file,
                                          const Table& table);

/// Findings on an encrypted file, of which DuckDB tells what it holds, but not what its footer
/// says: rows are counted, and since all of it is read, every changed byte is noticed. Needs an
/// open transaction.
std::vector<CheckFinding> InspectEncrypted(duckdb::ClientContext& context, const std::string& path,
                                           const DataFile& file, const Table& table);

/// Findings on the positions in a Parquet delete file of a data file of so many rows: each within
/// it, once, in order, and with a snapshot where the file has several. Needs an open transaction.
std::vector<CheckFinding> InspectDeletePositions(duckdb::ClientContext& context,
                                                 const std::string& path, const DeleteFile& file,
                                                 int64_t row_count);

}  // namespace tarn::engine
