// One plan is a fixed number of queries: files, delete files, inlined deletes, inlined tables, and,
// only when they are needed, statistics, partition values, column history and name maps. Rows are
// matched in memory, since catalogs have no indexes.
#include "catalog/scan_planner.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>

#include "catalog/catalog_sql.h"
#include "catalog/column_history.h"
#include "catalog/inlined_tables.h"
#include "catalog/predicate_pruner.h"
#include "format/paths.h"
#include "format/tables.h"
#include "format/transform.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

using StatsByFile = std::unordered_map<DataFileId, std::vector<ColumnStats>>;

std::vector<ScanFile> LoadFiles(StoreConnection& connection, TableId table, SnapshotId snapshot) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ").Text(ColumnList(DataFileColumns(), connection.dialect()));
  sql.Text(" FROM ")
      .Table(tables::DataFile::kTable.name)
      .Text(" WHERE table_id = ")
      .Bind(table)
      .Text(" AND");
  AppendAlive(sql, snapshot);
  sql.Text(" ORDER BY data_file_id");
  std::vector<ScanFile> files;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    ScanFile file;
    file.file = ReadDataFile(*rows);
    if (file.file.partial_max && snapshot < *file.file.partial_max)
      file.row_snapshot_limit = snapshot;
    files.push_back(std::move(file));
  }
  return files;
}

// Files are sorted by id.
ScanFile* FindFile(std::vector<ScanFile>& files, DataFileId id) {
  auto at = std::lower_bound(
      files.begin(), files.end(), id,
      [](const ScanFile& file, DataFileId wanted) { return file.file.id < wanted; });
  return at != files.end() && at->file.id == id ? &*at : nullptr;
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
}

StatsByFile LoadStats(StoreConnection& connection, TableId table,
                      std::span<const PrunableField> fields, bool all) {
  using T = tables::FileColumnStats;
  static constexpr CatalogColumn kColumns[] = {T::kDataFileId, T::kColumnId,    T::kColumnSizeBytes,
                                               T::kValueCount, T::kNullCount,   T::kMinValue,
                                               T::kMaxValue,   T::kContainsNan, T::kExtraStats};
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ")
      .Text(ColumnList(kColumns, connection.dialect()))
      .Text(" FROM ")
      .Table(T::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table);
  if (!all) {
    std::vector<FieldId> ids;
    for (const PrunableField& field : fields) ids.push_back(field.id);
    sql.Text(" AND column_id IN (").BindList(ids).Text(")");
  }
  StatsByFile stats;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    ColumnStats column;
    column.field = FieldId(rows->Int64(1));
    column.column_size_bytes = rows->OptInt64(2);
    column.value_count = rows->OptInt64(3);
    column.null_count = rows->OptInt64(4);
    column.min_value = rows->OptText(5);
    column.max_value = rows->OptText(6);
    column.contains_nan = rows->OptBool(7);
    column.extra_stats = rows->OptText(8);
    stats[DataFileId(rows->Int64(0))].push_back(std::move(column));
  }
  return stats;
}

// What a table's files say of the fields of one predicate.
class FileFacts {
 public:
  FileFacts(StoreConnection& connection, const Table& table, const PredicatePruner& pruner,
            const StatsByFile& stats, const std::vector<ScanFile>& files)
      : fields_(pruner.fields()), stats_(stats) {
    if (table.ref.is_new()) return;
    bool needs_history = false, has_partitions = false;
    for (const ScanFile& file : files) {
      if (file.is_staged) continue;
      has_partitions = has_partitions || file.file.partition_id.has_value();
      for (const PrunableField& field : fields_) {
        needs_history = needs_history || !IsYounger(file.file, field);
      }
    }
    if (needs_history) {
      history_ = ColumnHistory::Load(connection, table.ref.id(), FieldIds());
      LoadOldestSnapshot(connection);
    }
    if (has_partitions) LoadPartitionValues(connection, table.ref.id());
  }

