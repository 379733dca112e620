// The functions of a lake that other clients have and this version of Tarn does not: they are known
// by name, so that a call is told so instead of getting DuckDB's advice to load another extension,
// which cannot be loaded beside Tarn.
#pragma once

#include <string>

#include "duckdb.hpp"
#include "duckdb/main/extension/extension_loader.hpp"

namespace tarn::engine {

class TarnCatalog;
class TarnSchemaEntry;

void RegisterOtherClientsFunctions(duckdb::ExtensionLoader& loader);

/// The entry behind lake.x(…); null when no client has such a method.
duckdb::unique_ptr<duckdb::CatalogEntry> MakeOtherClientsMethod(TarnCatalog& lake,
                                                                TarnSchemaEntry& schema,
                                                                const std::string& name);

}  // namespace tarn::engine
