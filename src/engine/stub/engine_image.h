// The engine library that is embedded in the extension, and how it is bound to a DuckDB.
#pragma once

#include <string>

namespace tarn::stub {

// Opens the engine with `duckdb_path` (empty: the main program) as its DuckDB. Returns the dynamic
// linker's handle, or null and the reason in `problem`. The handle stays open for good.
void* OpenEngine(const std::string& duckdb_path, std::string& problem);

// The handle of an engine that this process has loaded before, or null.
void* LoadedEngine();

// Writes `duckdb_path` into the engine's ELF image as the library it needs. Throws if the image is
// not what the build makes, or has no room for the path.
void BindImage(std::string& image, const std::string& duckdb_path);

}  // namespace tarn::stub
