// Types as every client of the format finds them in SQLite (format page, section 1): booleans are
// BIGINT, uuids and timestamps text.
#include "store/sqlite/sqlite_dialect.h"

#include "base/text.h"

namespace tarn::sqlite {

const SqliteDialect& SqliteDialect::Instance() {
  static const SqliteDialect dialect;
  return dialect;
}

std::string SqliteDialect::Quote(std::string_view identifier) const {
  return QuoteIdentifier(identifier);
}

std::string SqliteDialect::QuoteTable(std::string_view table) const { return Quote(table); }

std::string SqliteDialect::TypeName(StoreType type) const {
  switch (type) {
    case StoreType::kBigint:
    case StoreType::kBoolean:
      return "BIGINT";
    case StoreType::kVarchar:
    case StoreType::kTimestampTz:
    case StoreType::kUuid:
      return "VARCHAR";
    case StoreType::kBlob:
      return "BLOB";
  }
  return "VARCHAR";
}

// Numbered, so that a statement's text and its list of parameters cannot drift apart.
std::string SqliteDialect::Placeholder(int n) const { return "?" + std::to_string(n); }

}  // namespace tarn::sqlite
