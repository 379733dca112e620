// tarn_version(): the version of Tarn that is loaded.
#include "duckdb.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "engine/functions/functions.h"

namespace tarn::engine {
namespace {

void Version(duckdb::DataChunk&, duckdb::ExpressionState&, duckdb::Vector& result) {
  result.Reference(duckdb::Value(TARN_VERSION));
}

}  // namespace

void RegisterVersion(duckdb::ExtensionLoader& loader) {
  loader.RegisterFunction(
      duckdb::ScalarFunction("tarn_version", {}, duckdb::LogicalType::VARCHAR, Version));
}

}  // namespace tarn::engine
