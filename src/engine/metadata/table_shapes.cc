// SQLite's types are words with a meaning only in part; the words of lakes are BIGINT, VARCHAR and
// BLOB. Others may stand in tables that share the file: what has no plain meaning is shown as text,
// which holds anything.
#include "engine/metadata/table_shapes.h"

#include "base/text.h"
#include "store/statement.h"

namespace tarn::engine {
namespace {

bool Has(const std::string& text, std::initializer_list<std::string_view> words) {
  for (const auto& word : words) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

/// As SQLite itself finds a column's affinity, so that values come in the type that they are stored
/// in.
duckdb::LogicalType TypeOfSqlite(const std::string& declared) {
  const std::string type = AsciiLower(declared);
  if (Has(type, {"int"})) return duckdb::LogicalType::BIGINT;
  if (Has(type, {"char", "clob", "text"})) return duckdb::LogicalType::VARCHAR;
  if (type.empty() || Has(type, {"blob"})) return duckdb::LogicalType::BLOB;
  if (Has(type, {"real", "floa", "doub"})) return duckdb::LogicalType::DOUBLE;
  return duckdb::LogicalType::VARCHAR;
}

std::optional<MetadataTable> DescribeInSqlite(StoreConnection& connection,
                                              const std::string& table) {
  MetadataTable result;
  {
    StatementBuilder sql(
        connection.dialect(),
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name = ");
    const auto rows = connection.Query(sql.Bind(table).Text(" COLLATE NOCASE").Build());
    if (!rows->Next()) return std::nullopt;
    result.name = rows->Text(0);
  }
  StatementBuilder sql(connection.dialect(),
                       "SELECT name, type, \"notnull\", pk FROM pragma_table_info(");
  const auto rows = connection.Query(sql.Bind(result.name).Text(") ORDER BY cid").Build());
  while (rows->Next()) {
    result.columns.push_back({std::string(rows->Text(0)),
                              TypeOfSqlite(rows->OptText(1).value_or("")), rows->Int64(2) != 0,
                              rows->Int64(3) != 0});
  }
  return result;
}

/// What PostgreSQL calls a type, in DuckDB's words where both mean the same; all else is text.
duckdb::LogicalType TypeOfPostgres(const std::string& type) {
  if (type == "int8") return duckdb::LogicalType::BIGINT;
  if (type == "int4" || type == "int2") return duckdb::LogicalType::BIGINT;
  if (type == "bool") return duckdb::LogicalType::BOOLEAN;
  if (type == "float8" || type == "float4") return duckdb::LogicalType::DOUBLE;
  if (type == "timestamptz") return duckdb::LogicalType::TIMESTAMP_TZ;
  if (type == "uuid") return duckdb::LogicalType::UUID;
  if (type == "bytea") return duckdb::LogicalType::BLOB;
  return duckdb::LogicalType::VARCHAR;
}

std::optional<MetadataTable> DescribeInPostgres(StoreConnection& connection,
                                                const std::string& table) {
  // The name that is spelt alike goes before those that differ in case.
  StatementBuilder sql(
      connection.dialect(),
      "SELECT c.relname, a.attname, t.typname, a.attnotnull, coalesce(a.attnum = ANY "
      "(i.indkey), false) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
      "JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_index i ON i.indrelid = "
      "c.oid AND i.indisprimary WHERE a.attnum > 0 AND NOT a.attisdropped AND c.oid "
      "= (SELECT oid FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND "
      "relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass(");
  sql.Bind(connection.dialect().QuoteTable("ducklake_metadata"))
      .Text(")) AND lower(relname) = lower(")
      .Bind(table)
      .Text(") ORDER BY relname = ")
      .Bind(table)
      .Text(" DESC, relname LIMIT 1) ORDER BY a.attnum");
  const auto rows = connection.Query(sql.Build());
  std::optional<MetadataTable> result;
  while (rows->Next()) {
    if (!result) result = MetadataTable{std::string(rows->Text(0)), {}};
    result->columns.push_back({std::string(rows->Text(1)),
                               TypeOfPostgres(std::string(rows->Text(2))), rows->Bool(3),
                               rows->Bool(4)});
  }
  return result;
}

}  // namespace

std::optional<MetadataTable> DescribeMetadataTable(StoreConnection& connection,
                                                   const std::string& table) {
  if (connection.dialect().name() == "sqlite") return DescribeInSqlite(connection, table);
  if (connection.dialect().name() == "postgres") return DescribeInPostgres(connection, table);
  throw Error(ErrorCode::kUnsupported,
              "The catalog tables of a lake in \"" + std::string(connection.dialect().name()) +
                  "\" cannot be queried from here: query them in that database.");
}

}  // namespace tarn::engine
