// Which shape an inlined table has: the schema version in its name is the one of the snapshot that
// created or last reshaped the lake's table, and ducklake_schema_versions says which snapshot that
// was. The table's columns alive at that snapshot are the inlined table's columns.
#include "catalog/inlined_tables.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "catalog/catalog_sql.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

constexpr size_t kTablesPerStatement = 200;  // SQLite takes 500 SELECTs in a UNION

Error WithoutBeginning(const InlinedTable& inlined) {
  return Error(ErrorCode::kCorrupt,
               "Rows in \"" + inlined.table_name +
                   "\" do not say since which snapshot they are there: somebody has changed the "
                   "table by hand, and `tarn check` says how.");
}

// Adds counts of the rows that meet a condition, dropping tables that have none. `of_one`: all of
// one lake's table, whose rows are about to be read. Those without a beginning would meet no
// condition and be lost without a word; an index knows that there are none.
template <class AppendCondition>
std::vector<InlinedTable> CountRowsOf(StoreConnection& connection, std::vector<InlinedTable> tables,
                                      bool of_one, AppendCondition append_condition) {
  for (size_t first = 0; first < tables.size(); first += kTablesPerStatement) {
    size_t last = std::min(tables.size(), first + kTablesPerStatement);
    StatementBuilder sql(connection.dialect());
    for (size_t i = first; i < last; ++i) {
      sql.Text(i == first ? "SELECT " : " UNION ALL SELECT ").Bind(static_cast<int64_t>(i));
      sql.Text(" AS i, count(*) AS n FROM ").Table(tables[i].table_name).Text(" WHERE");
      append_condition(sql);
      if (!of_one) continue;
      sql.Text(" UNION ALL SELECT ").Bind(-1 - static_cast<int64_t>(i)).Text(", count(*) FROM ");
      sql.Table(tables[i].table_name).Text(" WHERE begin_snapshot IS NULL");
    }
    try {
      std::unique_ptr<Rows> rows = connection.Query(sql.Build());
      while (rows->Next()) {
        const int64_t which = rows->Int64(0);
        if (which >= 0)
          tables[static_cast<size_t>(which)].live_rows = rows->Int64(1);
        else if (rows->Int64(1) > 0)
          throw WithoutBeginning(tables[static_cast<size_t>(-1 - which)]);
      }
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kInternal) throw UnreadableInlinedTable(error);
      if (error.code() != ErrorCode::kNotFound) throw;
      throw Error(ErrorCode::kCorrupt,
                  "The catalog lists a table of inlined rows that is missing: " + error.message(),
                  error.context());
    }
  }
  std::erase_if(tables, [](const InlinedTable& table) { return table.live_rows == 0; });
  return tables;
}

std::vector<InlinedTable> ListInlinedTables(StoreConnection& connection,
                                            std::optional<TableId> table) {
  using T = tables::InlinedDataTables;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT table_id, table_name, schema_version FROM ").Table(T::kTable.name);
  if (table) sql.Text(" WHERE table_id = ").Bind(*table);
  sql.Text(" ORDER BY table_id, schema_version");
  std::vector<InlinedTable> tables;
  std::set<std::string> seen;
  {
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    while (rows->Next()) {
      InlinedTable entry{TableId(rows->Int64(0)), std::string(rows->Text(1)),
                         rows->OptInt64(2).value_or(0)};
      if (seen.insert(entry.table_name).second) tables.push_back(std::move(entry));
    }
  }
  return tables;
}

// version -> the snapshot that made that shape of the table.
std::map<int64_t, SnapshotId> LoadSchemaVersions(StoreConnection& connection, TableId table) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT schema_version, min(begin_snapshot) FROM ")
      .Table(tables::SchemaVersions::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(" GROUP BY schema_version");
  std::map<int64_t, SnapshotId> versions;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) versions[rows->Int64(0)] = SnapshotId(rows->Int64(1));
  return versions;
}

