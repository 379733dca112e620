// The steps from version to version. Each makes the tables as its version wants them and fills what
// is new. What is there already is left alone, so that a step fits the versions between two
// releases (0.3-dev1, 0.4-dev1), of which nobody knows how far they had come.
//
// A step changes the columns of a table before it changes rows: DuckDB takes no other order within
// a transaction. It also locks the table on PostgreSQL, so that what is read from it afterwards is
// all that a client of the old version will ever have written.
#include "catalog/migrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "catalog/lake_opening.h"
#include "catalog/migrate_rows.h"
#include "catalog/migrate_schema_versions.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

constexpr std::string_view kOldFileStats = "ducklake_file_column_statistics";
constexpr std::string_view kPartialFileInfo = "partial_file_info";

/// The catalog's tables while they change. Columns are asked for once: a statement that was
/// prepared before a change may still tell the old ones.
class OldCatalog {
 public:
  explicit OldCatalog(StoreConnection& connection) : connection_(connection) {}

  StoreConnection& connection() const { return connection_; }
  StatementBuilder Sql(std::string_view text) const {
    return StatementBuilder(connection_.dialect(), text);
  }

  bool Has(std::string_view table, std::string_view column) {
    return ColumnsOf(table).contains(std::string(column));
  }

  void Create(const CatalogTable& table) {
    if (connection_.TableExists(table.name)) return;
    connection_.Send({CreateTableSql(table, connection_.dialect()), {}});
  }

  /// Adds those of the columns that the table lacks; they are NULL in every row.
  void Add(const CatalogTable& table, std::initializer_list<CatalogColumn> columns) {
    for (const CatalogColumn& column : columns) {
      if (!ColumnsOf(table.name).insert(std::string(column.name)).second) continue;
      StatementBuilder sql = Sql("ALTER TABLE ");
      sql.Table(table.name).Text(" ADD COLUMN ").Name(column.name).Text(" ");
      sql.Text(connection_.dialect().TypeName(column.type));
      connection_.Send(sql.Build());
    }
  }

  void Drop(const CatalogTable& table, std::string_view column) {
    StatementBuilder sql = Sql("ALTER TABLE ");
    sql.Table(table.name).Text(" DROP COLUMN ").Name(column);
    connection_.Send(sql.Build());
    ColumnsOf(table.name).erase(std::string(column));
  }

  void Rename(std::string_view from, std::string_view to) {
    StatementBuilder sql = Sql("ALTER TABLE ");
    sql.Table(from).Text(" RENAME TO ").Name(to);
    connection_.Send(sql.Build());
    columns_.erase(std::string(from));
  }

  /// Gives a column a value in the rows that have none.
  void Fill(const CatalogTable& table, const CatalogColumn& column, const Value& value) {
    StatementBuilder sql = Sql("UPDATE ");
    sql.Table(table.name).Text(" SET ").Name(column.name).Text(" = ").Bind(value);
    sql.Text(" WHERE ").Name(column.name).Text(" IS NULL");
    connection_.Send(sql.Build());
  }

 private:
  std::set<std::string>& ColumnsOf(std::string_view table) {
    const auto [entry, is_new] = columns_.try_emplace(std::string(table));
    if (!is_new) return entry->second;
    StatementBuilder sql = Sql("SELECT * FROM ");
    sql.Table(table).Text(" WHERE 1 = 0");
    const std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
    for (int i = 0; i < rows->column_count(); ++i) entry->second.insert(rows->column_name(i));
    return entry->second;
  }

  StoreConnection& connection_;
  std::map<std::string, std::set<std::string>> columns_;
};

// --- 0.1 to 0.2: options with a scope, folders for schemas and tables, registered files, keys by
// column id ---

/// All files of 0.1 lie in the data path itself: its schemas and tables have an empty path there,
/// and so do the files that come later.
void PutInDataPath(OldCatalog& catalog, const CatalogTable& table, const CatalogColumn& path,
                   const CatalogColumn& path_is_relative) {
  catalog.Add(table, {path, path_is_relative});
  catalog.Fill(table, path, std::string());
  catalog.Fill(table, path_is_relative, true);
}

void MigrateTo02(OldCatalog& catalog) {
  namespace t = tables;
  catalog.Add(t::Metadata::kTable, {t::Metadata::kScope, t::Metadata::kScopeId});
  PutInDataPath(catalog, t::Schema::kTable, t::Schema::kPath, t::Schema::kPathIsRelative);
  PutInDataPath(catalog, t::Table::kTable, t::Table::kPath, t::Table::kPathIsRelative);
  catalog.Add(t::DataFile::kTable, {t::DataFile::kMappingId});
  catalog.Create(t::ColumnMapping::kTable);
  catalog.Create(t::NameMapping::kTable);
  NameKeysByColumnId(catalog.connection());
}

