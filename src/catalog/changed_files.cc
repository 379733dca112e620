// Rows of files that began or ended after a base.
#include "catalog/changed_files.h"

#include <algorithm>

#include "catalog/inlined_tables.h"
#include "catalog/scan_planner.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {

std::map<DataFileId, std::set<SnapshotId>> FindTouchedFiles(StoreConnection& connection,
                                                            const ChangeSet& mine, TableId table,
                                                            SnapshotId head) {
  const RowChanges& rows_of_mine = mine.rows.at(table);
  const SnapshotId base = mine.base.id;
  std::map<DataFileId, std::set<SnapshotId>> touched;
  std::set<DataFileId> present;
  StatementBuilder sql(connection.dialect());
  // A data file: whether it is there at all (a merge removes its row), and who ended it.
  sql.Text("SELECT data_file_id, end_snapshot, end_snapshot, 1 FROM ")
      .Table(tables::DataFile::kTable.name)
      .Text(" WHERE table_id = ")
      .Bind(table);
  // A delete file: who began it, who ended it, and who wrote it last with the rows of earlier ones.
  sql.Text(" UNION ALL SELECT data_file_id, begin_snapshot, partial_max, 0 FROM ")
      .Table(tables::DeleteFile::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(" AND (begin_snapshot > ").Bind(base);
  sql.Text(" OR partial_max > ").Bind(base).Text(")");
  sql.Text(" UNION ALL SELECT data_file_id, end_snapshot, NULL, 0 FROM ")
      .Table(tables::DeleteFile::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(" AND end_snapshot > ").Bind(base);
  // Whatever a delete file that came since then says of its snapshots: a rewrite has not read it.
  if (rows_of_mine.compacts()) {
    sql.Text(" UNION ALL SELECT data_file_id, NULL, NULL, 2 FROM ")
        .Table(tables::DeleteFile::kTable.name);
    sql.Text(" WHERE table_id = ").Bind(table).Text(" AND delete_file_id >= ");
    sql.Bind(mine.base.next_file_id);
  }
  // Deletes that the catalog keeps say which rows: those of other rows touch nothing of mine.
  const std::string inlined = InlinedDeleteTableName(table);
  if (connection.TableExists(inlined)) {
    StatementBuilder deletes(connection.dialect(), "SELECT file_id, row_id, begin_snapshot FROM ");
    deletes.Table(inlined).Text(" WHERE begin_snapshot > ").Bind(base);
    std::unique_ptr<Rows> rows = connection.Query(deletes.Build());
    while (rows->Next()) {
      const DataFileId file(rows->Int64(0));
      const SnapshotId when(rows->Int64(2));
      const RemovedRows* mine_there = rows_of_mine.Find(file);
      const bool meet =
          rows_of_mine.compacted.contains(file) ||
          (mine_there != nullptr &&
           (mine_there->all || std::binary_search(mine_there->positions.begin(),
                                                  mine_there->positions.end(), rows->Int64(1))));
      if (meet && when <= head) touched[file].insert(when);
    }
  }
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    const DataFileId file(rows->Int64(0));
    if (rows_of_mine.Find(file) == nullptr && !rows_of_mine.compacted.contains(file)) continue;
    if (rows->Int64(3) == 1) present.insert(file);
    if (rows->Int64(3) == 2 && rows_of_mine.compacted.contains(file)) touched[file];
    for (int column : {1, 2}) {
      const SnapshotId when(rows->OptInt64(column).value_or(-1));
      if (base < when && when <= head) touched[file].insert(when);
    }
  }
  for (const auto& [file, _] : rows_of_mine.removed) {
    if (present.count(file) == 0) touched[file];
  }
  for (DataFileId file : rows_of_mine.compacted) {
    if (present.count(file) == 0) touched[file];
  }
  return touched;
}

std::optional<SnapshotId> FindMatchingInsert(StoreConnection& connection, const ChangeSet& mine,
                                             TableId table, const Snapshot& head) {
  std::optional<SnapshotId> first;
  auto take = [&](SnapshotId when) {
    if (when > mine.base.id) first = first ? std::min(*first, when) : when;
  };
  for (const Predicate& predicate : mine.reads.at(table)) {
    TableScan scan;
    scan.table = mine.before->FindTable(table);
    scan.predicate = predicate;
    const ScanPlan plan =
        PlanTableScan(connection, scan, {head, *mine.before, std::string_view(), nullptr});
    for (const ScanFile& file : plan.files) {
      take(file.file.begin_snapshot);
      // A file that a merge or a flush made of older and newer rows.
      if (file.file.partial_max) take(*file.file.partial_max);
    }
  }
  for (const InlinedTable& inlined : LoadInlinedTables(connection, table, head.id)) {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT min(begin_snapshot) FROM ").Table(inlined.table_name);
    sql.Text(" WHERE begin_snapshot > ").Bind(mine.base.id);
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    if (rows->Next() && !rows->IsNull(0)) take(SnapshotId(rows->Int64(0)));
  }
  return first;
}

}  // namespace tarn
