// One plan is a fixed number of queries: files, delete files, inlined deletes, inlined tables, and,
// only when they are needed, statistics, partition values, column history and name maps. Rows are
// matched in memory, since catalogs have no indexes.
#include "catalog/scan_planner.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "catalog/catalog_sql.h"
#include "catalog/inlined_tables.h"
#include "catalog/name_maps.h"
#include "catalog/prune_files.h"
#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

// Also tells whether the snapshot is there: without it, what only it saw may be gone.
std::vector<ScanFile> LoadFiles(StoreConnection& connection, TableId table, SnapshotId snapshot) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ").Text(ColumnList(DataFileColumns(), connection.dialect(), "f"));
  sql.Text(" FROM (SELECT snapshot_id FROM ").Table(tables::Snapshot::kTable.name);
  sql.Text(" WHERE snapshot_id = ").Bind(snapshot).Text(") s LEFT JOIN ");
  sql.Table(tables::DataFile::kTable.name).Text(" f ON f.table_id = ").Bind(table).Text(" AND");
  AppendAlive(sql, snapshot, "f");
  sql.Text(" ORDER BY f.data_file_id");
  std::vector<ScanFile> files;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  if (!rows->Next()) throw ExpiredSnapshot(snapshot);
  if (rows->IsNull(0)) return files;
  do {
    ScanFile file;
    file.file = ReadDataFile(*rows);
    if (file.file.partial_max && snapshot < *file.file.partial_max)
      file.row_snapshot_limit = snapshot;
    files.push_back(std::move(file));
  } while (rows->Next());
  return files;
}

// Files are sorted by id.
ScanFile* FindFile(std::vector<ScanFile>& files, DataFileId id) {
  auto at = std::lower_bound(
      files.begin(), files.end(), id,
      [](const ScanFile& file, DataFileId wanted) { return file.file.id < wanted; });
  return at != files.end() && at->file.id == id ? &*at : nullptr;
}

bool IsNewest(StoreConnection& connection, SnapshotId snapshot) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT max(snapshot_id) FROM ").Table(tables::Snapshot::kTable.name);
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  return rows->Next() && !rows->IsNull(0) && rows->Int64(0) <= snapshot.value;
}

// A flush by other writers puts deletes of several snapshots into one file without saying so: its
// partial_max is NULL, only the embedded column tells. Such deletes may be later than the snapshot
// that is read, unless that is the newest.
void LimitUndeclaredDeletes(StoreConnection& connection, SnapshotId snapshot,
                            std::vector<ScanFile>& files) {
  std::optional<bool> is_newest;
  for (ScanFile& file : files) {
    for (ScanDelete& deletion : file.deletes) {
      if (!MayHideSnapshots(deletion.file, file.file)) continue;
      if (!is_newest) is_newest = IsNewest(connection, snapshot);
      if (*is_newest) return;
      deletion.snapshot_limit = snapshot;
    }
  }
}

void AddDeleteFiles(StoreConnection& connection, TableId table, SnapshotId snapshot,
                    std::string_view table_path, std::vector<ScanFile>& files) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ").Text(ColumnList(DeleteFileColumns(), connection.dialect()));
  sql.Text(" FROM ")
      .Table(tables::DeleteFile::kTable.name)
      .Text(" WHERE table_id = ")
      .Bind(table)
      .Text(" AND");
  AppendAlive(sql, snapshot);
  sql.Text(" ORDER BY delete_file_id");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    ScanDelete entry;
    entry.file = ReadDeleteFile(*rows);
    ScanFile* file = FindFile(files, entry.file.data_file);
    if (file == nullptr) continue;  // of a file that has ended
    entry.path = ResolveFilePath(table_path, entry.file.path, entry.file.path_is_relative);
    // What other clients write when they flush dead rows has snapshots by row and does not say so.
    const bool may_be_partial = file->file.partial_max && entry.file.format == "parquet";
    if (entry.file.partial_max ? snapshot < *entry.file.partial_max : may_be_partial)
      entry.snapshot_limit = snapshot;
    file->deletes.push_back(std::move(entry));
  }
  rows.reset();
  LimitUndeclaredDeletes(connection, snapshot, files);
}

// Adds the rows of one file to the plan's counts. `own`: rows that the transaction removed, which
// were alive until then. They are not among deleted_positions yet.
void AddToCounts(const ScanFile& file, int64_t own, ScanPlan& plan) {
  int64_t kinds_of_deletes =
      static_cast<int64_t>(file.deletes.size()) + (file.deleted_positions.empty() ? 0 : 1);
  bool is_exact = !file.row_snapshot_limit && kinds_of_deletes <= 1;
  // Two sets of deletes may overlap, so surely gone is only the larger one.
  int64_t deleted = static_cast<int64_t>(file.deleted_positions.size());
  for (const ScanDelete& entry : file.deletes) {
    if (entry.snapshot_limit) {
      is_exact = false;  // some of its rows were deleted later
    } else {
      deleted = std::max(deleted, entry.file.delete_count);
    }
  }
  // Which of a merged file's rows are deleted is not known either.
  if (file.row_snapshot_limit) deleted = 0;
  int64_t rows = std::max<int64_t>(0, file.file.record_count - deleted - own);
  plan.max_row_count += rows;
  if (!is_exact) plan.row_count.reset();
  if (plan.row_count) *plan.row_count += rows;
}

