// The files themselves: present, of the recorded size, and none besides them. Deep: what each says
// of itself.
#include <algorithm>

#include <fmt/format.h>

#include "catalog/check.h"
#include "format/paths.h"
#include "format/tables.h"
#include "tarn/error.h"

namespace tarn::check {
namespace {

constexpr const char* kMissingAdvice =
    "Bring it back from a backup of the data path. What only a lost file knew is lost: without a "
    "backup, drop the table or write its rows anew from another source.";

class StorageChecker {
 public:
  StorageChecker(const Model& model, const FilePlaces& places, std::string_view data_path,
                 FileSystem& file_system, const CheckOptions& options, Findings& findings)
      : model_(model),
        places_(places),
        data_path_(data_path),
        file_system_(file_system),
        options_(options),
        findings_(findings) {}

  void Run() {
    for (const ScheduledRow& row : model_.scheduled) CheckScheduled(row);
    if (options_.deep) {
      for (const FileStatsRow& row : model_.file_stats) stats_[row.file].push_back(&row);
    }
    std::map<int64_t, int64_t> row_counts;
    for (const FileRow& row : model_.files) {
      row_counts[row.file.id.value] = row.file.record_count;
      CheckData(row);
      Progress();
    }
    for (const DeleteRow& row : model_.deletes) {
      auto rows = row_counts.find(row.file.data_file.value);
      CheckDelete(row, rows == row_counts.end() ? 0 : rows->second);
      Progress();
    }
    CheckUnreferenced();
    if (options_.progress) options_.progress(1.0);
  }

 private:
  void Progress() {
    ++done_;
    size_t all = model_.files.size() + model_.deletes.size();
    if (options_.progress && done_ % 64 == 0)
      options_.progress(static_cast<double>(done_) / static_cast<double>(all));
  }

  void CheckScheduled(const ScheduledRow& row) {
    if (!row.path) {
      findings_.Error(fmt::format("The row of data file {} in {} has no path, so nothing can be "
                                  "removed for it.",
                                  row.file, tables::FilesScheduledForDeletion::kTable.name),
                      std::string("Delete that row of the catalog."));
      return;
    }
    const auto& [path, is_relative] = *row.path;
    const std::string normal = NormalPath(JoinPath(data_path_, path, is_relative));
    scheduled_.insert(normal);
    if (LeadsOut(*row.path, data_path_)) {
      findings_.Error(fmt::format("The path \"{}\", which waits for its deletion, leads out of the "
                                  "data path.",
                                  path),
                      {RepairKind::kSchedule, -1, -1, normal});
    }
    if (!row.has_time) {
      findings_.Error(
          fmt::format("The file \"{}\" waits for its deletion since no time that can be "
                      "read.",
                      path),
          fmt::format("Set schedule_start in its row of {}.",
                      tables::FilesScheduledForDeletion::kTable.name));
    }
  }

  void CheckData(const FileRow& row) {
    std::string name = model_.FileName(row);
    std::optional<std::string> path = places_.Of(row);
    if (!path) return;  // its table is missing, which has been said
    std::string normal = NormalPath(*path);
    auto [first, is_new] = data_paths_.emplace(normal, row.file.id.value);
    if (!is_new) {
      findings_.Note(
          fmt::format("{} is the same physical file as data file {}.", name, first->second));
    }
    if (!CheckPresence(name, *path, normal, row.file.file_size_bytes,
                       {RepairKind::kDataFile, row.file.id.value}) ||
        !options_.deep) {
      return;
    }
    DataFile file = row.file;
    auto stats = stats_.find(file.id.value);
    if (stats != stats_.end()) {
      for (const FileStatsRow* column : stats->second) file.stats.push_back(column->stats);
    }
    const auto names = model_.name_maps.find(file.mapping_id.value_or(MappingId()).value);
    if (names != model_.name_maps.end()) {
      file.names = std::make_shared<NameMap>(names->second);
    }
    const Table& table = TableFor(row.table);
    bool is_readable_here = !file.encryption_key.has_value();
    const int64_t id = file.id.value;
    if (is_readable_here) Take(InspectDataFile(file_system_, *path, file, table), name, id);
    if (options_.inspect_file) Take(options_.inspect_file(*path, file, table), name, id);
  }

