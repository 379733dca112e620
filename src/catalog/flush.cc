// See flush.h.
#include "catalog/flush.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "catalog/catalog_sql.h"
#include "catalog/inlined_tables.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

constexpr size_t kTablesPerStatement = 200;

// Which of the tables have live data files of which rows are deleted in the catalog.
std::set<TableId> TablesWithInlinedDeletes(StoreConnection& connection,
                                           const std::vector<TableId>& tables,
                                           SnapshotId snapshot) {
  const std::vector<std::string> existing = connection.ListTables();
  const std::set<std::string> names(existing.begin(), existing.end());
  std::vector<TableId> candidates;
  for (TableId table : tables) {
    if (names.contains(InlinedDeleteTableName(table))) candidates.push_back(table);
  }
  std::set<TableId> result;
  for (size_t first = 0; first < candidates.size(); first += kTablesPerStatement) {
    const size_t last = std::min(candidates.size(), first + kTablesPerStatement);
    StatementBuilder sql(connection.dialect());
    for (size_t i = first; i < last; ++i) {
      sql.Text(i == first ? "SELECT " : " UNION ALL SELECT ").Bind(candidates[i]);
      sql.Text(" AS i, count(*) AS n FROM ").Table(InlinedDeleteTableName(candidates[i]));
      sql.Text(" d JOIN ").Table(tables::DataFile::kTable.name);
      sql.Text(" f ON f.data_file_id = d.file_id WHERE d.begin_snapshot <= ").Bind(snapshot);
      sql.Text(" AND");
      AppendAlive(sql, snapshot, "f");
    }
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    while (rows->Next()) {
      if (rows->Int64(1) > 0) result.insert(TableId(rows->Int64(0)));
    }
  }
  return result;
}

// All but the table of the newest shape.
std::vector<std::string> OlderInlinedTables(StoreConnection& connection, TableId table) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT table_name FROM ").Table(tables::InlinedDataTables::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(" ORDER BY schema_version DESC");
  std::vector<std::string> names;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) names.emplace_back(rows->Text(0));
  if (!names.empty()) names.erase(names.begin());
  return names;
}

void DropIfEmpty(StoreConnection& connection, const std::string& name) {
  connection.Begin(TransactionMode::kWrite);
  if (connection.dialect().name() == "postgres") {
    // Elsewhere nobody waits here for readers.
    StatementBuilder lock(connection.dialect());
    lock.Text("LOCK TABLE ").Table(name).Text(" IN ACCESS EXCLUSIVE MODE NOWAIT");
    connection.Execute(lock.Build());
  }
  bool is_empty = false;
  {
    StatementBuilder count(connection.dialect());
    count.Text("SELECT count(*) FROM ").Table(name);
    std::unique_ptr<Rows> rows = connection.Query(count.Build());
    is_empty = rows->Next() && rows->Int64(0) == 0;
  }
  if (is_empty) {
    StatementBuilder unregister(connection.dialect());
    unregister.Text("DELETE FROM ").Table(tables::InlinedDataTables::kTable.name);
    unregister.Text(" WHERE table_name = ").Bind(name);
    connection.Execute(unregister.Build());
    StatementBuilder drop(connection.dialect());
    drop.Text("DROP TABLE ").Table(name);
    connection.Execute(drop.Build());
    if (connection.Commit() == CommitOutcome::kCommitted) return;
  }
  if (connection.in_transaction()) connection.Rollback();
}

}  // namespace

std::map<TableRef, FlushPlan> PlanTableFlushes(
    StoreConnection& connection, const std::vector<std::shared_ptr<const Table>>& tables,
    SnapshotId snapshot) {
  std::map<TableId, std::shared_ptr<const Table>> by_id;
  std::vector<TableId> ids;
  for (const auto& table : tables) {
    if (table->ref.is_new()) continue;
    by_id.emplace(table->ref.id(), table);
    ids.push_back(table->ref.id());
  }
  std::map<TableRef, FlushPlan> plans;
  if (ids.empty()) return plans;
  ReadScope scope(connection);
  const std::optional<TableId> only = ids.size() == 1 ? std::optional(ids.front()) : std::nullopt;
  std::map<TableId, std::vector<InlinedTable>> inlined;
  for (InlinedTable& table : LoadBegunInlinedTables(connection, only, snapshot)) {
    if (by_id.contains(table.table)) inlined[table.table].push_back(std::move(table));
  }
  for (const auto& [id, with_rows] : inlined) {
    FlushPlan& plan = plans[id];
    plan.inlined = DescribeInlinedTables(connection, by_id.at(id), with_rows, snapshot);
    for (InlinedScan& scan : plan.inlined) scan.with_dead = true;
  }
  for (TableId id : TablesWithInlinedDeletes(connection, ids, snapshot))
    plans[id].has_deletes = true;
  return plans;
}

std::optional<std::vector<EndedRow>> LoadEndedRows(StoreConnection& connection,
                                                   const std::string& table_name, SnapshotId base,
                                                   const RemovedRows* removed,
                                                   SnapshotId snapshot) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT row_id, begin_snapshot, end_snapshot FROM ").Table(table_name);
  sql.Text(" WHERE begin_snapshot <= ").Bind(base);
  if (removed == nullptr) sql.Text(" AND end_snapshot IS NOT NULL");
  sql.Text(" ORDER BY row_id, begin_snapshot");
  std::vector<EndedRow> ended;
  int64_t found = 0;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    EndedRow row{rows->Int64(0), SnapshotId(rows->Int64(1)), {}};
    if (!rows->IsNull(2)) {
      row.end_snapshot = SnapshotId(rows->Int64(2));
    } else if (removed->all || std::binary_search(removed->positions.begin(),
                                                  removed->positions.end(), row.row_id)) {
      row.end_snapshot = snapshot;
      ++found;
    } else {
      continue;
    }
    ended.push_back(row);
  }
  if (removed != nullptr && found != removed->count) return std::nullopt;
  return ended;
}

std::map<DataFileId, std::vector<FeedPart::PositionDelete>> LoadInlinedDeleteRows(
    StoreConnection& connection, TableId table, SnapshotId snapshot) {
  std::map<DataFileId, std::vector<FeedPart::PositionDelete>> deletes;
  const std::string name = InlinedDeleteTableName(table);
  if (!connection.TableExists(name)) return deletes;
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT file_id, row_id, begin_snapshot FROM ").Table(name);
  sql.Text(" WHERE begin_snapshot <= ").Bind(snapshot);
  sql.Text(" ORDER BY file_id, row_id, begin_snapshot");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    deletes[DataFileId(rows->Int64(0))].push_back({rows->Int64(1), SnapshotId(rows->Int64(2))});
  }
  return deletes;
}

std::vector<TableId> TablesOfSeveralShapes(StoreConnection& connection) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT table_id FROM ").Table(tables::InlinedDataTables::kTable.name);
  sql.Text(" GROUP BY table_id HAVING count(*) > 1 ORDER BY table_id");
  std::vector<TableId> tables;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) tables.emplace_back(rows->Int64(0));
  return tables;
}

void DropEmptyInlinedTables(StoreConnection& connection, const std::vector<TableId>& tables) {
  for (TableId table : tables) {
    try {
      for (const std::string& name : OlderInlinedTables(connection, table))
        DropIfEmpty(connection, name);
    } catch (const Error&) {
      // A reader, a writer or an interruption: they are empty, so nothing is wrong with leaving
      // them.
      if (connection.in_transaction()) connection.Rollback();
    }
  }
}

}  // namespace tarn
