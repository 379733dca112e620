// ducklake_table_insertions, ducklake_table_deletions and ducklake_table_changes: what a range of
// snapshots did to a table. Unlike other functions about a lake they are scans: columns and filters
// are pushed into them, and their rows are never all in memory.
#pragma once

#include <string>

#include "duckdb.hpp"
#include "duckdb/main/extension/extension_loader.hpp"

namespace tarn::engine {

class TarnCatalog;
class TarnSchemaEntry;

/// Registers ducklake_x and tarn_x for each, and what plans are copied by.
void RegisterChangeFeed(duckdb::ExtensionLoader& loader);

/// The entry behind lake.table_changes(…) and the others; null when `name` is none of them.
duckdb::unique_ptr<duckdb::CatalogEntry> MakeChangeFeedMethod(TarnCatalog& lake,
                                                              TarnSchemaEntry& schema,
                                                              const std::string& name);

}  // namespace tarn::engine
