// Which step repairs a finding; and the steps on snapshots, options and rows that nobody owns.
#include <algorithm>

#include <fmt/format.h>

#include "base/environment.h"
#include "catalog/repair.h"
#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn::check {

namespace {

/// Counters must only be beyond everything that was given out: any gap is fine.
std::pair<int64_t, int64_t> LeastCounters(const Model& model) {
  int64_t catalog = 0, file = 0;
  for (const ObjectRow& row : model.objects) catalog = std::max(catalog, row.id + 1);
  for (const FileRow& row : model.files) file = std::max(file, row.file.id.value + 1);
  for (const DeleteRow& row : model.deletes) file = std::max(file, row.file.id.value + 1);
  for (const auto& [mapping, _] : model.mappings) file = std::max(file, mapping + 1);
  return {catalog, file};
}

}  // namespace

RepairPlanner::RepairPlanner(Model& model, StoreConnection& connection, const RepairPlace& place,
                             const RepairOptions& options)
    : model_(model),
      connection_(connection),
      place_(place),
      options_(options),
      places_(model, place.data_path),
      now_(Now(place.environment)) {
  const auto [catalog, file] = LeastCounters(model);
  for (const Snapshot& snapshot : model.snapshots) {
    next_catalog_id = std::max(next_catalog_id, snapshot.next_catalog_id);
    next_file_id = std::max(next_file_id, snapshot.next_file_id);
  }
  next_catalog_id = std::max(next_catalog_id, catalog);
  next_file_id = std::max(next_file_id, file);
}

void RepairPlanner::Plan(const std::vector<CheckFinding>& findings) {
  for (const CheckFinding& finding : findings) {
    if (finding.repair.kind == RepairKind::kUnknownFile) unknown_file_ = finding.repair.name;
  }
  // What is known of files decides what is to be known of tables.
  auto is_of_tables = [](RepairKind kind) {
    return kind == RepairKind::kTableStats || kind == RepairKind::kTableColumnStats ||
           kind == RepairKind::kNextRowId;
  };
  for (bool tables : {false, true}) {
    for (const CheckFinding& finding : findings) {
      if (is_of_tables(finding.repair.kind) == tables && done_.insert(finding.repair).second)
        PlanOne(finding.repair);
    }
  }
  for (const auto& [table, column] : changed_stats_) {
    if (done_.insert({RepairKind::kTableColumnStats, table, column}).second)
      PlanTableColumnStats(table, column);
  }
  for (int64_t table : changed_rows_) {
    if (done_.insert({RepairKind::kNextRowId, table}).second) PlanNextRowId(table);
  }
}

void RepairPlanner::PlanOne(const RepairTarget& target) {
  const int64_t id = target.id, column = target.column;
  switch (target.kind) {
    case RepairKind::kNone:
    case RepairKind::kUnknownFile:
      return;
    case RepairKind::kNextIds:
      return PlanNextIds();
    case RepairKind::kChangesRow:
      return Forget(fmt::format("Removes the changes of snapshot {}, which does not exist.", id),
                    tables::SnapshotChanges::kTable.name, {{"snapshot_id", id}});
    case RepairKind::kDataPath:
      return PlanDataPath();
    case RepairKind::kOption:
      return PlanOption(target.name);
    case RepairKind::kPartitionKeys:
      return Forget(fmt::format("Removes the keys of partition spec {}, which does not exist.", id),
                    tables::PartitionColumn::kTable.name, {{"partition_id", id}});
    case RepairKind::kSortKeys:
      return Forget(fmt::format("Removes the keys of sort order {}, which does not exist.", id),
                    tables::SortExpression::kTable.name, {{"sort_id", id}});
    case RepairKind::kTags:
      return Forget(fmt::format("Removes the tags of object {}, which does not exist.", id),
                    tables::Tag::kTable.name, {{"object_id", id}});
    case RepairKind::kColumnTags:
      return Forget(fmt::format("Removes the tags of column {} of {}, which does not exist.",
                                column, model_.TableName(id)),
                    tables::ColumnTag::kTable.name, {{"table_id", id}, {"column_id", column}});
    case RepairKind::kSchedule:
      return PlanSchedule(target.name);
    case RepairKind::kDataFile:
      return PlanDataFile(id);
    case RepairKind::kDeleteFile:
      return PlanDeleteFile(id);
    case RepairKind::kFileStats:
      return PlanFileStats(id, column);
    case RepairKind::kFileBounds:
      return PlanFileBounds(id, column);
    case RepairKind::kVariantStats:
      return PlanVariantStats(id, column);
    case RepairKind::kPartitionValues:
      return ForgetFile(
          id,
          fmt::format("Removes the partition values of data file {}, which does not exist.", id),
          tables::FilePartitionValue::kTable.name);
    case RepairKind::kTableStats:
      return PlanTableStats(id);
    case RepairKind::kTableColumnStats:
      return PlanTableColumnStats(id, column);
    case RepairKind::kNextRowId:
      return PlanNextRowId(id);
    case RepairKind::kInlinedTable:
      return PlanInlinedTable(target.name);
    case RepairKind::kInlinedDeletes:
      return PlanInlinedDeletes(id);
    case RepairKind::kUselessDeletes:
      return PlanUselessDeletes(id);
    case RepairKind::kLastingDeletes:
      return PlanLastingDeletes(id);
    case RepairKind::kDoubleDeletes:
      return PlanDoubleDeletes(id);
    case RepairKind::kUnseenRows: {
      RepairStep step{
          "Removes the rows of files that no snapshot sees any more, and schedules "
          "the files for deletion.",
          {}};
      step.forgets_unseen = true;
      steps.push_back(std::move(step));
      return;
    }
  }
}

