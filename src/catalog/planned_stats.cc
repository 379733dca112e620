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

void PlanFileStats(const Table& table, const PlanValue& table_id, const PlanValue& file_id,
                   const DataFile& file, const InsertPlanRow& insert) {
  for (const ColumnStats& column : file.stats) {
    const Column* of_table = table.FindField(column.field);
    // Dropped after the file was written.
    if (of_table == nullptr && !file.is_revived) continue;
    insert(tables::FileColumnStats::kTable,
           {file_id, table_id, Bound(column.field), Bound(column.column_size_bytes),
            Bound(column.value_count), Bound(column.null_count), Bound(column.min_value),
            Bound(column.max_value), Bound(column.contains_nan), Bound(column.extra_stats)});
    const bool is_variant =
        of_table != nullptr && RequireTypeName(of_table->type).kind == TypeKind::kVariant;
    if (is_variant && column.extra_stats) PlanFields(table_id, file_id, column, insert);
  }
}

}  // namespace tarn
