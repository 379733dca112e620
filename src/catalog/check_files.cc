// Data files, delete files and their statistics, as the catalog describes them.
#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "catalog/check.h"
#include "format/stats_value.h"
#include "format/tables.h"
#include "format/type_promotion.h"

namespace tarn::check {
namespace {

/// A file's place among the row ids of its table: those of live files of one time may not overlap,
/// unless a file carries its own.
void CheckRowIds(const Model& model, const EmbedsRowIds& embeds_row_ids, Findings& findings) {
  std::map<int64_t, std::vector<const FileRow*>> by_table;
  for (const FileRow& row : model.files) {
    if (row.file.row_id_start && row.file.record_count > 0) by_table[row.table].push_back(&row);
  }
  for (auto& [table, rows] : by_table) {
    std::sort(rows.begin(), rows.end(), [](const FileRow* a, const FileRow* b) {
      return *a->file.row_id_start < *b->file.row_id_start;
    });
    auto end_of = [](const FileRow* row) {
      return *row->file.row_id_start + row->file.record_count;
    };
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t j = i + 1; j < rows.size() && *rows[j]->file.row_id_start < end_of(rows[i]);
           ++j) {
        if (!rows[i]->life.Meets(rows[j]->life)) continue;
        if (embeds_row_ids(*rows[i]) || embeds_row_ids(*rows[j])) continue;
        findings.Error(fmt::format("{} and {} have row ids in common (from {} and from {}).",
                                   model.FileName(*rows[i]), model.FileName(*rows[j]),
                                   *rows[i]->file.row_id_start, *rows[j]->file.row_id_start));
      }
    }
    auto stats = model.table_stats.find(table);
    if (stats == model.table_stats.end()) continue;
    for (const FileRow* row : rows) {
      if (end_of(row) > stats->second.next_row_id && !embeds_row_ids(*row)) {
        findings.Error(
            fmt::format("{} has row ids up to {}, but the table would give out {} next.",
                        model.FileName(*row), end_of(row) - 1, stats->second.next_row_id),
            {RepairKind::kNextRowId, table});
      }
    }
  }
}

void CheckFileIds(const Model& model, Findings& findings) {
  std::map<int64_t, std::string> seen;
  auto check = [&](int64_t id, const std::string& name) {
    auto [first, is_new] = seen.emplace(id, name);
    if (!is_new)
      findings.Error(fmt::format("The id {} belongs to both {} and {}.", id, first->second, name));
    if (id >= model.head_snapshot()->next_file_id) {
      findings.Error(
          fmt::format("{} has the id {}, but the newest snapshot would give out {} next.", name, id,
                      model.head_snapshot()->next_file_id),
          {RepairKind::kNextIds});
    }
  };
  for (const FileRow& row : model.files) check(row.file.id.value, model.FileName(row));
  for (const DeleteRow& row : model.deletes) check(row.file.id.value, model.DeleteName(row));
  for (const auto& [mapping, table] : model.mappings) {
    check(mapping, fmt::format("name mapping {} of {}", mapping, model.TableName(table)));
  }
}

void CheckPartialMax(const Model& model, const std::string& name, const Life& life,
                     const std::optional<SnapshotId>& partial_max, Findings& findings) {
  if (!partial_max) return;
  if (partial_max->value < life.begin || partial_max->value > model.head) {
    findings.Error(fmt::format(
        "{} holds rows up to snapshot {}, but begins at {} and the newest snapshot is {}.", name,
        partial_max->value, life.begin, model.head));
  }
}

