// DuckDB's SQL as a catalog database's: the same for the driver on its own and for the engine's
// host instance.
#pragma once

#include <string>
#include <string_view>

#include "tarn/catalog_store.h"

namespace tarn {

class DuckDbDialect : public Dialect {
 public:
  /// Tables are always named in full, whatever other databases are attached and whichever is the
  /// default.
  DuckDbDialect(std::string_view database, std::string_view schema);

  std::string_view name() const override { return "duckdb"; }
  std::string Quote(std::string_view identifier) const override;
  std::string QuoteTable(std::string_view table) const override;
  std::string TypeName(StoreType type) const override;
  std::string Placeholder(int n) const override;

 private:
  const std::string prefix_;
};

}  // namespace tarn