// Adds the positions that the transaction removed to those that inlined deletes did.
void AddOwnDeletes(const RemovedRows& own, ScanFile& file) {
  std::vector<int64_t> merged;
  merged.reserve(file.deleted_positions.size() + own.positions.size());
  std::set_union(file.deleted_positions.begin(), file.deleted_positions.end(),
                 own.positions.begin(), own.positions.end(), std::back_inserter(merged));
  file.deleted_positions = std::move(merged);
}

// Files and inlined rows as the transaction sees them, and how many rows they have.
void ApplyOwnChanges(const RowChanges& own, ScanPlan& plan) {
  std::erase_if(plan.files, [&](const ScanFile& file) {
    const RemovedRows* removed = own.Find(file.file.id);
    return removed != nullptr && removed->all;
  });
  for (size_t i = 0; i < own.data_files.size(); ++i) {
    const RemovedRows* removed = own.FindStaged(i);
    if (removed != nullptr && removed->all) continue;
    ScanFile file;
    file.file = own.data_files[i];
    file.is_staged = true;
    file.staged_index = i;
    plan.files.push_back(std::move(file));
  }
  for (size_t i = 0; i < own.staged_rows.size(); ++i) {
    const StagedBatch& batch = own.staged_rows[i];
    if (batch.removed.all || batch.live() <= 0) continue;
    plan.staged_rows.push_back(
        {batch.rows, i, batch.first_row_id, batch.removed.positions, batch.live()});
  }
  std::erase_if(plan.inlined, [&](InlinedScan& inlined) {
    const RemovedRows* removed = own.FindInlined(inlined.table_name);
    if (removed == nullptr) return false;
    inlined.removed_row_ids = removed->positions;
    inlined.row_count -= removed->count;
    return removed->all || inlined.row_count <= 0;
  });
}

void CountAndMask(const RowChanges& own, ScanPlan& plan) {
  plan.row_count = 0;
  for (ScanFile& file : plan.files) {
    const RemovedRows* removed =
        file.staged_index ? own.FindStaged(*file.staged_index) : own.Find(file.file.id);
    AddToCounts(file, removed == nullptr ? 0 : removed->count, plan);
    if (removed != nullptr) AddOwnDeletes(*removed, file);
  }
  for (const InlinedScan& inlined : plan.inlined) {
    plan.max_row_count += inlined.row_count;
    if (plan.row_count) *plan.row_count += inlined.row_count;
  }
  for (const StagedScan& staged : plan.staged_rows) {
    plan.max_row_count += staged.row_count;
    if (plan.row_count) *plan.row_count += staged.row_count;
  }
}

}  // namespace

std::string ResolveTablePath(std::string_view data_path, const CatalogView& view,
                             const Table& table) {
  const Schema* schema = view.FindSchema(table.schema);
  if (schema == nullptr) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The schema of table \"{}\" is missing.", table.name));
  }
  std::string schema_path =
      WithTrailingSlash(JoinPath(data_path, schema->path, schema->path_is_relative));
  return WithTrailingSlash(JoinPath(schema_path, table.path, table.path_is_relative));
}

std::string ResolveFilePath(std::string_view table_path, const std::string& path,
                            bool is_relative) {
  return JoinPath(table_path, path, is_relative);
}

ScanPlan PlanTableScan(StoreConnection& connection, const TableScan& scan, const PlanInput& input) {
  const Table& table = *scan.table;
  SnapshotId snapshot = input.snapshot.id;
  std::string table_path = ResolveTablePath(input.data_path, input.view, table);

  ScanPlan plan;
  std::optional<ReadScope> scope;
  if (!table.ref.is_new()) {
    scope.emplace(connection);
    TableId id = table.ref.id();
    plan.files = LoadFiles(connection, id, snapshot);
    if (!plan.files.empty()) {
      AddDeleteFiles(connection, id, snapshot, table_path, plan.files);
      for (auto& [file_id, positions] : LoadInlinedDeletes(connection, id, snapshot)) {
        ScanFile* file = FindFile(plan.files, file_id);
        if (file == nullptr) continue;
        DropPositionsBeyond(file->file.record_count, positions);
        file->deleted_positions = std::move(positions);
      }
    }
    std::vector<InlinedTable> inlined = LoadInlinedTables(connection, id, snapshot);
    plan.inlined = DescribeInlinedTables(connection, scan.table, inlined, snapshot);
  }
  static const RowChanges kNone;
  const RowChanges& own = input.own == nullptr ? kNone : *input.own;
  ApplyOwnChanges(own, plan);
  CountAndMask(own, plan);
  plan.total_files = static_cast<int64_t>(plan.files.size());
  for (size_t i = 0; i < plan.files.size(); ++i) plan.files[i].ordinal = static_cast<int64_t>(i);

  PruneFiles(connection, *scan.table, scan.predicate, scan.with_stats, plan.files);
  for (ScanFile& file : plan.files) {
    file.path = ResolveFilePath(table_path, file.file.path, file.file.path_is_relative);
  }
  if (!table.ref.is_new()) plan.name_maps = LoadNameMaps(connection, table.ref.id(), plan.files);
  return plan;
}

}  // namespace tarn
