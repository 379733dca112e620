// Tarn's SQL functions. Each file of this folder has one; here they are listed.
#pragma once

namespace duckdb {
class ExtensionLoader;
}

namespace tarn::engine {

// Registers every SQL function of Tarn, those of lakes as tarn_x and as ducklake_x.
void RegisterFunctions(duckdb::ExtensionLoader& loader);

void RegisterVersion(duckdb::ExtensionLoader& loader);

}  // namespace tarn::engine
