// The list of Tarn's SQL functions. See functions.h.
#include "engine/functions/functions.h"

namespace tarn::engine {

void RegisterFunctions(duckdb::ExtensionLoader& loader) { RegisterVersion(loader); }

}  // namespace tarn::engine
