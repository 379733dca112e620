// Reads a data file whole and compares the rows in it with what the catalog says of them: for
// `tarn check --deep`. What the footer alone tells is InspectDataFile's business (tarn/check.h).
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

}  // namespace tarn::engine