void CheckDataFile(const Model& model, const FileRow& row, Findings& findings) {
  std::string name = model.FileName(row);
  const DataFile& file = row.file;
  CheckLife(model, name, row.life, findings);
  CheckPartialMax(model, name, row.life, file.partial_max, findings);
  std::optional<Life> table = model.LifeOf(ObjectKind::kTable, row.table);
  if (!table) {
    findings.Error(fmt::format("{} belongs to a table that does not exist ({}).", name, row.table));
  } else if (!table->Covers(row.life)) {
    findings.Error(fmt::format("{} is alive when its table is not.", name));
  }
  if (file.record_count < 0)
    findings.Error(fmt::format("{} has {} rows.", name, file.record_count));
  if (file.format != "parquet")
    findings.Error(fmt::format("{} has the format \"{}\".", name, file.format));
  if (file.mapping_id) {
    auto mapping = model.mappings.find(file.mapping_id->value);
    if (mapping == model.mappings.end() || !model.name_maps.contains(file.mapping_id->value)) {
      findings.Error(fmt::format("{} is read by the name mapping {}, which does not exist.", name,
                                 file.mapping_id->value));
    } else if (mapping->second != row.table) {
      findings.Error(fmt::format("{} is read by a name mapping of {}.", name,
                                 model.TableName(mapping->second)));
    }
  }
}

void CheckPartitionValues(const Model& model, Findings& findings) {
  std::map<int64_t, std::set<int64_t>> keys;
  for (const PartitionKeyRow& key : model.partition_keys) keys[key.partition].insert(key.index);
  std::set<int64_t> ids;
  for (const FileRow& row : model.files) {
    ids.insert(row.file.id.value);
    auto found = model.partition_values.find(row.file.id.value);
    std::multiset<int64_t> values;
    if (found != model.partition_values.end())
      values.insert(found->second.begin(), found->second.end());
    if (!row.file.partition_id) {
      if (!values.empty())
        findings.Error(
            fmt::format("{} has partition values but no partition spec.", model.FileName(row)));
      continue;
    }
    int64_t spec = row.file.partition_id->id().value;
    if (!model.LifeOf(ObjectKind::kPartitionSpec, spec)) {
      findings.Error(fmt::format("{} was written under a partition spec that does not exist ({}).",
                                 model.FileName(row), spec));
    } else if (!std::equal(values.begin(), values.end(), keys[spec].begin(), keys[spec].end())) {
      findings.Error(fmt::format("The partition values of {} do not match the keys of its spec.",
                                 model.FileName(row)));
    }
  }
  for (const auto& [file, _] : model.partition_values) {
    if (!ids.contains(file))
      findings.Error(
          fmt::format("There are partition values of a data file that does not exist ({}).", file),
          {RepairKind::kPartitionValues, file});
  }
}

void CheckDeleteFiles(const Model& model, Findings& findings) {
  std::map<int64_t, const FileRow*> files;
  for (const FileRow& row : model.files) files[row.file.id.value] = &row;
  std::map<int64_t, std::vector<const DeleteRow*>> by_file;
  for (const DeleteRow& row : model.deletes) {
    std::string name = model.DeleteName(row);
    // One that takes the last rows of a flushed file away ends with it, in the snapshot of both.
    const bool is_over_at_once = row.life.end == row.life.begin;
    CheckLife(model, name, is_over_at_once ? Life{row.life.begin, {}} : row.life, findings);
    CheckPartialMax(model, name, row.life, row.file.partial_max, findings);
    if (row.file.format != "parquet" && row.file.format != "puffin") {
      findings.Error(fmt::format("{} has the format \"{}\".", name, row.file.format));
    }
    if (row.file.delete_count < 0)
      findings.Error(fmt::format("{} deletes {} rows.", name, row.file.delete_count));
    auto file = files.find(row.file.data_file.value);
    if (file == files.end()) {
      findings.Error(fmt::format("{} is for a data file that does not exist ({}).", name,
                                 row.file.data_file.value),
                     {RepairKind::kUselessDeletes, row.file.id.value});
      continue;
    }
    if (file->second->table != row.table) {
      findings.Error(
          fmt::format("{} is for a data file of {}.", name, model.TableName(file->second->table)));
    }
    if (row.life.begin < file->second->life.begin) {
      findings.Error(fmt::format("{} begins before its data file does.", name));
    }
    // The reference leaves them so when a delete takes all that is left.
    if (!row.life.end && file->second->life.end)
      findings.Note(fmt::format("{} is alive though its data file has ended.", name),
                    {RepairKind::kLastingDeletes, row.file.id.value});
    if (row.file.partial_max && row.file.format == "puffin") {
      findings.Error(
          fmt::format("{} is a deletion vector, but should tell rows of several snapshots.", name));
    }
    by_file[row.file.data_file.value].push_back(&row);
  }
  for (auto& [file, rows] : by_file) {
    std::sort(rows.begin(), rows.end(),
              [](const DeleteRow* a, const DeleteRow* b) { return a->life.begin < b->life.begin; });
    for (size_t i = 1; i < rows.size(); ++i) {
      if (!rows[i - 1]->life.Meets(rows[i]->life)) continue;
      findings.Error(fmt::format("{} has two live delete files ({} and {}) at snapshot {}.",
                                 model.FileName(*files[file]), rows[i - 1]->file.id.value,
                                 rows[i]->file.id.value, rows[i]->life.begin),
                     {RepairKind::kDoubleDeletes, file});
    }
  }
}

