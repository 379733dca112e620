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
  void Error(std::string what, RepairKind repair = RepairKind::kNone, int64_t column = -1) {
    found_.push_back({true, std::move(what), {repair, -1, column}, {}});
  }
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

  void CheckFooterSize(const ParquetFooter& footer, const std::optional<int64_t>& recorded,
                       RepairKind kind) {
    if (recorded && *recorded != footer.footer_size_bytes) {
      Error(fmt::format("the catalog says its footer has {} bytes, it has {}.", *recorded,
                        footer.footer_size_bytes),
            kind);
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
                        *recorded.null_count, recorded.field.value, *stored.null_count),
            RepairKind::kFileStats, recorded.field.value);
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
                        *recorded, *stored),
            RepairKind::kFileStats, column.field.value);
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
                                footer->row_count),
                    RepairKind::kDataFile);
  }
  inspector.CheckFooterSize(*footer, file.footer_size, RepairKind::kDataFile);
  if (file.mapping_id && !file.names) return inspector.Finish();
  if (file.names) ApplyNameMap(*file.names, *footer);
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
    inspector.CheckFooterSize(*footer, file.footer_size, RepairKind::kDeleteFile);
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
                                file.delete_count, deletes),
                    RepairKind::kDeleteFile);
  }
  return inspector.Finish();
}

namespace {

int64_t SizeOf(FileSystem& file_system, const std::string& path) {
  std::optional<FileInfo> info = file_system.Stat(path);
  if (!info) throw Error(ErrorCode::kNotFound, fmt::format("There is no file \"{}\".", path));
  return info->size_bytes;
}

/// Gives each leaf's statistics that are of a column's type; of others the bounds say nothing.
void TakeStats(const std::vector<ParquetField>& fields, const Table& table,
               const ParquetFooter& footer, StoredFacts& facts) {
  for (const ParquetField& field : fields) {
    if (field.field_id == kRowIdField) {
      facts.embeds_row_ids = true;
      const ScalarType type = RequireTypeName("int64");
      if (field.leaf && footer.stats[*field.leaf].max_value) {
        auto last = ParseBound(type, *footer.stats[*field.leaf].max_value, BoundSide::kMax);
        if (last) facts.last_row_id = static_cast<int64_t>(last->integer);
      }
      continue;
    }
    const Column* column =
        field.field_id ? FindColumnById(table.columns, FieldId(*field.field_id)) : nullptr;
    if (column == nullptr || column->type == "variant") continue;
    if (!field.leaf) {
      TakeStats(field.children, table, footer, facts);
      continue;
    }
    ColumnStats stats = footer.stats[*field.leaf];
    stats.field = column->id;
    const bool has_bounds =
        field.type == column->type && HasFileBounds(RequireTypeName(column->type).kind);
    if (!has_bounds) {
      stats.min_value.reset();
      stats.max_value.reset();
    }
    facts.stats.push_back(std::move(stats));
  }
}

}  // namespace

StoredFacts ReadStoredFacts(FileSystem& file_system, const std::string& path, const DataFile& file,
                            const Table& table) {
  ParquetFooter footer = ReadParquetFooter(file_system, path);
  if (file.names) ApplyNameMap(*file.names, footer);
  StoredFacts facts;
  facts.row_count = footer.row_count;
  facts.file_size_bytes = SizeOf(file_system, path);
  facts.footer_size = footer.footer_size_bytes;
  TakeStats(footer.fields, table, footer, facts);
  return facts;
}

StoredFacts ReadStoredFacts(FileSystem& file_system, const std::string& path,
                            const DeleteFile& file, int64_t row_count) {
  StoredFacts facts;
  facts.file_size_bytes = SizeOf(file_system, path);
  if (file.format == "puffin") {
    DeleteMask mask;
    ReadDeletionVector(file_system, path, row_count, mask);
    facts.row_count = mask.size();
    facts.footer_size = file.footer_size;
  } else {
    const ParquetFooter footer = ReadParquetFooter(file_system, path);
    facts.row_count = footer.row_count;
    facts.footer_size = footer.footer_size_bytes;
  }
  return facts;
}

}  // namespace tarn
