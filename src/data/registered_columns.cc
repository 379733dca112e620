// The rules of names and types: ducklake-1.0's name mappings, and what a reader can cast without
// loss. Entries are numbered depth first in the order of the file, as other clients do, then come
// columns that only folders have.
#include "data/registered_columns.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "data/read_as.h"
#include "format/stats_text.h"
#include "format/type_promotion.h"
#include "tarn/error.h"

namespace tarn {
namespace {

std::string SqlType(const std::string& name) {
  std::optional<ScalarType> type = ParseTypeName(name);
  return type ? SqlTypeName(*type) : name;
}

/// Every type that the column takes, as a sentence has it.
std::string ExpectedTypes(const ScalarType& column) {
  if (column.kind == TypeKind::kDecimal) return SqlTypeName(column) + " or a narrower DECIMAL";
  std::vector<std::string> names;
  for (TypeKind kind : AllTypeKinds()) {
    const ScalarType stored{kind, 0, 0};
    if (kind != TypeKind::kDecimal && CanRegisterAs(stored, column))
      names.push_back(SqlTypeName(stored));
  }
  return names.size() == 1 ? names[0] : fmt::format("one of {}", fmt::join(names, ", "));
}

/// A time or timestamp in another unit, rounded outwards. Absent where the unit has no such value.
std::optional<StatsValue> InUnit(const ScalarType& from, const ScalarType& to,
                                 const StatsValue& value, BoundSide side) {
  if (IsTimestamp(from.kind) && IsInfinite(from.kind, value)) {
    return value.integer > 0 ? PositiveInfinity(to.kind) : NegativeInfinity(to.kind);
  }
  const int64_t from_units = UnitsPerSecond(from.kind), to_units = UnitsPerSecond(to.kind);
  Int128 integer = value.integer;
  if (from_units <= to_units) {
    integer *= to_units / from_units;
  } else {
    const Int128 step = from_units / to_units;
    const Int128 rest = integer % step;
    integer /= step;
    if (side == BoundSide::kMin && rest < 0) --integer;
    if (side == BoundSide::kMax && rest > 0) ++integer;
  }
  if (integer > INT64_MAX || integer < -INT64_MAX) return std::nullopt;
  return StatsValue::Integer(integer);
}

class Matcher {
 public:
  Matcher(const ParquetFooter& footer, const FileToRegister& request, const Table& table)
      : footer_(footer), request_(request), table_(table) {}

  MatchedColumns Match() {
    MatchTop();
    RequireNoNulls();
    std::sort(out_.stats.begin(), out_.stats.end(), [](const ColumnStats& a, const ColumnStats& b) {
      return a.field.value < b.field.value;
    });
    return std::move(out_);
  }

 private:
  [[noreturn]] void Fail(const std::string& message) const {
    ThrowMisfit(request_, table_, message);
  }

  static const Column* FindByName(const std::vector<Column>& columns, const std::string& name) {
    for (const Column& column : columns) {
      if (EqualsIgnoreCase(column.name, name)) return &column;
    }
    return nullptr;
  }

  void MatchTop() {
    std::set<FieldId> seen;
    for (const ParquetField& field : footer_.fields) {
      const Column* column = FindByName(table_.columns, field.name);
      if (column == nullptr) {
        RefuseExtra(field.name);
        continue;
      }
      RefuseSecond(seen, *column, field.name);
      if (const FolderValue* folder = FolderOf(*column)) {
        AddFolderColumn(*column, *folder, field.source_name);
      } else {
        MatchField(field, *column, std::nullopt, field.name);
      }
    }
    for (const FolderValue& folder : request_.folders) {
      const Column* column = ColumnOfFolder(table_, folder.key);
      if (column != nullptr && seen.insert(column->id).second)
        AddFolderColumn(*column, folder, folder.key);
    }
    AddMissing(table_.columns, seen, "");
    if (out_.names.entries.empty()) {
      Fail(fmt::format("File \"{}\" has no column in common with table \"{}\"", request_.path,
                       table_.name));
    }
  }

  const FolderValue* FolderOf(const Column& column) const {
    for (const FolderValue& folder : request_.folders) {
      if (ColumnOfFolder(table_, folder.key) == &column) return &folder;
    }
    return nullptr;
  }