/// The newest type, or one before it, where that holds values that the newest does not: rows that
/// were deleted before the change may have them.
ScalarType TypeOfBounds(const Model& model, const FileStatsRow& row, const ScalarType& newest) {
  auto parses = [&](const ScalarType& type) {
    return ParseBound(type, *row.stats.min_value, BoundSide::kMin) &&
           ParseBound(type, *row.stats.max_value, BoundSide::kMax);
  };
  auto columns = model.columns.find(row.table);
  if (parses(newest) || columns == model.columns.end()) return newest;
  for (const ColumnHistory::Entry& entry : columns->second) {
    if (entry.column.id != row.stats.field) continue;
    std::optional<ScalarType> older = ParseTypeName(entry.column.type);
    if (older && MayOverflow(*older, newest) && parses(*older)) return *older;
  }
  return newest;
}

}  // namespace

void CheckFiles(const Model& model, const EmbedsRowIds& embeds_row_ids, Findings& findings) {
  CheckFileIds(model, findings);
  for (const FileRow& row : model.files) CheckDataFile(model, row, findings);
  CheckPartitionValues(model, findings);
  CheckDeleteFiles(model, findings);
  CheckRowIds(model, embeds_row_ids, findings);
}

void CheckDeleteCounts(const Model& model, const std::map<int64_t, int64_t>& inlined_deletes,
                       Findings& findings) {
  std::map<int64_t, int64_t> by_delete_files;
  for (const DeleteRow& row : model.deletes) {
    int64_t& most = by_delete_files[row.file.data_file.value];
    most = std::max(most, row.file.delete_count);
  }
  for (const FileRow& row : model.files) {
    int64_t id = row.file.id.value;
    auto files = by_delete_files.find(id);
    auto inlined = inlined_deletes.find(id);
    int64_t deleted = (files == by_delete_files.end() ? 0 : files->second) +
                      (inlined == inlined_deletes.end() ? 0 : inlined->second);
    if (deleted > row.file.record_count) {
      findings.Error(fmt::format("{} has {} rows, but {} are deleted.", model.FileName(row),
                                 row.file.record_count, deleted));
    }
  }
}

namespace {

void CheckVariantStats(const Model& model, const std::map<int64_t, const FileRow*>& files,
                       Findings& findings) {
  std::set<std::tuple<int64_t, int64_t, std::string>> seen;
  for (const VariantStatsRow& row : model.variant_stats) {
    auto file = files.find(row.file);
    if (file == files.end()) {
      findings.Error(
          fmt::format("There are statistics of fields in a data file that does not exist ({}).",
                      row.file),
          {RepairKind::kVariantStats, row.file});
      continue;
    }
    std::string name = fmt::format("The statistics of the field {} of column {} in {}", row.path,
                                   row.column, model.FileName(*file->second));
    if (!seen.emplace(row.file, row.column, row.path).second)
      findings.Error(fmt::format("{} are there twice.", name));
    if (row.table != file->second->table)
      findings.Error(fmt::format("{} name another table ({}).", name, row.table),
                     {RepairKind::kVariantStats, row.file, row.column});
    if (model.NewestColumn(file->second->table, row.column) == nullptr)
      findings.Error(fmt::format("{} are of a column that the table never had.", name),
                     {RepairKind::kVariantStats, row.file, row.column});
  }
}

}  // namespace

