// What the extension's engine library exports, and all it exports. The entry library
// (src/engine/stub) embeds that library, binds it to a DuckDB and calls tarn_engine_load. Not part
// of tarn_engine, so that programs which link the engine do not export this.
#include "duckdb.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "engine/extension.h"

extern "C" {

__attribute__((visibility("default"))) void tarn_engine_load(duckdb::ExtensionLoader& loader) {
  tarn::engine::LoadTarn(loader);
}

__attribute__((visibility("default"))) const char* tarn_engine_version() { return TARN_VERSION; }

}  // extern "C"