  void CheckDelete(const DeleteRow& row, int64_t row_count) {
    std::string name = model_.DeleteName(row);
    std::optional<std::string> path = places_.Of(row);
    if (!path) return;
    const int64_t id = row.file.id.value;
    if (!CheckPresence(name, *path, NormalPath(*path), row.file.file_size_bytes,
                       {RepairKind::kDeleteFile, id}) ||
        !options_.deep) {
      return;
    }
    // Deletion vectors have a key for other clients, but are not encrypted.
    if (!row.file.encryption_key || row.file.format == "puffin")
      Take(InspectDeleteFile(file_system_, *path, row.file, row_count), name, id);
    if (options_.inspect_delete_file && row.file.format == "parquet")
      Take(options_.inspect_delete_file(*path, row.file, row_count), name, id);
  }

  /// Puts the file's name before what an inspector says, and its id into the repair.
  void Take(const std::vector<CheckFinding>& found, const std::string& name, int64_t id) {
    for (CheckFinding finding : found) {
      finding.what = fmt::format("{}: {}", name, finding.what);
      if (finding.repair.kind != RepairKind::kNone) finding.repair.id = id;
      findings_.Add(std::move(finding));
    }
  }

  bool CheckPresence(const std::string& name, const std::string& path, const std::string& normal,
                     int64_t size_bytes, const RepairTarget& repair) {
    known_.insert(normal);
    if (scheduled_.contains(normal)) {
      findings_.Error(
          fmt::format("{} is scheduled for deletion, but the catalog still uses it.", name),
          {RepairKind::kSchedule, -1, -1, normal});
    }
    std::optional<FileInfo> info;
    try {
      info = file_system_.Stat(path);
    } catch (const Error& error) {
      findings_.Error(fmt::format("{} cannot be looked at: {}", name, error.message()));
      return false;
    }
    if (!info) {
      findings_.Error(fmt::format("{} is missing: there is no file \"{}\".", name, path),
                      std::string(kMissingAdvice));
      return false;
    }
    if (info->size_bytes != size_bytes) {
      findings_.Error(fmt::format("{} should have {} bytes, \"{}\" has {}.", name, size_bytes, path,
                                  info->size_bytes),
                      repair);
      return false;
    }
    return true;
  }

  void CheckUnreferenced() {
    auto is_data = [](const std::string& path) {
      return path.ends_with(".parquet") || path.ends_with(".puffin");
    };
    try {
      file_system_.List(std::string(data_path_), [&](const FileInfo& info) {
        std::string normal = NormalPath(info.path);
        if (is_data(info.path) && !known_.contains(normal) && !scheduled_.contains(normal)) {
          findings_.Add(
              {false,
               fmt::format("Nothing refers to the file \"{}\" in the data path.", info.path),
               {RepairKind::kUnknownFile, -1, -1, info.path},
               "`tarn orphans` removes it when it is old enough that no writer will commit it any "
               "more."});
        }
      });
    } catch (const Error& error) {
      findings_.Error(fmt::format("The data path cannot be listed: {}", error.message()));
    }
  }

  const Table& TableFor(int64_t id) {
    auto [found, is_new] = tables_.try_emplace(id);
    if (is_new) found->second = model_.EveryColumnOf(id);
    return found->second;
  }

  const Model& model_;
  const FilePlaces& places_;
  std::string_view data_path_;
  FileSystem& file_system_;
  const CheckOptions& options_;
  Findings& findings_;
  std::set<std::string> scheduled_;
  std::set<std::string> known_;
  std::map<std::string, int64_t> data_paths_;
  std::map<int64_t, Table> tables_;
  std::map<int64_t, std::vector<const FileStatsRow*>> stats_;  // by data file, only if deep
  size_t done_ = 0;
};

}  // namespace

FilePlaces::FilePlaces(const Model& model, std::string_view data_path) {
  std::map<int64_t, std::string> schema_paths;
  for (const ObjectRow& row : model.objects) {
    if (row.kind == ObjectKind::kSchema)
      schema_paths[row.id] = WithTrailingSlash(JoinPath(data_path, row.path, row.path_is_relative));
  }
  for (const ObjectRow& row : model.objects) {
    if (row.kind != ObjectKind::kTable) continue;
    auto schema = schema_paths.find(row.parent);
    if (schema == schema_paths.end()) continue;
    table_paths_[row.id] =
        WithTrailingSlash(JoinPath(schema->second, row.path, row.path_is_relative));
  }
}

std::optional<std::string> FilePlaces::Resolve(int64_t table, const std::string& path,
                                               bool is_relative) const {
  if (!is_relative) return path;
  auto found = table_paths_.find(table);
  return found == table_paths_.end() ? std::nullopt
                                     : std::optional(JoinPath(found->second, path, true));
}

void CheckStorage(const Model& model, const FilePlaces& places, std::string_view data_path,
                  FileSystem& file_system, const CheckOptions& options, Findings& findings) {
  StorageChecker(model, places, data_path, file_system, options, findings).Run();
}

}  // namespace tarn::check