  std::vector<FieldFacts> Of(const ScanFile& scan_file) const {
    std::vector<FieldFacts> facts;
    const DataFile& file = scan_file.file;
    const std::vector<ColumnStats>* stats = &file.stats;
    if (!scan_file.is_staged) {
      auto found = stats_.find(file.id);
      stats = found == stats_.end() ? nullptr : &found->second;
    }
    for (const PrunableField& field : fields_) {
      const ColumnStats* column = stats == nullptr ? nullptr : FindStats(*stats, field.id);
      FieldFacts known;
      if (column != nullptr) {
        bool same_type = scan_file.is_staged ? field.column->begin_snapshot.valid()
                                             : HadPresentType(file, field);
        known = FactsFromStats(field, *column, file.record_count, !same_type);
      } else if (!scan_file.is_staged && IsOlderThan(file, field)) {
        known = FactsOfConstant(field, field.column->initial_default);
        // Inside a struct the default shows only where the struct itself is not NULL.
        if (!field.is_top_level) known.may_be_null = true;
      }
      facts.push_back(WithPartitionValue(file, field, std::move(known)));
    }
    return facts;
  }

 private:
  struct PartitionKeyValue {
    FieldId field;
    std::string transform;
    std::optional<std::string> value;
  };

  static const ColumnStats* FindStats(const std::vector<ColumnStats>& stats, FieldId field) {
    for (const ColumnStats& column : stats) {
      if (column.field == field) return &column;
    }
    return nullptr;
  }

  // A file's rows come from the snapshots from its first to its last (of merged files).
  static SnapshotId LastSnapshot(const DataFile& file) {
    return std::max(file.begin_snapshot, file.partial_max.value_or(file.begin_snapshot));
  }

  std::vector<FieldId> FieldIds() const {
    std::vector<FieldId> ids;
    for (const PrunableField& field : fields_) ids.push_back(field.id);
    return ids;
  }

  // The usual case, which needs no history: all of the file is from after the column's present row
  // began. (Of a merged file, later snapshots may have changed the column again.)
  static bool IsYounger(const DataFile& file, const PrunableField& field) {
    return field.column->begin_snapshot.valid() &&
           field.column->begin_snapshot < file.begin_snapshot && !file.partial_max;
  }

  bool HadPresentType(const DataFile& file, const PrunableField& field) const {
    if (IsYounger(file, field)) return true;
    return history_ &&
           history_->HadType(field.id, field.column->type, file.begin_snapshot, LastSnapshot(file));
  }

  // True when all rows of the file were surely written before the field existed. Rows of the
  // column's history that are gone with expired snapshots could make it look younger than it is, so
  // files from before the oldest snapshot never count.
  bool IsOlderThan(const DataFile& file, const PrunableField& field) const {
    if (!history_ || !field.column->begin_snapshot.valid()) return false;
    std::optional<SnapshotId> first = history_->FirstSnapshot(field.id);
    return first && LastSnapshot(file) < *first && oldest_snapshot_ <= file.begin_snapshot;
  }

  void LoadOldestSnapshot(StoreConnection& connection) {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT min(snapshot_id) FROM ").Table(tables::Snapshot::kTable.name);
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    if (rows->Next() && !rows->IsNull(0)) oldest_snapshot_ = SnapshotId(rows->Int64(0));
  }

  // The values of files whose partition keys are fields of the predicate, by the spec that each
  // file was written under.
  void LoadPartitionValues(StoreConnection& connection, TableId table) {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT v.data_file_id, c.column_id, c.transform, v.partition_value FROM ");
    sql.Table(tables::FilePartitionValue::kTable.name)
        .Text(" v JOIN ")
        .Table(tables::DataFile::kTable.name);
    sql.Text(" f ON f.data_file_id = v.data_file_id JOIN ")
        .Table(tables::PartitionColumn::kTable.name);
    sql.Text(
        " c ON c.partition_id = f.partition_id AND c.partition_key_index = v.partition_key_index");
    sql.Text(" WHERE v.table_id = ").Bind(table).Text(" AND f.table_id = ").Bind(table);
    sql.Text(" AND c.table_id = ")
        .Bind(table)
        .Text(" AND c.column_id IN (")
        .BindList(FieldIds())
        .Text(")");
    std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    while (rows->Next()) {
      partition_values_[DataFileId(rows->Int64(0))].push_back(
          {FieldId(rows->Int64(1)), std::string(rows->Text(2)), rows->OptText(3)});
    }
  }

