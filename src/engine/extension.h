// The one door between DuckDB and Tarn: what a database instance gets when Tarn is loaded into it.
// The extension calls it through src/engine/module.cc, the `tarn` command directly.
#pragma once

#include "duckdb/main/extension/extension_loader.hpp"

namespace tarn::engine {

// Registers everything Tarn offers with the loader's database instance, once: catalogs of TYPE tarn
// and TYPE ducklake, functions, settings and secrets. Throws if another implementation of
// `ducklake` is loaded there already.
void LoadTarn(duckdb::ExtensionLoader& loader);

// Loads Tarn into an instance without an extension file. Does nothing if it is loaded there
// already.
void LoadTarn(duckdb::DatabaseInstance& db);

}  // namespace tarn::engine