// --- 0.2 to 0.3: authors and messages, more statistics, the snapshots of schema versions ---

/// Before, a schema version was only in the rows of its snapshots. The first one that is kept
/// stands for the one that made it.
void CreateGlobalSchemaVersions(OldCatalog& catalog) {
  using V = tables::SchemaVersions;
  using S = tables::Snapshot;
  if (catalog.connection().TableExists(V::kTable.name)) return;
  const CatalogColumn columns[] = {V::kBeginSnapshot, V::kSchemaVersion};
  const CatalogTable global{V::kTable.name, columns};
  catalog.Create(global);
  StatementBuilder sql = catalog.Sql("INSERT INTO ");
  sql.Table(global.name).Text(" (").Names(global.ColumnNames()).Text(") SELECT min(");
  sql.Name(S::kSnapshotId.name).Text("), ").Name(S::kSchemaVersion.name).Text(" FROM ");
  sql.Table(S::kTable.name).Text(" GROUP BY ").Name(S::kSchemaVersion.name);
  catalog.connection().Send(sql.Build());
}

void MigrateTo03(OldCatalog& catalog) {
  namespace t = tables;
  catalog.Add(t::SnapshotChanges::kTable,
              {t::SnapshotChanges::kAuthor, t::SnapshotChanges::kCommitMessage,
               t::SnapshotChanges::kCommitExtraInfo});
  catalog.Add(t::NameMapping::kTable, {t::NameMapping::kIsPartition});
  catalog.Fill(t::NameMapping::kTable, t::NameMapping::kIsPartition, false);
  if (catalog.connection().TableExists(kOldFileStats))
    catalog.Rename(kOldFileStats, t::FileColumnStats::kTable.name);
  catalog.Add(t::FileColumnStats::kTable, {t::FileColumnStats::kExtraStats});
  catalog.Add(t::TableColumnStats::kTable, {t::TableColumnStats::kExtraStats});
  CreateGlobalSchemaVersions(catalog);
}

// --- 0.3 to 0.4: macros, sort orders, expressions as defaults, variants, partial files ---

/// `2:3|3:6|4:9` (snapshot and rows up to it, for each snapshot of a merged file) or
/// `partial_max:51` (of a flushed one). Both kinds of files embed the snapshot of each row; all
/// that a reader must know is the highest of them.
int64_t HighestSnapshot(int64_t data_file_id, std::string_view info) {
  constexpr std::string_view kPartialMax = "partial_max:";
  const auto number = [&](std::string_view text) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The data file {} has the partial_file_info \"{}\", which is neither a "
                            "list of snapshots nor a partial_max",
                            data_file_id, info));
  };
  if (info.starts_with(kPartialMax)) return number(info.substr(kPartialMax.size()));
  int64_t highest = 0;
  for (size_t at = 0; at <= info.size();) {
    const size_t end = std::min(info.find('|', at), info.size());
    const std::string_view part = info.substr(at, end - at);
    highest = std::max(highest, number(part.substr(0, std::min(part.find(':'), part.size()))));
    at = end + 1;
  }
  return highest;
}

/// Files by the highest snapshot of their rows.
std::map<int64_t, std::vector<int64_t>> LoadPartialFiles(OldCatalog& catalog) {
  using F = tables::DataFile;
  StatementBuilder sql = catalog.Sql("SELECT ");
  sql.Names({F::kDataFileId.name, kPartialFileInfo}).Text(" FROM ").Table(F::kTable.name);
  sql.Text(" WHERE ").Name(kPartialFileInfo).Text(" IS NOT NULL AND ");
  sql.Name(kPartialFileInfo).Text(" <> ''");
  std::map<int64_t, std::vector<int64_t>> files;
  const std::unique_ptr<Rows> rows = catalog.connection().Query(sql.Build());
  while (rows->Next()) {
    const int64_t id = rows->Int64(0);
    files[HighestSnapshot(id, rows->Text(1))].push_back(id);
  }
  return files;
}

/// `partial_file_info` becomes `partial_max`.
void MigratePartialFiles(OldCatalog& catalog) {
  using F = tables::DataFile;
  constexpr size_t kFilesPerStatement = 1000;
  catalog.Add(F::kTable, {F::kPartialMax});
  if (!catalog.Has(F::kTable.name, kPartialFileInfo)) return;
  const std::map<int64_t, std::vector<int64_t>> files = LoadPartialFiles(catalog);
  catalog.Drop(F::kTable, kPartialFileInfo);
  for (const auto& [highest, ids] : files) {
    for (size_t at = 0; at < ids.size(); at += kFilesPerStatement) {
      const auto first = ids.begin() + static_cast<std::ptrdiff_t>(at);
      const auto last =
          first + static_cast<std::ptrdiff_t>(std::min(kFilesPerStatement, ids.size() - at));
      StatementBuilder sql = catalog.Sql("UPDATE ");
      sql.Table(F::kTable.name).Text(" SET ").Name(F::kPartialMax.name).Text(" = ").Bind(highest);
      sql.Text(" WHERE ").Name(F::kDataFileId.name).Text(" IN (");
      sql.BindList(std::vector<int64_t>(first, last)).Text(")");
      catalog.connection().Send(sql.Build());
    }
  }
}

