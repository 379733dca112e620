// See the header.
#include "store/postgres/postgres_dialect.h"

#include "base/text.h"

namespace tarn::postgres {

PostgresDialect::PostgresDialect(std::string_view schema) : schema_(schema) {}

std::string PostgresDialect::Quote(std::string_view identifier) const {
  return QuoteIdentifier(identifier);
}

std::string PostgresDialect::QuoteTable(std::string_view table) const {
  return QuoteIdentifier(schema_) + "." + QuoteIdentifier(table);
}

std::string PostgresDialect::TypeName(StoreType type) const {
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
      return "BYTEA";
    case StoreType::kVarchar:
      return "VARCHAR";
  }
  return "VARCHAR";
}

}  // namespace tarn::postgres
