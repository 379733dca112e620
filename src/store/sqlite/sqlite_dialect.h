// How SQLite's SQL differs from the others'.
#pragma once

#include <string>
#include <string_view>

#include "tarn/catalog_store.h"

namespace tarn::sqlite {

class SqliteDialect : public Dialect {
 public:
  static const SqliteDialect& Instance();

  std::string_view name() const override { return "sqlite"; }
  std::string Quote(std::string_view identifier) const override;
  std::string QuoteTable(std::string_view table) const override;
  std::string TypeName(StoreType type) const override;
  std::string Placeholder(int n) const override;
};

}  // namespace tarn::sqlite
