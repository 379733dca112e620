// See inlining.h. Types are those that other clients make and expect.
#include "catalog/inlining.h"

#include <algorithm>
#include <charconv>

#include "format/tables.h"
#include "format/type_names.h"
#include "store/duckdb_dialect.h"
#include "store/statement.h"

namespace tarn {
namespace {

enum class Database { kDuckDb, kSqlite, kPostgres, kOther };

Database DatabaseOf(const Dialect& dialect) {
  if (dialect.name() == "duckdb") return Database::kDuckDb;
  if (dialect.name() == "sqlite") return Database::kSqlite;
  if (dialect.name() == "postgres") return Database::kPostgres;
  return Database::kOther;
}

/// PostgreSQL cuts longer names.
constexpr size_t kMaxPostgresName = 63;

std::string DecimalArguments(const ScalarType& type) {
  return "(" + std::to_string(type.width) + "," + std::to_string(type.scale) + ")";
}

std::string DuckDbType(const Dialect& dialect, const Column& column) {
  const ScalarType type = RequireTypeName(column.type);
  switch (type.kind) {
    case TypeKind::kBoolean:
      return "BOOLEAN";
    case TypeKind::kInt8:
      return "TINYINT";
    case TypeKind::kInt16:
      return "SMALLINT";
    case TypeKind::kInt32:
      return "INTEGER";
    case TypeKind::kInt64:
      return "BIGINT";
    case TypeKind::kInt128:
      return "HUGEINT";
    case TypeKind::kUint8:
      return "UTINYINT";
    case TypeKind::kUint16:
      return "USMALLINT";
    case TypeKind::kUint32:
      return "UINTEGER";
    case TypeKind::kUint64:
      return "UBIGINT";
    case TypeKind::kUint128:
      return "UHUGEINT";
    case TypeKind::kFloat32:
      return "FLOAT";
    case TypeKind::kFloat64:
      return "DOUBLE";
    case TypeKind::kDecimal:
      return "DECIMAL" + DecimalArguments(type);
    case TypeKind::kDate:
      return "DATE";
    case TypeKind::kTime:
      return "TIME";
    case TypeKind::kTimeNs:
      return "TIME_NS";
    case TypeKind::kTimeTz:
      return "TIME WITH TIME ZONE";
    case TypeKind::kTimestamp:
      return "TIMESTAMP";
    case TypeKind::kTimestampTz:
      return "TIMESTAMP WITH TIME ZONE";
    case TypeKind::kTimestampS:
      return "TIMESTAMP_S";
    case TypeKind::kTimestampMs:
      return "TIMESTAMP_MS";
    case TypeKind::kTimestampNs:
      return "TIMESTAMP_NS";
    case TypeKind::kInterval:
      return "INTERVAL";
    case TypeKind::kVarchar:
      return "VARCHAR";
    case TypeKind::kJson:
      return "JSON";
    case TypeKind::kBlob:
      return "BLOB";
    case TypeKind::kUuid:
      return "UUID";
    case TypeKind::kVariant:
      return "VARIANT";
    case TypeKind::kGeometry:
      return "GEOMETRY";
    case TypeKind::kList:
      return DuckDbType(dialect, column.children.at(0)) + "[]";
    case TypeKind::kMap:
      return "MAP(" + DuckDbType(dialect, column.children.at(0)) + ", " +
             DuckDbType(dialect, column.children.at(1)) + ")";
    case TypeKind::kStruct: {
      std::string fields;
      for (const Column& child : column.children) {
        if (!fields.empty()) fields += ", ";
        fields += dialect.Quote(child.name) + " " + DuckDbType(dialect, child);
      }
      return "STRUCT(" + fields + ")";
    }
  }
  return "VARCHAR";
}

std::string PostgresType(const ScalarType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return "BOOLEAN";
    case TypeKind::kInt8:
    case TypeKind::kInt16:
      return "SMALLINT";
    case TypeKind::kUint8:
    case TypeKind::kUint16:
    case TypeKind::kInt32:
      return "INTEGER";
    case TypeKind::kUint32:
    case TypeKind::kInt64:
      return "BIGINT";
    case TypeKind::kFloat32:
      return "REAL";
    case TypeKind::kFloat64:
      return "DOUBLE PRECISION";
    case TypeKind::kDecimal:
      return "NUMERIC" + DecimalArguments(type);
    case TypeKind::kTime:
      return "TIME";
    case TypeKind::kTimeTz:
      return "TIMETZ";
    case TypeKind::kInterval:
      return "INTERVAL";
    case TypeKind::kUuid:
      return "UUID";
    case TypeKind::kVarchar:
    case TypeKind::kJson:
    case TypeKind::kBlob:
      return "BYTEA";
    default:
      return "VARCHAR";
  }
}

bool IsSmallInteger(TypeKind kind) {
  return IsInteger(kind) && kind != TypeKind::kInt128 && kind != TypeKind::kUint128 &&
         kind != TypeKind::kUint64;
}

/// `in_list`: below a list or a map. A JSON there has no text form that others read back as it was.
bool CanBeText(const Column& column, bool in_list) {
  const TypeKind kind = RequireTypeName(column.type).kind;
  if (kind == TypeKind::kVariant || kind == TypeKind::kGeometry) return false;
  if (kind == TypeKind::kJson && in_list) return false;
  const bool is_list = kind == TypeKind::kList || kind == TypeKind::kMap;
  return std::all_of(column.children.begin(), column.children.end(),
                     [&](const Column& child) { return CanBeText(child, in_list || is_list); });
}

bool HasVariant(const Dialect& dialect) {
  const auto* duckdb = dynamic_cast<const DuckDbDialect*>(&dialect);
  return duckdb != nullptr && duckdb->has_variant();
}

/// Geometry is inlined by nobody; a VARIANT inside of another type could never become a file.
bool HasFileOnlyType(const Column& column) {
  const TypeKind kind = RequireTypeName(column.type).kind;
  return kind == TypeKind::kGeometry || kind == TypeKind::kVariant ||
         std::any_of(column.children.begin(), column.children.end(), HasFileOnlyType);
}

}  // namespace