void CheckFileStats(const Model& model, Findings& findings) {
  std::map<int64_t, const FileRow*> files;
  for (const FileRow& row : model.files) files[row.file.id.value] = &row;
  CheckVariantStats(model, files, findings);
  std::set<std::pair<int64_t, int64_t>> seen;
  for (const FileStatsRow& row : model.file_stats) {
    auto file = files.find(row.file);
    if (file == files.end()) {
      findings.Error(
          fmt::format("There are statistics of a data file that does not exist ({}).", row.file),
          {RepairKind::kFileStats, row.file});
      continue;
    }
    int64_t column = row.stats.field.value;
    std::string name =
        fmt::format("The statistics of column {} in {}", column, model.FileName(*file->second));
    const RepairTarget repair{RepairKind::kFileStats, row.file, column};
    if (!seen.emplace(row.file, column).second)
      findings.Error(fmt::format("{} are there twice.", name), repair);
    if (row.table != file->second->table)
      findings.Error(fmt::format("{} name another table ({}).", name, row.table), repair);
    const ColumnHistory::Entry* entry = model.NewestColumn(file->second->table, column);
    if (entry == nullptr) {
      findings.Error(fmt::format("{} are of a column that the table never had.", name), repair);
      continue;
    }
    std::optional<ScalarType> type = ParseTypeName(entry->column.type);
    if (!type || IsNested(type->kind)) continue;
    // NULLs of kinds without bounds are not counted by every writer.
    bool counts = HasFileBounds(type->kind) && !entry->parent && row.stats.value_count &&
                  row.stats.null_count;
    if (counts &&
        *row.stats.value_count + *row.stats.null_count != file->second->file.record_count) {
      findings.Error(fmt::format("{} count {} values and {} NULLs, the file has {} rows.", name,
                                 *row.stats.value_count, *row.stats.null_count,
                                 file->second->file.record_count),
                     repair);
    }
    if (!FileBoundsMayPrune(type->kind) || !row.stats.min_value || !row.stats.max_value) continue;
    type = TypeOfBounds(model, row, *type);
    std::optional<StatsValue> min = ParseBound(*type, *row.stats.min_value, BoundSide::kMin);
    std::optional<StatsValue> max = ParseBound(*type, *row.stats.max_value, BoundSide::kMax);
    if (!min || !max) {
      findings.Error(
          fmt::format("{} have the bounds \"{}\" and \"{}\", which are no values of {}.", name,
                      *row.stats.min_value, *row.stats.max_value, entry->column.type),
          repair);
    } else if (Compare(*min, *max) > 0) {
      findings.Error(fmt::format("{} have a minimum (\"{}\") above the maximum (\"{}\").", name,
                                 *row.stats.min_value, *row.stats.max_value),
                     repair);
    }
  }
}

void CheckUnseen(const Model& model, Findings& findings) {
  auto is_unseen = [&](const Life& life) {
    // What begins too early or ends too late is damage of another kind.
    if (!life.end || life.begin < 0 || *life.end <= life.begin || *life.end > model.head)
      return false;
    const auto next =
        std::lower_bound(model.snapshots.begin(), model.snapshots.end(), SnapshotId(life.begin),
                         [](const Snapshot& snapshot, SnapshotId id) { return snapshot.id < id; });
    return next == model.snapshots.end() || next->id.value >= *life.end;
  };
  const RepairTarget repair{RepairKind::kUnseenRows};
  for (const FileRow& row : model.files) {
    if (is_unseen(row.life))
      findings.Note(fmt::format("{} is seen by no snapshot any more.", model.FileName(row)),
                    repair);
  }
  for (const DeleteRow& row : model.deletes) {
    if (is_unseen(row.life))
      findings.Note(fmt::format("{} is seen by no snapshot any more.", model.DeleteName(row)),
                    repair);
  }
}

}  // namespace tarn::check