/// Defaults have a type from now on. A column without one has SQL NULL in older lakes, so the text
/// NULL is a word there. Later it means that there is none: the word becomes an expression.
void MigrateDefaults(OldCatalog& catalog) {
  using C = tables::Column;
  catalog.Add(C::kTable, {C::kDefaultValueType, C::kDefaultValueDialect});
  StatementBuilder sql = catalog.Sql("UPDATE ");
  sql.Table(C::kTable.name).Text(" SET ").Name(C::kDefaultValue.name).Text(" = ").Bind("'NULL'");
  sql.Text(", ").Name(C::kDefaultValueType.name).Text(" = ").Bind("expression");
  sql.Text(", ").Name(C::kDefaultValueDialect.name).Text(" = ").Bind("duckdb");
  sql.Text(" WHERE ").Name(C::kDefaultValue.name).Text(" = ").Bind("NULL");
  sql.Text(" AND ").Name(C::kDefaultValueType.name).Text(" IS NULL");
  catalog.connection().Send(sql.Build());
  catalog.Fill(C::kTable, C::kDefaultValueType, std::string("literal"));
}

/// One row per schema version becomes one per table that the version changed.
void MigrateSchemaVersions(OldCatalog& catalog) {
  using V = tables::SchemaVersions;
  if (catalog.Has(V::kTable.name, V::kTableId.name)) return;
  StoreConnection& connection = catalog.connection();
  std::vector<std::vector<Value>> rows;
  for (const TableVersion& row : VersionsOfTables(LoadTableHistory(connection)))
    rows.push_back({row.begin_snapshot, row.schema_version, row.table_id});
  StatementBuilder sql = catalog.Sql("DROP TABLE ");
  connection.Send(sql.Table(V::kTable.name).Build());
  connection.Send({CreateTableSql(V::kTable, connection.dialect()), {}});
  if (!rows.empty()) connection.InsertRows(V::kTable.name, V::kTable.ColumnNames(), rows);
}

void MigrateTo04(OldCatalog& catalog) {
  namespace t = tables;
  MigrateDefaults(catalog);
  MigratePartialFiles(catalog);
  catalog.Add(t::DeleteFile::kTable, {t::DeleteFile::kPartialMax});
  for (const CatalogTable& table :
       {t::FileVariantStats::kTable, t::Macro::kTable, t::MacroImpl::kTable,
        t::MacroParameters::kTable, t::SortInfo::kTable, t::SortExpression::kTable}) {
    catalog.Create(table);
  }
  MigrateSchemaVersions(catalog);
}

// --- 0.4 to 1.0: the same tables, with what older clients left in them ---

void MigrateTo10(OldCatalog& catalog) {
  EndReplacedColumns(catalog.connection());
  EndWhatHasNoTable(catalog.connection());
  using M = tables::Metadata;
  StatementBuilder sql = catalog.Sql("UPDATE ");
  sql.Table(M::kTable.name).Text(" SET ").Name(M::kValue.name).Text(" = ").Bind(kFormatVersion);
  sql.Text(" WHERE ").Name(M::kKey.name).Text(" = ").Bind("version");
  catalog.connection().Send(sql.Build());
}

constexpr void (*kSteps[])(OldCatalog&) = {MigrateTo02, MigrateTo03, MigrateTo04, MigrateTo10};

/// Where a version enters the steps.
struct OldVersion {
  std::string_view version;
  size_t first_step;
};
constexpr OldVersion kOldVersions[] = {{"0.1", 0}, {"0.2", 1},      {"0.3-dev1", 1},
                                       {"0.3", 2}, {"0.4-dev1", 2}, {"0.4", 3}};

const OldVersion* FindOldVersion(std::string_view version) {
  const auto* found = std::find_if(std::begin(kOldVersions), std::end(kOldVersions),
                                   [&](const OldVersion& old) { return old.version == version; });
  return found == std::end(kOldVersions) ? nullptr : found;
}

}  // namespace

bool IsOlderVersion(std::string_view version) { return FindOldVersion(version) != nullptr; }

void MigrateCatalog(StoreConnection& connection, std::string_view version) {
  const OldVersion* from = FindOldVersion(version);
  TARN_ASSERT(from != nullptr);
  OldCatalog catalog(connection);
  for (size_t step = from->first_step; step < std::size(kSteps); ++step) kSteps[step](catalog);
}

}  // namespace tarn
