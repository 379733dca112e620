// See the header. What is wrong is found by one query per table of the catalog; the few rows that
// are it are then changed one by one.
#include "catalog/migrate_rows.h"

#include <fmt/format.h>

#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

/// `SELECT columns FROM table`.
StatementBuilder Select(StoreConnection& connection, std::string_view table,
                        std::initializer_list<std::string_view> columns) {
  StatementBuilder sql(connection.dialect(), "SELECT ");
  sql.Names(columns).Text(" FROM ").Table(table);
  return sql;
}

struct ColumnLife {
  int64_t column_order;
  int64_t column_id;
  int64_t begin_snapshot;
  std::optional<int64_t> end_snapshot;
};

/// The columns of each table, without those inside of others.
std::map<int64_t, std::vector<ColumnLife>> LoadTopColumns(StoreConnection& connection) {
  using C = tables::Column;
  StatementBuilder sql = Select(connection, C::kTable.name,
                                {C::kTableId.name, C::kColumnOrder.name, C::kColumnId.name,
                                 C::kBeginSnapshot.name, C::kEndSnapshot.name});
  sql.Text(" WHERE ").Name(C::kParentColumn.name).Text(" IS NULL");
  std::map<int64_t, std::vector<ColumnLife>> columns;
  const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    columns[rows->Int64(0)].push_back(
        {rows->Int64(1), rows->Int64(2), rows->Int64(3), rows->OptInt64(4)});
  }
  return columns;
}

std::map<int64_t, int64_t> LoadSpecBegins(StoreConnection& connection) {
  using P = tables::PartitionInfo;
  StatementBuilder sql =
      Select(connection, P::kTable.name, {P::kPartitionId.name, P::kBeginSnapshot.name});
  std::map<int64_t, int64_t> begins;
  const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) begins[rows->Int64(0)] = rows->Int64(1);
  return begins;
}

/// The id of the column that had this place when the spec was made.
int64_t ColumnAt(const std::vector<ColumnLife>& columns, int64_t snapshot, int64_t place,
                 int64_t table_id) {
  std::set<std::pair<int64_t, int64_t>> alive;  // by order; one column may have several rows
  for (const ColumnLife& column : columns) {
    if (column.begin_snapshot <= snapshot &&
        (!column.end_snapshot || *column.end_snapshot > snapshot))
      alive.emplace(column.column_order, column.column_id);
  }
  if (place < 0 || static_cast<size_t>(place) >= alive.size()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("A partition key of the table with the id {} is its column number {}, "
                            "but at snapshot {} the table has {} columns",
                            table_id, place, snapshot, alive.size()));
  }
  return std::next(alive.begin(), place)->second;
}

struct ReplacedColumn {
  int64_t table_id;
  int64_t column_id;
  int64_t begin_snapshot;
  int64_t next_begin_snapshot;
};

/// Rows of columns that live on beside the one that replaced them.
std::vector<ReplacedColumn> LoadReplacedColumns(StoreConnection& connection) {
  using C = tables::Column;
  StatementBuilder sql =
      Select(connection, C::kTable.name,
             {C::kTableId.name, C::kColumnId.name, C::kBeginSnapshot.name, C::kEndSnapshot.name});
  sql.Text(" ORDER BY ");
  sql.Names({C::kTableId.name, C::kColumnId.name, C::kBeginSnapshot.name});
  std::vector<ReplacedColumn> found;
  ReplacedColumn last{-1, -1, -1, -1};
  std::optional<int64_t> last_end;
  const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    const ReplacedColumn row{rows->Int64(0), rows->Int64(1), rows->Int64(2), -1};
    if (row.table_id == last.table_id && row.column_id == last.column_id &&
        row.begin_snapshot > last.begin_snapshot && (!last_end || *last_end > row.begin_snapshot)) {
      last.next_begin_snapshot = row.begin_snapshot;
      found.push_back(last);
    }
    last = row;
    last_end = rows->OptInt64(3);
  }
  return found;
}

