// Whether a column of a table has a NULL, as its transaction sees it.
#pragma once

#include "duckdb.hpp"

namespace tarn::engine {

class TarnTableEntry;

/// Files and inlined rows whose statistics rule NULLs out are not opened; what is left is read
/// until the first NULL.
bool HasNulls(duckdb::ClientContext& context, TarnTableEntry& table, duckdb::column_t column);

}  // namespace tarn::engine
