// See the header.
#include "store/duckdb_dialect.h"

#include "base/text.h"

namespace tarn {

DuckDbDialect::DuckDbDialect(std::string_view database, std::string_view schema)
    : prefix_(QuoteIdentifier(database) + "." + QuoteIdentifier(schema) + ".") {}

std::string DuckDbDialect::Quote(std::string_view identifier) const {
  return QuoteIdentifier(identifier);
}

std::string DuckDbDialect::QuoteTable(std::string_view table) const {
  return prefix_ + Quote(table);
}

std::string DuckDbDialect::TypeName(StoreType type) const {
  switch (type) {
    case StoreType::kBigint:
      return "BIGINT";
    case StoreType::kBoolean:
      return "BOOLEAN";
    case StoreType::kTimestampTz:
      return "TIMESTAMP WITH TIME ZONE";
    case StoreType::kUuid:
      return "UUID";
    case StoreType::kBlob:
      return "BLOB";
    case StoreType::kVarchar:
      return "VARCHAR";
  }
  return "VARCHAR";
}

std::string DuckDbDialect::Placeholder(int n) const { return "$" + std::to_string(n); }

}  // namespace tarn
