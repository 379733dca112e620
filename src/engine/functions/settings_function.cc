// ducklake_settings(lake): what kind of catalog it has, what reads it, and where its files are.
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"

namespace tarn::engine {
namespace {

BoundLakeFunction Bind(const LakeCall&) {
  BoundLakeFunction bound;
  bound.names = {"catalog_type", "extension_version", "data_path"};
  bound.types.assign(3, duckdb::LogicalType::VARCHAR);
  bound.run = [](duckdb::ClientContext&, TarnTransaction& transaction, ResultRows& rows) {
    auto& lake = transaction.catalog().lake();
    rows.Add({duckdb::Value(std::string(lake.store().dialect().name())),
              duckdb::Value("Tarn " TARN_VERSION), duckdb::Value(lake.data_path())});
  };
  return bound;
}

}  // namespace

LakeFunction SettingsFunction() { return {.name = "settings", .bind = Bind}; }

}  // namespace tarn::engine
