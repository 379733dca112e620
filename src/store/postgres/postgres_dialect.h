// How PostgreSQL's SQL differs from the others'.
#pragma once

#include <string>
#include <string_view>

#include "tarn/catalog_store.h"

namespace tarn::postgres {

class PostgresDialect : public Dialect {
 public:
  /// Tables are always named with their schema, whatever the search path says.
  explicit PostgresDialect(std::string_view schema);

  std::string_view name() const override { return "postgres"; }
  std::string Quote(std::string_view identifier) const override;
  std::string QuoteTable(std::string_view table) const override;
  std::string TypeName(StoreType type) const override;
  std::string Placeholder(int n) const override { return "$" + std::to_string(n); }

  const std::string& schema() const { return schema_; }

 private:
  const std::string schema_;
};

}  // namespace tarn::postgres
