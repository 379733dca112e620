// See planned_stats.h.
#include "catalog/planned_stats.h"

#include <utility>

#include "format/type_names.h"
#include "format/variant_stats.h"
#include "store/statement.h"

namespace tarn {
namespace {

PlanValue Bound(auto&& value) {
  return StatementBuilder::ToValue(std::forward<decltype(value)>(value));
}

/// What extra_stats says of all fields in one text, row by row.
void PlanFields(const PlanValue& table_id, const PlanValue& file, const ColumnStats& stats,
                const InsertPlanRow& insert) {
  const auto fields = ParseVariantStats(*stats.extra_stats);
  if (!fields) return;
  for (const VariantFieldStats& field : *fields) {
    insert(tables::FileVariantStats::kTable,
           {file, table_id, Bound(stats.field), Bound(field.path), Bound(field.type),
            Bound(field.column_size_bytes), Bound(field.num_values - field.null_count),
            Bound(field.null_count), Bound(field.min_value), Bound(field.max_value),
            Bound(field.contains_nan), Value()});
  }
}

}  // namespace

void PlanFileStats(const Table& table, const PlanValue& table_id, const PlanValue& file,
                   std::span<const ColumnStats> stats, const InsertPlanRow& insert) {
  for (const ColumnStats& column : stats) {
    const Column* of_table = table.FindField(column.field);
    if (of_table == nullptr) continue;  // dropped after the file was written
    insert(tables::FileColumnStats::kTable,
           {file, table_id, Bound(column.field), Bound(column.column_size_bytes),
            Bound(column.value_count), Bound(column.null_count), Bound(column.min_value),
            Bound(column.max_value), Bound(column.contains_nan), Bound(column.extra_stats)});
    if (column.extra_stats && RequireTypeName(of_table->type).kind == TypeKind::kVariant)
      PlanFields(table_id, file, column, insert);
  }
}

}  // namespace tarn