/// Tables that are no more, with the snapshot that dropped them.
std::map<int64_t, int64_t> LoadDroppedTables(StoreConnection& connection) {
  using T = tables::Table;
  StatementBuilder sql(connection.dialect(), "SELECT ");
  sql.Name(T::kTableId.name).Text(", max(").Name(T::kEndSnapshot.name).Text(") FROM ");
  sql.Table(T::kTable.name).Text(" GROUP BY ").Name(T::kTableId.name);
  sql.Text(" HAVING count(*) = count(").Name(T::kEndSnapshot.name).Text(")");
  std::map<int64_t, int64_t> dropped;
  const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) dropped[rows->Int64(0)] = rows->Int64(1);
  return dropped;
}

/// Ends the rows of one table of the catalog that are alive without theirs.
void EndRowsOf(StoreConnection& connection, std::string_view table,
               const std::map<int64_t, int64_t>& dropped) {
  const std::string_view table_id = tables::Table::kTableId.name;
  const std::string_view end_snapshot = tables::Table::kEndSnapshot.name;
  StatementBuilder sql(connection.dialect(), "SELECT DISTINCT ");
  sql.Name(table_id).Text(" FROM ").Table(table).Text(" WHERE ");
  sql.Name(end_snapshot).Text(" IS NULL");
  std::vector<int64_t> alive;
  {
    const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    while (rows->Next()) alive.push_back(rows->Int64(0));
  }
  for (const int64_t id : alive) {
    const auto found = dropped.find(id);
    if (found == dropped.end()) continue;
    sql.Text("UPDATE ").Table(table).Text(" SET ").Name(end_snapshot).Text(" = ");
    sql.Bind(found->second).Text(" WHERE ").Name(table_id).Text(" = ").Bind(id);
    sql.Text(" AND ").Name(end_snapshot).Text(" IS NULL");
    connection.Send(sql.Build());
  }
}

}  // namespace

void NameKeysByColumnId(StoreConnection& connection) {
  using K = tables::PartitionColumn;
  const auto columns = LoadTopColumns(connection);
  const std::map<int64_t, int64_t> begins = LoadSpecBegins(connection);
  std::vector<std::vector<Value>> keys;
  {
    StatementBuilder sql =
        Select(connection, K::kTable.name,
               {K::kPartitionId.name, K::kTableId.name, K::kPartitionKeyIndex.name,
                K::kColumnId.name, K::kTransform.name});
    const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    while (rows->Next()) {
      const int64_t spec = rows->Int64(0);
      const int64_t table = rows->Int64(1);
      int64_t column = rows->Int64(3);
      const auto begin = begins.find(spec);
      const auto found = columns.find(table);
      if (begin != begins.end() && found != columns.end())
        column = ColumnAt(found->second, begin->second, column, table);
      keys.push_back({spec, table, rows->Int64(2), column, std::string(rows->Text(4))});
    }
  }
  if (keys.empty()) return;
  StatementBuilder sql(connection.dialect(), "DELETE FROM ");
  connection.Send(sql.Table(K::kTable.name).Build());
  connection.InsertRows(K::kTable.name, K::kTable.ColumnNames(), keys);
}

void EndReplacedColumns(StoreConnection& connection) {
  using C = tables::Column;
  for (const ReplacedColumn& column : LoadReplacedColumns(connection)) {
    StatementBuilder sql(connection.dialect(), "UPDATE ");
    sql.Table(C::kTable.name).Text(" SET ").Name(C::kEndSnapshot.name).Text(" = ");
    sql.Bind(column.next_begin_snapshot);
    sql.Text(" WHERE ").Name(C::kTableId.name).Text(" = ").Bind(column.table_id);
    sql.Text(" AND ").Name(C::kColumnId.name).Text(" = ").Bind(column.column_id);
    sql.Text(" AND ").Name(C::kBeginSnapshot.name).Text(" = ").Bind(column.begin_snapshot);
    connection.Send(sql.Build());
  }
}

void EndWhatHasNoTable(StoreConnection& connection) {
  namespace t = tables;
  const std::map<int64_t, int64_t> dropped = LoadDroppedTables(connection);
  if (dropped.empty()) return;
  for (const CatalogTable& table : {t::Column::kTable, t::DataFile::kTable, t::DeleteFile::kTable,
                                    t::PartitionInfo::kTable, t::ColumnTag::kTable}) {
    EndRowsOf(connection, table.name, dropped);
  }
}

}  // namespace tarn