void RepairPlanner::Forget(std::string what, std::string_view table, Cells where) {
  steps.push_back(
      {std::move(what), {{RowChange::Kind::kDelete, std::string(table), {}, std::move(where)}}});
}

void RepairPlanner::ForgetFile(int64_t file, std::string what, std::string_view table) {
  if (!MayBeThere(file)) Forget(std::move(what), table, {{"data_file_id", file}});
}

bool RepairPlanner::MayBeThere(int64_t file) {
  if (!unknown_file_) return false;
  if (lost_.insert(file).second) {
    Refuse(fmt::format(
        "Of data file {} the catalog has all but its row, and it may be one of the files in the "
        "data path that nothing refers to, such as \"{}\". Bring the row back from a backup of the "
        "catalog; or remove these files with `tarn orphans`, if they are nothing, and repair then.",
        file, *unknown_file_));
  }
  return true;
}

void RepairPlanner::PlanNextIds() {
  const auto [least_catalog, least_file] = LeastCounters(model_);
  RepairStep step;
  int64_t catalog = 0, file = 0;
  for (const Snapshot& snapshot : model_.snapshots) {
    catalog = std::max(catalog, snapshot.next_catalog_id);
    file = std::max(file, snapshot.next_file_id);
    if (snapshot.id.value == model_.head) {
      catalog = std::max(catalog, least_catalog);
      file = std::max(file, least_file);
    }
    if (catalog == snapshot.next_catalog_id && file == snapshot.next_file_id) continue;
    step.changes.push_back({RowChange::Kind::kUpdate,
                            std::string(tables::Snapshot::kTable.name),
                            {{"next_catalog_id", catalog}, {"next_file_id", file}},
                            {{"snapshot_id", snapshot.id.value}},
                            1});
  }
  step.what = fmt::format(
      "Raises the counters of ids that had fallen behind: the next object gets the id {}, the next "
      "file {}.",
      catalog, file);
  if (!step.changes.empty()) steps.push_back(std::move(step));
}

void RepairPlanner::PlanDataPath() {
  for (const OptionRow& option : model_.options) {
    if (option.key != "data_path" || !option.scope.empty()) continue;
    if (option.value.empty()) break;
    steps.push_back({fmt::format("Ends the stored data path \"{}\" with a slash.", option.value),
                     {{RowChange::Kind::kUpdate,
                       std::string(tables::Metadata::kTable.name),
                       {{"value", option.value + "/"}},
                       {{"key", option.key}, {"value", option.value}, {"scope", Value()}},
                       1}}});
    return;
  }
  Refuse(
      "The data path is not stored, and nothing else tells it. ATTACH with DATA_PATH and "
      "OVERRIDE_DATA_PATH reads the lake meanwhile.");
}

void RepairPlanner::PlanOption(const std::string& key) {
  std::map<std::pair<std::string, int64_t>, std::vector<const OptionRow*>> places;
  for (const OptionRow& option : model_.options) {
    if (option.key == key) places[{option.scope, option.scope_id}].push_back(&option);
  }
  for (const auto& [place, rows] : places) {
    if (rows.size() < 2) continue;
    const bool equal = std::all_of(rows.begin(), rows.end(), [&](const OptionRow* row) {
      return row->value == rows.front()->value;
    });
    if (!equal) {
      Refuse(
          fmt::format("The option \"{}\" is set to several values; set it anew to the one that "
                      "is meant.",
                      key));
      continue;
    }
    const Cells row = {{"key", key},
                       {"value", rows.front()->value},
                       {"scope", place.first.empty() ? Value() : Value(place.first)},
                       {"scope_id", place.second < 0 ? Value() : Value(place.second)}};
    const std::string table(tables::Metadata::kTable.name);
    steps.push_back(
        {fmt::format("Sets the option \"{}\" once instead of {} times.", key, rows.size()),
         {{RowChange::Kind::kDelete, table, {}, row, static_cast<int64_t>(rows.size())},
          {RowChange::Kind::kInsert, table, row}}});
  }
}