int64_t InliningLimit(const OptionSet& options, SchemaRef schema, std::optional<TableRef> table,
                      int64_t otherwise) {
  const auto stored = options.Find("data_inlining_row_limit", schema, table);
  if (!stored) return otherwise;
  int64_t limit = 0;
  const char* end = stored->data() + stored->size();
  const auto parsed = std::from_chars(stored->data(), end, limit);
  if (parsed.ec != std::errc() || parsed.ptr != end || limit < 0) {
    throw Error(ErrorCode::kCorrupt, "The lake's option data_inlining_row_limit is \"" + *stored +
                                         "\", which is no number of rows. Set it again with "
                                         "set_option.");
  }
  return limit;
}

int64_t InliningRule::LimitOf(const Table& table) const {
  return InliningLimit(options, table.schema, table.ref, otherwise);
}

InlinedForm InlinedFormOf(const Dialect& dialect, const Column& column) {
  const TypeKind kind = RequireTypeName(column.type).kind;
  const bool is_postgres = DatabaseOf(dialect) == Database::kPostgres;
  if (IsSmallInteger(kind)) return InlinedForm::kInteger;
  switch (kind) {
    case TypeKind::kBoolean:
      return is_postgres ? InlinedForm::kBoolean : InlinedForm::kInteger;
    case TypeKind::kFloat32:
    case TypeKind::kFloat64:
      return is_postgres ? InlinedForm::kDouble : InlinedForm::kText;
    case TypeKind::kBlob:
      return InlinedForm::kBytes;
    case TypeKind::kVarchar:
    case TypeKind::kJson:
      return is_postgres ? InlinedForm::kBytes : InlinedForm::kText;
    default:
      return InlinedForm::kText;
  }
}

std::string InlinedColumnType(const Dialect& dialect, const Column& column) {
  const ScalarType type = RequireTypeName(column.type);
  switch (DatabaseOf(dialect)) {
    case Database::kDuckDb:
      return DuckDbType(dialect, column);
    case Database::kPostgres:
      return PostgresType(type);
    default:
      if (type.kind == TypeKind::kBoolean || IsSmallInteger(type.kind)) return "BIGINT";
      return type.kind == TypeKind::kBlob ? "BLOB" : "VARCHAR";
  }
}