// Lakes that came from older formats may lack a row: then the first snapshot of that schema version
// made the shape.
SnapshotId FirstSnapshotOf(StoreConnection& connection, int64_t schema_version,
                           SnapshotId otherwise) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT min(snapshot_id) FROM ").Table(tables::Snapshot::kTable.name);
  sql.Text(" WHERE schema_version >= ").Bind(schema_version);
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  if (rows->Next() && !rows->IsNull(0)) return SnapshotId(rows->Int64(0));
  return otherwise;
}

// A table that was made when nothing was inlined has an inlined table of a later version, for which
// no row says when: it has the shape that the table had by then.
SnapshotId MadeAt(StoreConnection& connection, const std::map<int64_t, SnapshotId>& versions,
                  int64_t schema_version, SnapshotId otherwise) {
  auto later = versions.upper_bound(schema_version);
  return later != versions.begin() ? std::prev(later)->second
                                   : FirstSnapshotOf(connection, schema_version, otherwise);
}

void ListColumns(InlinedScan& scan) {
  for (const Column& column : scan.shape->columns)
    scan.columns.push_back({column.id, column.name, &column});
}

bool IsCommitted(const std::vector<Column>& columns) {
  return std::all_of(columns.begin(), columns.end(), [](const Column& column) {
    return column.begin_snapshot.valid() && IsCommitted(column.children);
  });
}

}  // namespace

Error UnreadableInlinedTable(const Error& error) {
  return Error(ErrorCode::kCorrupt,
               "A table of inlined rows is not as its table's shape says: somebody has changed it "
               "by hand, and `tarn check` says how. (" +
                   error.message() + ")",
               error.context());
}

void AppendChanged(StatementBuilder& sql, FeedPart::Side side, SnapshotRange range) {
  if (side == FeedPart::Side::kInserted) {
    sql.Text(" begin_snapshot >= ").Bind(range.first);
    sql.Text(" AND begin_snapshot <= ").Bind(range.last);
    sql.Text(" AND (end_snapshot IS NULL OR end_snapshot > begin_snapshot)");
  } else {
    sql.Text(" end_snapshot >= ").Bind(range.first);
    sql.Text(" AND end_snapshot <= ").Bind(range.last);
    sql.Text(" AND end_snapshot > begin_snapshot");
  }
}

std::vector<InlinedTable> LoadChangedInlinedTables(StoreConnection& connection, TableId table,
                                                   FeedPart::Side side, SnapshotRange range) {
  return CountRowsOf(connection, ListInlinedTables(connection, table), true,
                     [&](StatementBuilder& sql) { AppendChanged(sql, side, range); });
}

std::vector<InlinedTable> LoadInlinedTablesWith(
    StoreConnection& connection, const std::function<void(StatementBuilder&)>& append_condition) {
  return CountRowsOf(connection, ListInlinedTables(connection, std::nullopt), false,
                     append_condition);
}

std::vector<InlinedTable> LoadBegunInlinedTables(StoreConnection& connection,
                                                 std::optional<TableId> table,
                                                 SnapshotId snapshot) {
  return CountRowsOf(
      connection, ListInlinedTables(connection, table), table.has_value(),
      [&](StatementBuilder& sql) { sql.Text(" begin_snapshot <= ").Bind(snapshot); });
}

std::vector<InlinedTable> LoadInlinedTables(StoreConnection& connection,
                                            std::optional<TableId> table, SnapshotId snapshot) {
  return CountRowsOf(connection, ListInlinedTables(connection, table), table.has_value(),
                     [&](StatementBuilder& sql) { AppendAlive(sql, snapshot); });
}

std::map<DataFileId, std::vector<int64_t>> LoadInlinedDeletes(StoreConnection& connection,
                                                              TableId table, SnapshotId snapshot,
                                                              DataFileId after) {
  std::map<DataFileId, std::vector<int64_t>> deletes;
  std::string name = InlinedDeleteTableName(table);
  if (!connection.TableExists(name)) return deletes;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT DISTINCT file_id, row_id FROM ").Table(name);
  sql.Text(" WHERE begin_snapshot <= ").Bind(snapshot);
  if (after.valid()) sql.Text(" AND file_id > ").Bind(after);
  sql.Text(" ORDER BY file_id, row_id");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) deletes[DataFileId(rows->Int64(0))].push_back(rows->Int64(1));
  return deletes;
}

