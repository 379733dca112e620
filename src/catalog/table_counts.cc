// Counts and statistics of whole lakes, without a query per table: one pass over each kind of row,
// summed in memory.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "catalog/catalog_sql.h"
#include "catalog/inlined_tables.h"
#include "catalog/scan_planner.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

struct FileCount {
  TableId table;
  int64_t records = 0;
  int64_t size_bytes = 0;
  bool is_partial = false;  // holds rows of later snapshots
};

std::unordered_map<DataFileId, FileCount> LoadFileCounts(StoreConnection& connection,
                                                         SnapshotId snapshot) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT data_file_id, table_id, record_count, file_size_bytes, partial_max FROM ");
  sql.Table(tables::DataFile::kTable.name).Text(" WHERE");
  AppendAlive(sql, snapshot);
  std::unordered_map<DataFileId, FileCount> files;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    files[DataFileId(rows->Int64(0))] = {TableId(rows->Int64(1)), rows->OptInt64(2).value_or(0),
                                         rows->OptInt64(3).value_or(0),
                                         rows->OptInt64(4).value_or(-1) > snapshot.value};
  }
  return files;
}

struct DeleteCount {
  TableId table;
  DataFileId file;
  int64_t deletes = 0;
  int64_t size_bytes = 0;
  bool is_partial = false;
};

std::vector<DeleteCount> LoadDeleteCounts(StoreConnection& connection, SnapshotId snapshot) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT table_id, data_file_id, delete_count, file_size_bytes, partial_max FROM ");
  sql.Table(tables::DeleteFile::kTable.name).Text(" WHERE");
  AppendAlive(sql, snapshot);
  std::vector<DeleteCount> deletes;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    deletes.push_back({TableId(rows->Int64(0)), DataFileId(rows->Int64(1)),
                       rows->OptInt64(2).value_or(0), rows->OptInt64(3).value_or(0),
                       rows->OptInt64(4).value_or(-1) > snapshot.value});
  }
  return deletes;
}

std::vector<std::shared_ptr<const Table>> AllTables(const CatalogView& view) {
  std::vector<std::shared_ptr<const Table>> all;
  for (const auto& [_, schema] : view.schemas()) {
    for (const auto& [__, table] : schema->tables) all.push_back(table);
  }
  return all;
}

}  // namespace

std::map<TableRef, int64_t> CountRows(StoreConnection& connection, const CatalogView& view,
                                      const Snapshot& snapshot) {
  ReadScope scope(connection);
  std::map<TableRef, int64_t> counts;
  std::vector<TableId> committed;
  for (const std::shared_ptr<const Table>& table : AllTables(view)) {
    if (table->ref.is_new()) continue;
    counts[table->ref] = 0;
    committed.push_back(table->ref.id());
  }
  auto add = [&counts](TableId table, int64_t rows) {
    auto found = counts.find(TableRef(table));
    if (found != counts.end()) found->second += rows;
  };

  std::unordered_map<DataFileId, FileCount> files = LoadFileCounts(connection, snapshot.id);
  // Deletes of one file, in whatever form, name different rows each: what would not be so is damage
  // that `check` finds.
  std::unordered_map<DataFileId, int64_t> deleted;
  for (const DeleteCount& entry : LoadDeleteCounts(connection, snapshot.id)) {
    if (!entry.is_partial) deleted[entry.file] += entry.deletes;
  }
  for (const auto& [file, rows] : CountInlinedDeletes(connection, committed, snapshot.id)) {
    deleted[file] += rows;
  }
  for (const auto& [id, file] : files) {
    auto gone = deleted.find(id);
    int64_t dead = file.is_partial || gone == deleted.end() ? 0 : gone->second;
    add(file.table, std::max<int64_t>(0, file.records - dead));
  }
  for (const InlinedTable& inlined : LoadInlinedTables(connection, std::nullopt, snapshot.id)) {
    add(inlined.table, inlined.live_rows);
  }
  return counts;
}

std::vector<TableInfo> LoadTableInfo(StoreConnection& connection, const CatalogView& view,
                                     const Snapshot& snapshot) {
  ReadScope scope(connection);
  RequireKept(connection, snapshot.id);
  std::vector<TableInfo> infos;
  std::map<TableId, size_t> by_id;
  for (const std::shared_ptr<const Table>& table : AllTables(view)) {
    if (!table->ref.is_new()) by_id[table->ref.id()] = infos.size();
    infos.push_back({table});
  }
  for (const auto& [_, file] : LoadFileCounts(connection, snapshot.id)) {
    auto found = by_id.find(file.table);
    if (found == by_id.end()) continue;
    infos[found->second].file_count += 1;
    infos[found->second].file_size_bytes += file.size_bytes;
  }
  for (const DeleteCount& entry : LoadDeleteCounts(connection, snapshot.id)) {
    auto found = by_id.find(entry.table);
    if (found == by_id.end()) continue;
    infos[found->second].delete_file_count += 1;
    infos[found->second].delete_file_size_bytes += entry.size_bytes;
  }
  return infos;
}

std::optional<TableStats> LoadTableStats(StoreConnection& connection, TableId table) {
  ReadScope scope(connection);
  TableStats stats;
  {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT record_count, next_row_id, file_size_bytes FROM ")
        .Table(tables::TableStats::kTable.name);
    sql.Text(" WHERE table_id = ").Bind(table);
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    if (!rows->Next()) return std::nullopt;
    stats.record_count = rows->OptInt64(0).value_or(0);
    stats.next_row_id = rows->OptInt64(1).value_or(0);
    stats.file_size_bytes = rows->OptInt64(2).value_or(0);
  }
  StatementBuilder sql(connection.dialect());
  sql.Text(
      "SELECT column_id, contains_null, contains_nan, min_value, max_value, extra_stats FROM ");
  sql.Table(tables::TableColumnStats::kTable.name)
      .Text(" WHERE table_id = ")
      .Bind(table)
      .Text(" ORDER BY column_id");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    stats.columns.push_back({FieldId(rows->Int64(0)), rows->OptBool(1), rows->OptBool(2),
                             rows->OptText(3), rows->OptText(4), rows->OptText(5)});
  }
  return stats;
}

}  // namespace tarn
