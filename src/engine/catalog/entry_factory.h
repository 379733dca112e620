// Makes DuckDB's entries for the kernel's objects.
#pragma once

#include <memory>
#include <optional>

#include "duckdb.hpp"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn::engine {

class TarnCatalog;
class TarnSchemaEntry;

duckdb::unique_ptr<duckdb::CatalogEntry> MakeTableEntry(TarnCatalog& catalog,
                                                        TarnSchemaEntry& schema,
                                                        const std::shared_ptr<const Table>& table,
                                                        const std::optional<Snapshot>& at);
/// A view whose SQL this engine cannot parse gets an entry that says so when it is read.
duckdb::unique_ptr<duckdb::CatalogEntry> MakeViewEntry(TarnCatalog& catalog,
                                                       TarnSchemaEntry& schema, const View& view);
/// Throws kUnsupported for a macro that this engine cannot parse.
duckdb::unique_ptr<duckdb::CatalogEntry> MakeMacroEntry(TarnCatalog& catalog,
                                                        TarnSchemaEntry& schema,
                                                        const Macro& macro);

}  // namespace tarn::engine