void DropPositionsBeyond(int64_t row_count, std::vector<int64_t>& positions) {
  std::erase_if(positions, [&](int64_t position) { return position < 0 || position >= row_count; });
}

std::map<DataFileId, int64_t> CountInlinedDeletes(StoreConnection& connection,
                                                  const std::vector<TableId>& tables,
                                                  SnapshotId snapshot) {
  std::map<DataFileId, int64_t> counts;
  if (tables.empty()) return counts;
  std::vector<std::string> existing = connection.ListTables();
  std::set<std::string> names(existing.begin(), existing.end());
  std::vector<std::string> present;
  for (TableId table : tables) {
    std::string name = InlinedDeleteTableName(table);
    if (names.contains(name)) present.push_back(std::move(name));
  }
  for (size_t first = 0; first < present.size(); first += kTablesPerStatement) {
    size_t last = std::min(present.size(), first + kTablesPerStatement);
    StatementBuilder sql(connection.dialect());
    for (size_t i = first; i < last; ++i) {
      sql.Text(i == first ? "SELECT" : " UNION ALL SELECT")
          .Text(" d.file_id, count(DISTINCT d.row_id) AS n FROM ");
      sql.Table(present[i]).Text(" d JOIN ").Table(tables::DataFile::kTable.name);
      sql.Text(" f ON f.data_file_id = d.file_id WHERE d.begin_snapshot <= ").Bind(snapshot);
      sql.Text(" AND d.row_id >= 0 AND d.row_id < f.record_count GROUP BY d.file_id");
    }
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    while (rows->Next()) counts[DataFileId(rows->Int64(0))] += rows->Int64(1);
  }
  return counts;
}

std::vector<InlinedScan> DescribeInlinedTables(StoreConnection& connection,
                                               const std::shared_ptr<const Table>& table,
                                               const std::vector<InlinedTable>& inlined,
                                               SnapshotId snapshot) {
  std::vector<InlinedScan> scans;
  if (inlined.empty()) return scans;
  std::map<int64_t, SnapshotId> versions = LoadSchemaVersions(connection, table->ref.id());

  // The usual lake has one inlined table in the shape that the table has at this snapshot: then the
  // shape is at hand.
  int64_t present_version = -1;
  for (const auto& [version, begin] : versions) {
    if (begin <= snapshot) present_version = version;
  }
  bool is_committed = IsCommitted(table->columns);
  std::optional<ColumnHistory> history;
  for (const InlinedTable& entry : inlined) {
    InlinedScan scan;
    scan.table_name = entry.table_name;
    scan.schema_version = entry.schema_version;
    scan.snapshot = snapshot;
    scan.row_count = entry.live_rows;
    scan.made = MadeAt(connection, versions, entry.schema_version, snapshot);
    if (is_committed && entry.schema_version == present_version) {
      scan.shape = table;
    } else {
      if (!history) history = ColumnHistory::Load(connection, table->ref.id());
      auto shape = std::make_shared<Table>(*table);
      shape->columns = history->ColumnsAt(scan.made);
      scan.shape = std::move(shape);
    }
    ListColumns(scan);
    scans.push_back(std::move(scan));
  }
  return scans;
}

InlinedScan DescribeInlinedTable(StoreConnection& connection, TableId table,
                                 const std::string& table_name, int64_t schema_version) {
  const SnapshotId made = MadeAt(connection, LoadSchemaVersions(connection, table), schema_version,
                                 SnapshotId(std::numeric_limits<int64_t>::max()));
  auto shape = std::make_shared<Table>();
  shape->ref = TableRef(table);
  shape->columns = ColumnHistory::Load(connection, table).ColumnsAt(made);
  InlinedScan scan;
  scan.table_name = table_name;
  scan.schema_version = schema_version;
  scan.made = made;
  scan.shape = std::move(shape);
  ListColumns(scan);
  return scan;
}

}  // namespace tarn
