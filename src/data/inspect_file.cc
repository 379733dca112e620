// What a file says of itself against what the catalog says of it, from footers alone.
#include <map>

#include <fmt/format.h>

#include "data/apply_name_map.h"
#include "data/delete_mask.h"
#include "data/find_field.h"
#include "format/stats_value.h"
#include "format/type_names.h"
#include "tarn/check.h"
#include "tarn/error.h"
#include "tarn/footer.h"

namespace tarn {
namespace {

// Embedded columns (format page, section 5), and those of positional delete files (section 6).
constexpr int64_t kRowIdField = 2147483540;
constexpr int64_t kSnapshotIdField = 2147483539;
constexpr int64_t kDeletePositionField = 2147483645;

class Inspector {
 public:
  void Error(std::string what) { found_.push_back({true, std::move(what)}); }
  std::vector<CheckFinding> Finish() { return std::move(found_); }

  /// The footer, or a finding and nothing.
  std::optional<ParquetFooter> Footer(FileSystem& file_system, const std::string& path) {
    try {
      return ReadParquetFooter(file_system, path);
    } catch (const tarn::Error& error) {
      Error(error.message());
      return std::nullopt;
    }
  }

  void CheckFooterSize(const ParquetFooter& footer, const std::optional<int64_t>& recorded) {
    if (recorded && *recorded != footer.footer_size_bytes) {
      Error(fmt::format("the catalog says its footer has {} bytes, it has {}.", *recorded,
                        footer.footer_size_bytes));
    }
  }

  void CheckFields(const std::vector<ParquetField>& fields, const Table& table) {
    for (const ParquetField& field : fields) {
      if (field.field_id == kRowIdField || field.field_id == kSnapshotIdField) continue;
      if (!field.field_id) {
        Error(fmt::format(
            "its column \"{}\" has no field id, and the catalog has no name mapping for it.",
            field.name));
        continue;
      }
      const Column* column = FindColumnById(table.columns, FieldId(*field.field_id));
      if (column == nullptr) {
        Error(fmt::format("its column \"{}\" has the field id {}, which the table never had.",
                          field.name, *field.field_id));
      } else if (column->type != "variant") {  // its parts are Parquet's affair and have no ids
        CheckFields(field.children, table);
      }
    }
  }

  void CheckStats(const ColumnStats& recorded, const ColumnStats& stored, const ScalarType& type) {
    if (HasFileBounds(type.kind) && recorded.null_count && stored.null_count &&
        *recorded.null_count != *stored.null_count) {
      Error(fmt::format("the catalog counts {} NULLs in column {}, its footer {}.",
                        *recorded.null_count, recorded.field.value, *stored.null_count));
    }
    if (!FileBoundsMayPrune(type.kind)) return;
    CheckBound(recorded, recorded.min_value, stored.min_value, type, BoundSide::kMin);
    CheckBound(recorded, recorded.max_value, stored.max_value, type, BoundSide::kMax);
  }

 private:
  /// The catalog's bound may be wider than the footer's, never narrower.
  void CheckBound(const ColumnStats& column, const std::optional<std::string>& recorded,
                  const std::optional<std::string>& stored, const ScalarType& type,
                  BoundSide side) {
    if (!recorded || !stored) return;
    BoundSide other = side == BoundSide::kMin ? BoundSide::kMax : BoundSide::kMin;
    std::optional<StatsValue> outer = ParseBound(type, *recorded, side);
    std::optional<StatsValue> inner = ParseBound(type, *stored, other);
    if (!outer || !inner) return;
    auto order = Compare(*outer, *inner);
    if (side == BoundSide::kMin ? order > 0 : order < 0) {
      Error(fmt::format("the {} of column {} is \"{}\" in the catalog and \"{}\" in its footer.",
                        side == BoundSide::kMin ? "minimum" : "maximum", column.field.value,
                        *recorded, *stored));
    }
  }

  std::vector<CheckFinding> found_;
};

}  // namespace

std::vector<CheckFinding> InspectDataFile(FileSystem& file_system, const std::string& path,
                                          const DataFile& file, const Table& table) {
  Inspector inspector;
  std::optional<ParquetFooter> footer = inspector.Footer(file_system, path);
  if (!footer) return inspector.Finish();
  if (footer->row_count != file.record_count) {
    inspector.Error(fmt::format("the catalog says it has {} rows, it has {}.", file.record_count,
                                footer->row_count));
  }
  inspector.CheckFooterSize(*footer, file.footer_size);
  if (file.mapping_id && !file.registration) return inspector.Finish();
  if (file.registration) ApplyNameMap(*file.registration->names, *footer);
  inspector.CheckFields(footer->fields, table);
  std::map<FieldId, const ColumnStats*> recorded;
  for (const ColumnStats& stats : file.stats) recorded[stats.field] = &stats;
  for (const ColumnStats& stored : footer->stats) {
    auto found = recorded.find(stored.field);
    const Column* column = FindColumnById(table.columns, stored.field);
    if (found == recorded.end() || column == nullptr) continue;
    std::optional<ScalarType> type = ParseTypeName(column->type);
    if (type) inspector.CheckStats(*found->second, stored, *type);
  }
  return inspector.Finish();
}

std::vector<CheckFinding> InspectDeleteFile(FileSystem& file_system, const std::string& path,
                                            const DeleteFile& file, int64_t row_count) {
  Inspector inspector;
  int64_t deletes = 0;
  if (file.format == "puffin") {
    try {
      DeleteMask mask;
      ReadDeletionVector(file_system, path, row_count, mask);
      deletes = mask.size();
    } catch (const Error& error) {
      inspector.Error(error.message());
      return inspector.Finish();
    }
  } else {
    std::optional<ParquetFooter> footer = inspector.Footer(file_system, path);
    if (!footer) return inspector.Finish();
    inspector.CheckFooterSize(*footer, file.footer_size);
    bool has_positions = false;
    for (const ParquetField& field : footer->fields) {
      has_positions =
          has_positions || field.field_id == kDeletePositionField || field.name == "pos";
    }
    if (!has_positions) inspector.Error("it has no column of positions.");
    deletes = footer->row_count;
  }
  if (deletes != file.delete_count) {
    inspector.Error(fmt::format("the catalog says it deletes {} rows, it names {}.",
                                file.delete_count, deletes));
  }
  return inspector.Finish();
}

}  // namespace tarn