void RepairPlanner::PlanSchedule(const std::string& normal_path) {
  RepairStep step{fmt::format("Takes \"{}\" off the list of files to be deleted.", normal_path),
                  {}};
  std::set<LakePath> paths;
  for (const ScheduledRow& row : model_.scheduled) {
    if (row.path) paths.insert(*row.path);
  }
  for (const auto& [path, is_relative] : paths) {
    if (NormalPath(JoinPath(place_.data_path, path, is_relative)) != normal_path) continue;
    step.changes.push_back({RowChange::Kind::kDelete,
                            std::string(tables::FilesScheduledForDeletion::kTable.name),
                            {},
                            {{"path", path}}});
  }
  steps.push_back(std::move(step));
}

void RepairPlanner::PlanInlinedTable(const std::string& name) {
  std::vector<const InlinedTableRow*> rows;
  for (const InlinedTableRow& row : model_.inlined_tables) {
    if (row.name == name) rows.push_back(&row);
  }
  const bool equal = std::all_of(rows.begin(), rows.end(), [&](const InlinedTableRow* row) {
    return row->table == rows.front()->table && row->schema_version == rows.front()->schema_version;
  });
  if (!equal) {
    return Refuse(
        fmt::format("The table of inlined rows \"{}\" is registered for several tables "
                    "or shapes; which one is right cannot be told.",
                    name));
  }
  const Cells row = {{"table_id", rows.front()->table},
                     {"table_name", name},
                     {"schema_version", rows.front()->schema_version}};
  const std::string table(tables::InlinedDataTables::kTable.name);
  steps.push_back(
      {fmt::format("Registers the table of inlined rows \"{}\" once instead of {} times.", name,
                   rows.size()),
       {{RowChange::Kind::kDelete, table, {}, row, static_cast<int64_t>(rows.size())},
        {RowChange::Kind::kInsert, table, row}}});
}

void RepairPlanner::PlanInlinedDeletes(int64_t table) {
  const std::string physical = InlinedDeleteTableName(TableId(table));
  std::set<int64_t> unknown;
  RepairStep twice{fmt::format("Keeps the first of several inlined deletes of one row of {}.",
                               model_.TableName(table)),
                   {}};
  StatementBuilder sql(connection_.dialect());
  sql.Text("SELECT file_id, row_id, count(*), min(begin_snapshot) FROM ").Table(physical);
  sql.Text(" WHERE row_id IS NOT NULL AND begin_snapshot IS NOT NULL GROUP BY file_id, row_id");
  const std::unique_ptr<Rows> rows = connection_.Query(sql.Build());
  while (rows->Next()) {
    const int64_t file = rows->OptInt64(0).value_or(-1);
    const FileRow* found = FindFile(file);
    if (found == nullptr || found->table != table) {
      if (file >= 0) unknown.insert(file);
      continue;
    }
    if (rows->Int64(2) < 2) continue;
    twice.changes.push_back({RowChange::Kind::kDelete,
                             physical,
                             {},
                             {{"file_id", file}, {"row_id", rows->Int64(1)}},
                             rows->Int64(2)});
    twice.changes.push_back(
        {RowChange::Kind::kInsert,
         physical,
         {{"file_id", file}, {"row_id", rows->Int64(1)}, {"begin_snapshot", rows->Int64(3)}}});
  }
  if (!twice.changes.empty()) steps.push_back(std::move(twice));
  for (int64_t file : unknown) {
    if (MayBeThere(file)) continue;
    Forget(fmt::format("Removes inlined deletes of {} from data file {}, which does not exist.",
                       model_.TableName(table), file),
           physical, {{"file_id", file}});
  }
}

FileRow* RepairPlanner::FindFile(int64_t id) {
  for (FileRow& row : model_.files) {
    if (row.file.id.value == id) return &row;
  }
  return nullptr;
}

DeleteRow* RepairPlanner::FindDelete(int64_t id) {
  for (DeleteRow& row : model_.deletes) {
    if (row.file.id.value == id) return &row;
  }
  return nullptr;
}

DataFile RepairPlanner::Described(const FileRow& row) const {
  DataFile file = row.file;
  file.stats.clear();
  for (const FileStatsRow& stats : model_.file_stats) {
    if (stats.file == file.id.value) file.stats.push_back(stats.stats);
  }
  const auto names = model_.name_maps.find(file.mapping_id.value_or(MappingId()).value);
  if (names != model_.name_maps.end()) file.names = std::make_shared<NameMap>(names->second);
  return file;
}

}  // namespace tarn::check
