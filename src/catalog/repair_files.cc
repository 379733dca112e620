// What the catalog says of files is put right by the files themselves, where these are sound and
// surely the ones that were committed; several delete files of one data file become one.
#include <algorithm>

#include <fmt/format.h>

#include "catalog/repair.h"
#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn::check {
namespace {

constexpr const char* kRestoreFile =
    "Bring the file back from a backup of the data path, or write its rows anew.";

/// What is wrong with a file besides what can be repaired: then it is not the one that was
/// committed.
std::optional<std::string> FindOtherFault(const std::vector<CheckFinding>& findings,
                                          RepairKind mended) {
  for (const CheckFinding& finding : findings) {
    if (finding.is_error && finding.repair.kind != mended) return finding.what;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> RepairPlanner::WhyRowsCannotBe(const FileRow& row, int64_t row_count) {
  if (row_count < row.file.record_count) {
    for (const DeleteRow& deletion : model_.deletes) {
      if (deletion.file.data_file == row.file.id)
        return "deletes may name rows that it does not have";
    }
    const std::string inlined = InlinedDeleteTableName(TableId(row.table));
    if (model_.physical_tables.contains(inlined)) {
      StatementBuilder sql(connection_.dialect());
      sql.Text("SELECT max(row_id) FROM ").Table(inlined).Text(" WHERE file_id = ");
      const auto rows = connection_.Query(sql.Bind(row.file.id).Build());
      if (rows->Next() && rows->OptInt64(0).value_or(-1) >= row_count)
        return "a delete names a row that it does not have";
    }
    return std::nullopt;
  }
  if (!row.file.row_id_start) return std::nullopt;
  const int64_t begin = *row.file.row_id_start, end = begin + row_count;
  for (const FileRow& other : model_.files) {
    if (other.table != row.table || other.file.id == row.file.id || !other.file.row_id_start)
      continue;
    if (*other.file.row_id_start<end&& * other.file.row_id_start + other.file.record_count> begin)
      return fmt::format("its rows would have row ids of {}", model_.FileName(other));
  }
  for (const std::string& inlined : InlinedTablesOf(row.table)) {
    StatementBuilder sql(connection_.dialect());
    sql.Text("SELECT count(*) FROM ").Table(inlined).Text(" WHERE row_id >= ").Bind(begin);
    const auto rows = connection_.Query(sql.Text(" AND row_id < ").Bind(end).Build());
    if (rows->Next() && rows->Int64(0) > 0) return "its rows would have row ids of inlined rows";
  }
  return std::nullopt;
}

void RepairPlanner::PlanDataFile(int64_t id) {
  FileRow* row = FindFile(id);
  const std::string name = model_.FileName(*row);
  const std::string path = *places_.Of(*row);
  if (row->file.encryption_key) {
    return Refuse(fmt::format(
        "{} is encrypted, so nothing proves that the file is the one that was committed. {}", name,
        kRestoreFile));
  }
  const DataFile file = Described(*row);
  const Table table = model_.EveryColumnOf(row->table);
  StoredFacts facts;
  try {
    facts = ReadStoredFacts(place_.file_system, path, file, table);
    const auto found = InspectDataFile(place_.file_system, path, file, table);
    if (auto other = FindOtherFault(found, RepairKind::kDataFile)) {
      return Refuse(
          fmt::format("{} is not the file that was committed: {} {}", name, *other, kRestoreFile));
    }
  } catch (const Error& error) {
    return Refuse(fmt::format("{} cannot be read: {} {}", name, error.message(), kRestoreFile));
  }
  if (facts.row_count != file.record_count) {
    if (auto why = WhyRowsCannotBe(*row, facts.row_count)) {
      return Refuse(fmt::format("{} has {} rows and not {}, but {}. {}", name, facts.row_count,
                                file.record_count, *why, kRestoreFile));
    }
  }
  const bool changes_rows = facts.row_count != file.record_count;
  steps.push_back({fmt::format("Notes what {} has: {} rows, {} bytes, a footer of {} bytes.", name,
                               facts.row_count, facts.file_size_bytes, *facts.footer_size),
                   {{RowChange::Kind::kUpdate,
                     std::string(tables::DataFile::kTable.name),
                     {{"record_count", facts.row_count},
                      {"file_size_bytes", facts.file_size_bytes},
                      {"footer_size", *facts.footer_size}},
                     {{"data_file_id", id}},
                     1}}});
  row->file.record_count = facts.row_count;
  row->file.file_size_bytes = facts.file_size_bytes;
  row->file.footer_size = facts.footer_size;
  if (!changes_rows) return;
  changed_rows_.insert(row->table);
  for (const ColumnStats& stats : file.stats) {
    if (done_.insert({RepairKind::kFileStats, id, stats.field.value}).second)
      PlanFileStats(id, stats.field.value);
  }
}

void RepairPlanner::PlanDeleteFile(int64_t id) {
  DeleteRow* row = FindDelete(id);
  const std::string name = model_.DeleteName(*row);
  const FileRow* of = FindFile(row->file.data_file.value);
  if (of == nullptr) return;  // it goes altogether
  const std::string path = *places_.Of(*row);
  DeleteFile& file = row->file;
  StoredFacts facts;
  try {
    if (file.encryption_key && file.format != "puffin") {
      return Refuse(fmt::format(
          "{} is encrypted, so nothing proves that the file is the one that was committed. {}",
          name, kRestoreFile));
    }
    const auto found = InspectDeleteFile(place_.file_system, path, file, of->file.record_count);
    if (auto other = FindOtherFault(found, RepairKind::kDeleteFile))
      return Refuse(fmt::format("{}: {} {}", name, *other, kRestoreFile));
    facts = ReadStoredFacts(place_.file_system, path, file, of->file.record_count);
  } catch (const Error& error) {
    return Refuse(fmt::format("{} cannot be read: {} {}", name, error.message(), kRestoreFile));
  }
  if (facts.row_count > of->file.record_count) {
    return Refuse(fmt::format("{} deletes {} rows, but its data file has {}. {}", name,
                              facts.row_count, of->file.record_count, kRestoreFile));
  }
  steps.push_back({fmt::format("Notes what {} has: {} deletes, {} bytes.", name, facts.row_count,
                               facts.file_size_bytes),
                   {{RowChange::Kind::kUpdate,
                     std::string(tables::DeleteFile::kTable.name),
                     {{"delete_count", facts.row_count},
                      {"file_size_bytes", facts.file_size_bytes},
                      {"footer_size", StatementBuilder::ToValue(facts.footer_size)}},
                     {{"delete_file_id", id}},
                     1}}});
  file.delete_count = facts.row_count;
  file.file_size_bytes = facts.file_size_bytes;
  file.footer_size = facts.footer_size;
}

RowChange RepairPlanner::Schedule(int64_t id, const std::string& resolved_path) {
  const std::optional<std::string> relative = RelativeTo(place_.data_path, resolved_path);
  return {RowChange::Kind::kInsert,
          std::string(tables::FilesScheduledForDeletion::kTable.name),
          {{"data_file_id", id},
           {"path", relative.value_or(resolved_path)},
           {"path_is_relative", relative.has_value()},
           {"schedule_start", now_}}};
}

void RepairPlanner::PlanUselessDeletes(int64_t id) {
  const DeleteRow* row = FindDelete(id);
  if (MayBeThere(row->file.data_file.value)) return;
  RepairStep step{fmt::format("Removes {}, whose data file does not exist, and schedules the file "
                              "for deletion.",
                              model_.DeleteName(*row)),
                  {{RowChange::Kind::kDelete,
                    std::string(tables::DeleteFile::kTable.name),
                    {},
                    {{"delete_file_id", id}},
                    1}}};
  if (const auto path = places_.Of(*row)) {
    const auto names_it = [&](const auto& other) {
      const auto of_other = places_.Of(other);
      return of_other && NormalPath(*of_other) == NormalPath(*path);
    };
    const bool is_data = std::any_of(model_.files.begin(), model_.files.end(), names_it);
    if (!is_data && std::count_if(model_.deletes.begin(), model_.deletes.end(), names_it) == 1)
      step.changes.push_back(Schedule(id, *path));
  }
  steps.push_back(std::move(step));
}

void RepairPlanner::PlanLastingDeletes(int64_t id) {
  const DeleteRow* row = FindDelete(id);
  const FileRow* of = FindFile(row->file.data_file.value);
  if (of == nullptr || !of->life.end || *of->life.end <= row->life.begin) return;
  steps.push_back({fmt::format("Ends {} at snapshot {}, with its data file.",
                               model_.DeleteName(*row), *of->life.end),
                   {{RowChange::Kind::kUpdate,
                     std::string(tables::DeleteFile::kTable.name),
                     {{"end_snapshot", *of->life.end}},
                     {{"delete_file_id", id}, {"end_snapshot", Value()}},
                     1}}});
}

void RepairPlanner::PlanDoubleDeletes(int64_t data_file) {
  const FileRow* of = FindFile(data_file);
  const std::string name = model_.FileName(*of);
  std::vector<const DeleteRow*> group;
  for (const DeleteRow& row : model_.deletes) {
    if (row.file.data_file.value != data_file) continue;
    const bool meets = std::any_of(model_.deletes.begin(), model_.deletes.end(), [&](auto& other) {
      return &other != &row && other.file.data_file == row.file.data_file &&
             other.life.Meets(row.life);
    });
    if (meets) group.push_back(&row);
  }
  // One that has ended was taken in by a later one; by which, and whether by all, nobody knows.
  if (std::any_of(group.begin(), group.end(),
                  [&](const DeleteRow* row) { return row->life.end != group.front()->life.end; })) {
    return Refuse(fmt::format(
        "The delete files of {} that are alive together do not end together, so what belongs to "
        "which snapshot cannot be told.",
        name));
  }
  if (options_.writer == nullptr && !options_.dry_run)
    return Refuse(fmt::format("The delete files of {} cannot be merged here.", name));

  DeleteMerge merge;
  merge.table = of->table;
  merge.data_file = data_file;
  merge.new_id = next_file_id++;
  merge.end = group.front()->life.end;
  PendingDelete& pending = merge.pending;
  pending.table = std::make_shared<Table>(model_.EveryColumnOf(of->table));
  pending.data_file_path = *places_.Of(*of);
  pending.folder = *places_.FolderOf(of->table);
  pending.data_file_rows = of->file.record_count;
  pending.needs_snapshot_ids = true;
  pending.format = "parquet";  // a vector has no place for the snapshot of each row
  RepairStep step;
  std::string ids;
  for (const DeleteRow* row : group) {
    ids += (ids.empty()           ? ""
            : row == group.back() ? " and "
                                  : ", ") +
           std::to_string(row->file.id.value);
    const std::string path = *places_.Of(*row);
    pending.existing.push_back({row->file, path, {}});
    step.changes.push_back({RowChange::Kind::kDelete,
                            std::string(tables::DeleteFile::kTable.name),
                            {},
                            {{"delete_file_id", row->file.id.value}},
                            1});
    step.changes.push_back(Schedule(row->file.id.value, path));
  }
  step.what = fmt::format("Merges the delete files {} of {} into one: what either deletes is gone.",
                          ids, name);
  step.merge = std::move(merge);
  steps.push_back(std::move(step));
}

}  // namespace tarn::check