  FieldFacts WithPartitionValue(const DataFile& file, const PrunableField& field,
                                FieldFacts known) const {
    auto found = partition_values_.find(file.id);
    if (found == partition_values_.end()) return known;
    for (const PartitionKeyValue& key : found->second) {
      if (key.field != field.id) continue;
      std::optional<Transform> transform = ParseTransform(key.transform);
      if (!transform) continue;
      if (!key.value) {  // every transform keeps NULL, and makes it of nothing else
        known.may_be_value = false;
      } else if (transform->kind == Transform::Kind::kIdentity && HadPresentType(file, field)) {
        known = Intersect(std::move(known), FactsOfConstant(field, key.value));
      }
    }
    return known;
  }

  std::span<const PrunableField> fields_;
  const StatsByFile& stats_;
  std::optional<ColumnHistory> history_;
  SnapshotId oldest_snapshot_{0};
  std::unordered_map<DataFileId, std::vector<PartitionKeyValue>> partition_values_;
};

void Prune(StoreConnection& connection, const TableScan& scan, std::vector<ScanFile>& files) {
  PredicatePruner pruner(scan.predicate, *scan.table);
  bool prunes = !pruner.fields().empty() && !files.empty();
  if (!prunes && !scan.with_stats) return;
  StatsByFile stats;
  if (!scan.table->ref.is_new()) {
    stats = LoadStats(connection, scan.table->ref.id(), pruner.fields(), scan.with_stats);
  }
  if (prunes) {
    FileFacts facts(connection, *scan.table, pruner, stats, files);
    std::erase_if(files, [&](const ScanFile& file) { return !pruner.CanMatch(facts.Of(file)); });
  }
  if (!scan.with_stats) return;
  for (ScanFile& file : files) {
    auto found = stats.find(file.file.id);
    if (!file.is_staged && found != stats.end()) file.file.stats = std::move(found->second);
  }
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

std::map<MappingId, std::shared_ptr<const NameMap>> LoadNameMaps(
    StoreConnection& connection, TableId table, const std::vector<ScanFile>& files) {
  std::map<MappingId, std::shared_ptr<NameMap>> maps;
  for (const ScanFile& file : files) {
    if (file.file.mapping_id) maps[*file.file.mapping_id] = nullptr;
  }
  if (maps.empty()) return {};
  for (auto& [id, map] : maps) {
    map = std::make_shared<NameMap>();
    map->id = id;
  }
  using T = tables::NameMapping;
  static constexpr CatalogColumn kColumns[] = {T::kMappingId,    T::kColumnId,
                                               T::kSourceName,   T::kTargetFieldId,
                                               T::kParentColumn, T::kIsPartition};
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ")
      .Text(ColumnList(kColumns, connection.dialect()))
      .Text(" FROM ")
      .Table(T::kTable.name);
  sql.Text(" WHERE mapping_id IN (SELECT mapping_id FROM ")
      .Table(tables::ColumnMapping::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(") ORDER BY mapping_id, column_id");
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    auto map = maps.find(MappingId(rows->Int64(0)));
    if (map == maps.end()) continue;
    map->second->entries.push_back({rows->Int64(1), std::string(rows->Text(2)),
                                    FieldId(rows->OptInt64(3).value_or(-1)), rows->OptInt64(4),
                                    rows->OptBool(5).value_or(false)});
  }
  std::map<MappingId, std::shared_ptr<const NameMap>> result;
  for (auto& [id, map] : maps) {
    if (map->entries.empty()) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("The name mapping {} that files of table {} are read by is missing.",
                              id.value, table.value));
    }
    result.emplace(id, std::move(map));
  }
  return result;
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
        if (file != nullptr) file->deleted_positions = std::move(positions);
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

  Prune(connection, scan, plan.files);
  for (ScanFile& file : plan.files) {
    file.path = ResolveFilePath(table_path, file.file.path, file.file.path_is_relative);
  }
  if (!table.ref.is_new()) plan.name_maps = LoadNameMaps(connection, table.ref.id(), plan.files);
  return plan;
}

}  // namespace tarn
