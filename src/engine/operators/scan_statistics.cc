// See scan_statistics.h; format page, section 4.
#include "engine/operators/scan_statistics.h"

#include <algorithm>
#include <optional>
#include <string>

#include "duckdb/storage/statistics/base_statistics.hpp"
#include "duckdb/storage/statistics/numeric_stats.hpp"
#include "duckdb/storage/statistics/string_stats.hpp"
#include "engine/bridge/types.h"
#include "engine/bridge/values.h"
#include "engine/catalog/tarn_table_entry.h"
#include "format/type_names.h"

namespace tarn::engine {
namespace {

using duckdb::BaseStatistics;
using duckdb::LogicalType;
using duckdb::Value;

// Rows older than the column read as its initial default, and no statistics count them.
bool HasOlderRows(const Table& table, const Column& column) {
  // A table's row begins anew with a rename, and a column may have been added in that commit.
  const bool may_be_renamed =
      std::any_of(table.columns.begin(), table.columns.end(),
                  [&](const Column& other) { return other.begin_snapshot < table.begin_snapshot; });
  return may_be_renamed || column.begin_snapshot != table.begin_snapshot;
}

struct Bounds {
  std::optional<Value> min;
  std::optional<Value> max;
};

Bounds BoundsOf(const TableStats::Column& stats, const ScalarType& type,
                const LogicalType& logical_type) {
  Bounds bounds;
  if (stats.min_value) {
    bounds.min = BoundValue(type, logical_type, *stats.min_value, BoundSide::kMin);
  }
  if (stats.max_value) {
    bounds.max = BoundValue(type, logical_type, *stats.max_value, BoundSide::kMax);
  }
  if (HasNan(type.kind) && bounds.max) {
    // NaN is above all and not in the bounds, and not every writer that says there is none has
    // looked at all of its files.
    bounds.max = Value("nan").DefaultCastAs(logical_type);
  }
  return bounds;
}

void Include(Bounds& bounds, const Value& value) {
  if (bounds.min && value < *bounds.min) {
    bounds.min = value;
  }
  if (bounds.max && value > *bounds.max) {
    bounds.max = value;
  }
}

// DuckDB keeps 8 bytes of a text's bounds, which SetMin cuts; a cut maximum stands for all texts
// that begin so. Bytes, not texts: a bound that was cut need not be UTF-8.
void SetTextBounds(BaseStatistics& stats, const TableStats::Column& column,
                   const std::string* initial_default) {
  if (!column.min_value || !column.max_value) {
    return;
  }
  const std::string* min = &*column.min_value;
  const std::string* max = &*column.max_value;
  if (initial_default != nullptr) {
    min = std::min(min, initial_default, [](const auto* a, const auto* b) { return *a < *b; });
    max = std::max(max, initial_default, [](const auto* a, const auto* b) { return *a < *b; });
  }
  duckdb::StringStats::SetMin(stats, duckdb::string_t(*min));
  duckdb::StringStats::SetMax(stats, duckdb::string_t(*max));
}

}  // namespace

duckdb::unique_ptr<BaseStatistics> ColumnStatistics(ScanSource& source,
                                                    duckdb::column_t column_id) {
  const auto& table = *source.table();
  if (column_id >= table.columns.size() || !table.columns[column_id].children.empty()) {
    return nullptr;
  }
  const auto& column = table.columns[column_id];
  const auto* table_stats = source.Stats();
  if (table_stats == nullptr) {
    return nullptr;
  }
  const auto found =
      std::find_if(table_stats->columns.begin(), table_stats->columns.end(),
                   [&column](const auto& stats) { return stats.field == column.id; });
  if (found == table_stats->columns.end()) {
    return nullptr;
  }
  const auto type = RequireTypeName(column.type);
  const auto logical_type = ToLogicalType(column);
  const auto sql_type = ToSqlType(column);
  auto result = BaseStatistics::CreateUnknown(sql_type);
  const bool has_older_rows = HasOlderRows(table, column);
  // Other writers count no NULLs of kinds that they keep no bounds of, and say there are none.
  if (found->contains_null == false && HasFileBounds(type.kind) &&
      (!has_older_rows || column.initial_default || !column.nulls_allowed)) {
    result.Set(duckdb::StatsInfo::CANNOT_HAVE_NULL_VALUES);
  }
  // The bounds of an ENUM are of its texts, which have another order.
  if (!TableBoundsMayPrune(type.kind) || sql_type != logical_type) {
    return result.ToUnique();
  }
  const bool reads_default = has_older_rows && column.initial_default;
  if (type.kind == TypeKind::kVarchar) {
    SetTextBounds(result, *found, reads_default ? &*column.initial_default : nullptr);
  } else if (result.GetStatsType() == duckdb::StatisticsType::NUMERIC_STATS) {
    auto bounds = BoundsOf(*found, type, logical_type);
    if (reads_default) {
      Include(bounds, InitialDefault(column, logical_type));
    }
    if (bounds.min && bounds.max) {
      duckdb::NumericStats::SetMin(result, *bounds.min);
      duckdb::NumericStats::SetMax(result, *bounds.max);
    }
  }
  return result.ToUnique();
}

}  // namespace tarn::engine