bool CanInline(const Dialect& dialect, const Table& table) {
  const Database database = DatabaseOf(dialect);
  return std::all_of(table.columns.begin(), table.columns.end(), [&](const Column& column) {
    if (database == Database::kDuckDb) {
      const bool is_variant = RequireTypeName(column.type).kind == TypeKind::kVariant;
      if (is_variant) return HasVariant(dialect);
      return !HasFileOnlyType(column);
    }
    if (database == Database::kPostgres && column.name.size() > kMaxPostgresName) return false;
    return CanBeText(column, false);
  });
}

std::vector<std::string_view> InlinedColumnNames(const Table& table) {
  std::vector<std::string_view> names = {"row_id", "begin_snapshot", "end_snapshot"};
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

namespace {

// So that what one snapshot brought or ended is found among those of years. A DuckDB file keeps the
// bounds of its blocks instead, and its indexes would turn each update into a delete and an insert.
void IndexSnapshots(StoreConnection& connection, const std::string& name) {
  const Dialect& dialect = connection.dialect();
  if (DatabaseOf(dialect) == Database::kDuckDb) return;
  for (const std::string_view column : {"begin_snapshot", "end_snapshot"}) {
    StatementBuilder sql(dialect, "CREATE INDEX IF NOT EXISTS ");
    // PostgreSQL wants the bare name here and puts the index into its table's schema.
    sql.Name(name + "_" + std::string(column)).Text(" ON ").Table(name);
    sql.Text("(").Name(column).Text(")");
    if (column == "end_snapshot") sql.Text(" WHERE ").Name(column).Text(" IS NOT NULL");
    connection.Send(sql.Build());
  }
}

}  // namespace

void CreateInlinedTable(StoreConnection& connection, const std::string& name, const Table& table) {
  const Dialect& dialect = connection.dialect();
  StatementBuilder sql(dialect, "CREATE TABLE IF NOT EXISTS ");
  sql.Table(name).Text("(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT");
  for (const Column& column : table.columns)
    sql.Text(", ").Name(column.name).Text(" ").Text(InlinedColumnType(dialect, column));
  connection.Send(sql.Text(")").Build());
  IndexSnapshots(connection, name);
}

void CreateInlinedDeleteTable(StoreConnection& connection, TableId table) {
  StatementBuilder sql(connection.dialect(), "CREATE TABLE IF NOT EXISTS ");
  sql.Table(InlinedDeleteTableName(table))
      .Text("(file_id BIGINT, row_id BIGINT, begin_snapshot BIGINT)");
  connection.Send(sql.Build());
}

std::map<TableRef, InlinedTarget> LoadInlinedTargets(StoreConnection& connection,
                                                     const ChangeSet& changes,
                                                     const Snapshot& head) {
  std::vector<TableId> tables;
  for (const auto& [ref, rows] : changes.rows) {
    if (rows.inserts_inlined() && !ref.is_new()) tables.push_back(ref.id());
  }
  std::map<TableRef, InlinedTarget> targets;
  if (tables.empty()) return targets;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT table_id, schema_version, 0 FROM ").Table(tables::SchemaVersions::kTable.name);
  sql.Text(" WHERE table_id IN (").BindList(tables).Text(") UNION ALL SELECT ");
  sql.Text("table_id, schema_version, 1 FROM ").Table(tables::InlinedDataTables::kTable.name);
  sql.Text(" WHERE table_id IN (").BindList(tables).Text(")");
  std::map<TableRef, int64_t> registered;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    const TableRef ref{TableId(rows->Int64(0))};
    const int64_t version = rows->OptInt64(1).value_or(0);
    int64_t& newest =
        targets.try_emplace(ref, InlinedTarget{version, false}).first->second.schema_version;
    newest = std::max(newest, version);
    if (rows->Int64(2) == 1) {
      int64_t& last = registered.try_emplace(ref, version).first->second;
      last = std::max(last, version);
    }
  }
  for (const TableId table : tables) {
    // Lakes that came from older formats may lack the row: then the present version will do, at
    // which the table has its present shape.
    const TableRef ref(table);
    InlinedTarget& target =
        targets.try_emplace(ref, InlinedTarget{head.schema_version, false}).first->second;
    const auto last = registered.find(ref);
    target.is_registered = last != registered.end() && last->second == target.schema_version;
  }
  return targets;
}

}  // namespace tarn