  void MatchChildren(const ParquetField& field, const Column& column, int64_t parent,
                     const std::string& name) {
    std::set<FieldId> seen;
    for (const ParquetField& child : field.children) {
      const std::string child_name = name + "." + child.name;
      const Column* child_column = FindByName(column.children, child.name);
      if (child_column == nullptr) {
        RefuseExtra(child_name);
        continue;
      }
      RefuseSecond(seen, *child_column, child_name);
      MatchField(child, *child_column, parent, child_name);
    }
    AddMissing(column.children, seen, name + ".");
    if (seen.empty()) {
      Fail(
          fmt::format("Column \"{}\" of file \"{}\" has no field in common with column \"{}\" of "
                      "table \"{}\"",
                      name, request_.path, column.name, table_.name));
    }
  }

  void MatchField(const ParquetField& field, const Column& column, std::optional<int64_t> parent,
                  const std::string& name) {
    const ScalarType type = RequireTypeName(column.type);
    const std::optional<ScalarType> stored = ParseTypeName(field.type);
    if (!stored || !CanRegisterAs(*stored, type)) {
      Fail(fmt::format(
          "Failed to map column \"{}\" from file \"{}\" to column \"{}\" in table "
          "\"{}\": expected {}, found type {}. INSERT INTO … SELECT … FROM "
          "read_parquet(…) can cast it",
          name, request_.path, column.name, table_.name, ExpectedTypes(type), SqlType(field.type)));
    }
    const int64_t id = AddEntry(field.source_name, column, parent, /*is_partition=*/false);
    if (IsNested(type.kind)) {
      MatchChildren(field, column, id, name);
    } else if (field.leaf) {
      ColumnStats stats = footer_.stats.at(*field.leaf);
      if (!parent && !field.optional && !stats.null_count) {
        stats.null_count = 0;
        stats.value_count = footer_.row_count;
      }
      AddStats(std::move(stats), *stored, type, column);
    }
  }

  int64_t AddEntry(const std::string& source_name, const Column& column,
                   std::optional<int64_t> parent, bool is_partition) {
    const auto id = static_cast<int64_t>(out_.names.entries.size());
    out_.names.entries.push_back({id, source_name, column.id, parent, is_partition});
    return id;
  }

  void AddStats(ColumnStats stats, const ScalarType& stored, const ScalarType& type,
                const Column& column) {
    stats.field = column.id;
    stats.min_value = WidenedBound(stored, type, stats.min_value, BoundSide::kMin);
    stats.max_value = WidenedBound(stored, type, stats.max_value, BoundSide::kMax);
    out_.stats.push_back(std::move(stats));
  }

  /// All rows have the value of the folder, whatever the file has.
  void AddFolderColumn(const Column& column, const FolderValue& folder,
                       const std::string& source_name) {
    AddEntry(source_name, column, std::nullopt, /*is_partition=*/true);
    if (!folder.value && !column.nulls_allowed) {
      Fail(
          fmt::format("Column \"{}\" of table \"{}\" takes no NULLs, but the folder of file "
                      "\"{}\" says that \"{}\" is NULL",
                      column.name, table_.name, request_.path, folder.key));
    }
    AddConstant(column, folder.value, /*is_everywhere=*/true);
  }

  // --- what does not match ---

  void RefuseExtra(const std::string& name) const {
    if (request_.ignore_extra_columns) return;
    Fail(
        fmt::format("Column \"{}\" exists in file \"{}\" but was not found in table \"{}\"\n"
                    "* Set ignore_extra_columns => true to add the file anyway",
                    name, request_.path, table_.name));
  }

  void RefuseSecond(std::set<FieldId>& seen, const Column& column, const std::string& name) const {
    if (seen.insert(column.id).second) return;
    Fail(
        fmt::format("File \"{}\" has more than one column \"{}\" for column \"{}\" of table "
                    "\"{}\": names are compared ignoring case",
                    request_.path, name, column.name, table_.name));
  }

  /// Columns that the file lacks are refused, or described as what they read as.
  void AddMissing(const std::vector<Column>& columns, const std::set<FieldId>& seen,
                  const std::string& prefix) {
    for (const Column& column : columns) {
      if (seen.contains(column.id)) continue;
      if (!request_.allow_missing) {
        Fail(
            fmt::format("Column \"{}{}\" exists in table \"{}\" but was not found in file \"{}\"\n"
                        "* Set allow_missing => true to allow missing fields and columns",
                        prefix, column.name, table_.name, request_.path));
      }
      const bool reads_as_null = prefix.empty() && !column.initial_default;
      if (reads_as_null && !column.nulls_allowed) {
        Fail(fmt::format("Column \"{}\" of table \"{}\" takes no NULLs, but file \"{}\" lacks it",
                         column.name, table_.name, request_.path));
      }
      AddConstant(column, column.initial_default, /*is_everywhere=*/prefix.empty());
    }
  }

