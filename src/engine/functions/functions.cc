// The list of Tarn's SQL functions. See functions.h.
#include "engine/functions/functions.h"

#include "engine/functions/change_feed.h"
#include "engine/functions/lake_function.h"

namespace tarn::engine {

void RegisterFunctions(duckdb::ExtensionLoader& loader) {
  RegisterVersion(loader);
  RegisterLakeFunctions(loader);
  RegisterChangeFeed(loader);
}

}  // namespace tarn::engine
