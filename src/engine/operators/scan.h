// Scans of lake tables by DuckDB's Parquet reader.
#pragma once

#include "duckdb.hpp"

namespace tarn::engine {

class TarnTableEntry;

/// The table function that reads `table`, and its bind data. `lookup` is what found the entry; its AT clause is resolved already
/// (TarnTableEntry::at()).
duckdb::TableFunction MakeScanFunction(duckdb::ClientContext& context, TarnTableEntry& table,
                                       duckdb::unique_ptr<duckdb::FunctionData>& bind_data,
                                       const duckdb::EntryLookupInfo& lookup);

}  // namespace tarn::engine
