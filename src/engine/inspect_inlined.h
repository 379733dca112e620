// Reads the rows that the catalog keeps, for `tarn check --deep`.
#pragma once

#include <vector>

#include "duckdb.hpp"
#include "tarn/check.h"
#include "tarn/lake.h"

namespace tarn::engine {

/// Values of inlined tables that are no values of their columns: the first of each column.
std::vector<CheckFinding> InspectInlinedRows(duckdb::ClientContext& context, Lake& lake);

}  // namespace tarn::engine
