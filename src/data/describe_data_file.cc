// Makes the catalog's description of a Parquet file that carries a table's field ids. Fields are
// matched by id, never by name (format page, section 3): a field that the file lacks reads as its
// initial default, one that the table lacks is skipped.
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "data/find_field.h"
#include "data/read_as.h"
#include "format/paths.h"
#include "format/type_names.h"
#include "tarn/error.h"
#include "tarn/footer.h"

namespace tarn {
namespace {

// Embedded columns of files that keep row ids or mix snapshots (format page, section 5).
constexpr int64_t kRowIdField = 2147483540;
constexpr int64_t kSnapshotIdField = 2147483539;

class Fitter {
 public:
  Fitter(const std::string& path, const Table& table) : path_(path), table_(table) {}

  /// Checks the fields of one level against the columns of the same level.
  void Fit(const std::vector<ParquetField>& fields, const std::vector<Column>& columns,
           const std::string& prefix) {
    std::map<int64_t, const Column*> by_id;
    for (const Column& column : columns) by_id[column.id.value] = &column;
    std::map<int64_t, const ParquetField*> seen;
    for (const ParquetField& field : fields) {
      std::string name = prefix + field.name;
      if (!field.field_id) Fail(fmt::format("its column \"{}\" has no field id", name));
      if (*field.field_id == kRowIdField || *field.field_id == kSnapshotIdField) {
        Fail(fmt::format("its column \"{}\" is one that only a lake's own maintenance writes",
                         name));
      }
      if (!seen.emplace(*field.field_id, &field).second) {
        Fail(fmt::format("two of its columns have the field id {}", *field.field_id));
      }
      auto column = by_id.find(*field.field_id);
      if (column == by_id.end()) continue;
      FitOne(field, *column->second, name);
      ++matched_;
    }
    for (const Column& column : columns) {
      bool is_missing = !seen.contains(column.id.value);
      if (is_missing && !column.nulls_allowed && !column.initial_default) {
        Fail(fmt::format("it lacks the column \"{}\", which takes no NULLs", prefix + column.name));
      }
    }
  }

  int matched() const { return matched_; }

  [[noreturn]] void Fail(const std::string& why) const {
    throw Error(ErrorCode::kInvalid,
                fmt::format("\"{}\" does not fit table \"{}\": {}.", path_, table_.name, why),
                {{"path", path_}, {"table", table_.name}});
  }

 private:
  void FitOne(const ParquetField& field, const Column& column, const std::string& name) {
    ScalarType type = RequireTypeName(column.type);
    std::optional<ScalarType> stored = ParseTypeName(field.type);
    if (!stored || !CanReadAs(*stored, type)) {
      Fail(fmt::format("its column \"{}\" holds {}, the table's \"{}\" is {}", name, field.type,
                       column.name, column.type));
    }
    if (type.kind == TypeKind::kStruct || type.kind == TypeKind::kList ||
        type.kind == TypeKind::kMap) {
      Fit(field.children, column.children, name + ".");
    }
  }

  const std::string& path_;
  const Table& table_;
  int matched_ = 0;
};

void RequireNoNulls(const Fitter& fitter, const Table& table,
                    const std::vector<ColumnStats>& stats) {
  for (const Column& column : table.columns) {
    if (column.nulls_allowed) continue;
    for (const ColumnStats& column_stats : stats) {
      if (column_stats.field == column.id && column_stats.null_count.value_or(0) > 0) {
        fitter.Fail(fmt::format("column \"{}\" takes no NULLs, and the file holds {} of them",
                                column.name, *column_stats.null_count));
      }
    }
  }
}

}  // namespace

DataFile DescribeDataFile(FileSystem& file_system, const std::string& path, const Table& table) {
  std::optional<FileInfo> info = file_system.Stat(path);
  if (!info)
    throw Error(ErrorCode::kNotFound, fmt::format("There is no file \"{}\".", path),
                {{"path", path}});
  ParquetFooter footer = ReadParquetFooter(file_system, path);
  Fitter fitter(path, table);
  fitter.Fit(footer.fields, table.columns, "");
  if (fitter.matched() == 0) fitter.Fail("none of its columns has a field id of the table");

  DataFile file;
  // A path that depends on where a reader happens to run would be found by nobody else.
  bool is_absolute = IsAbsolutePath(path);
  file.path = is_absolute ? path : std::filesystem::absolute(path).lexically_normal().string();
  file.path_is_relative = false;
  file.record_count = footer.row_count;
  file.file_size_bytes = info->size_bytes;
  file.footer_size = footer.footer_size_bytes;
  for (ColumnStats& stats : footer.stats) {
    const Column* column = FindColumnById(table.columns, stats.field);
    if (column == nullptr) continue;
    if (!HasFileBounds(RequireTypeName(column->type).kind))
      stats.min_value = stats.max_value = std::nullopt;
    file.stats.push_back(std::move(stats));
  }
  RequireNoNulls(fitter, table, file.stats);
  return file;
}

}  // namespace tarn