  /// Statistics of a column that reads as one value in all rows; a default inside of structs only
  /// where the struct is not NULL. Without them the table's bounds would be lost.
  void AddConstant(const Column& column, const std::optional<std::string>& text,
                   bool is_everywhere) {
    const ScalarType type = RequireTypeName(column.type);
    if (IsNested(type.kind)) {
      if (text) return;
      for (const Column& child : column.children) AddConstant(child, std::nullopt, true);
      return;
    }
    ColumnStats stats;
    stats.field = column.id;
    stats.column_size_bytes = 0;
    if (!text || is_everywhere) {
      stats.value_count = text ? footer_.row_count : 0;
      stats.null_count = text ? 0 : footer_.row_count;
    }
    const auto value = text ? ParseValue(type, *text, TextEncoding::kPlain) : std::nullopt;
    if (value && HasFileBounds(type.kind)) {
      stats.min_value = EncodeBound(type, *value, BoundSide::kMin);
      stats.max_value = EncodeBound(type, *value, BoundSide::kMax);
    }
    // A NaN has no bounds.
    if (HasNan(type.kind)) stats.contains_nan = text && !(stats.min_value && stats.max_value);
    out_.stats.push_back(std::move(stats));
  }

  // --- NULLs ---

  /// Of top-level columns: what nested fields store there is not kept to by any client.
  void RequireNoNulls() const {
    for (const ParquetField& field : footer_.fields) {
      const Column* column = FindByName(table_.columns, field.name);
      if (column == nullptr || column->nulls_allowed || !field.optional) continue;
      if (FolderOf(*column) != nullptr || IsSurelyThere(field)) continue;
      const std::optional<int64_t> nulls =
          field.leaf ? footer_.stats.at(*field.leaf).null_count : std::nullopt;
      Fail(nulls ? fmt::format("Column \"{}\" of table \"{}\" takes no NULLs, but file \"{}\" has "
                               "{} of them",
                               column->name, table_.name, request_.path, *nulls)
                 : fmt::format("Column \"{}\" of table \"{}\" takes no NULLs, but the footer of "
                               "file \"{}\" does not say whether it has any: load it with INSERT "
                               "INTO … SELECT … FROM read_parquet(…)",
                               column->name, table_.name, request_.path));
    }
  }

  /// A value without NULLs in one of its leaves is never NULL itself.
  bool IsSurelyThere(const ParquetField& field) const {
    if (footer_.row_count == 0) return true;
    if (field.leaf) return footer_.stats.at(*field.leaf).null_count == 0;
    return std::any_of(field.children.begin(), field.children.end(),
                       [this](const ParquetField& child) { return IsSurelyThere(child); });
  }

  const ParquetFooter& footer_;
  const FileToRegister& request_;
  const Table& table_;
  MatchedColumns out_;
};

}  // namespace

void ThrowMisfit(const FileToRegister& request, const Table& table, const std::string& message) {
  throw Error(ErrorCode::kInvalid, message, {{"path", request.path}, {"table", table.name}});
}

std::optional<std::string> WidenedBound(const ScalarType& from, const ScalarType& to,
                                        const std::optional<std::string>& text, BoundSide side) {
  if (!text || !HasFileBounds(to.kind)) return std::nullopt;
  if (from == to || (IsInteger(from.kind) && IsInteger(to.kind))) return text;
  std::optional<StatsValue> value = ParseBound(from, *text, side);
  if (!value) return std::nullopt;
  const bool is_time = from.kind == TypeKind::kTime || IsTimestamp(from.kind);
  if (is_time) {
    value = InUnit(from, to, *value, side);
  } else if (from.kind == TypeKind::kDecimal) {
    value = StatsValue::Integer(value->integer * PowerOfTen(to.scale - from.scale));
  } else if (!IsFloat(from.kind)) {
    return std::nullopt;
  }
  return value ? EncodeBound(to, *value, side) : std::nullopt;
}

MatchedColumns MatchColumns(const ParquetFooter& footer, const FileToRegister& request,
                            const Table& table) {
  return Matcher(footer, request, table).Match();
}

}  // namespace tarn
