// See the header.
#include "store/duckdb_dialect.h"

#include <charconv>
#include <utility>

#include "base/text.h"

namespace tarn {

bool StoresVariant(std::string_view storage_version) {
  if (!storage_version.starts_with('v')) return false;
  int major = 0, minor = 0;
  const char* end = storage_version.data() + storage_version.size();
  auto read = std::from_chars(storage_version.data() + 1, end, major);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != '.') return false;
  read = std::from_chars(read.ptr + 1, end, minor);
  return read.ec == std::errc() && std::pair(major, minor) >= std::pair(1, 5);
}

DuckDbDialect::DuckDbDialect(std::string_view database, std::string_view schema, bool has_variant)
    : prefix_(QuoteIdentifier(database) + "." + QuoteIdentifier(schema) + "."),
      has_variant_(has_variant) {}

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
