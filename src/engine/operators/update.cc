// See update.h.
#include "engine/operators/update.h"

#include <memory>
#include <utility>

#include "duckdb/execution/physical_plan_generator.hpp"
#include "duckdb/planner/operator/logical_update.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/fill_column.h"
#include "engine/operators/row_change.h"
#include "engine/operators/write_job.h"

namespace tarn::engine {

duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> NewRow(
    const TarnTableEntry& entry, const duckdb::vector<duckdb::PhysicalIndex>& columns,
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> expressions,
    const duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& defaults) {
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> result(
      entry.GetColumns().PhysicalColumnCount());
  for (duckdb::idx_t i = 0; i < columns.size(); ++i) {
    const auto column = columns[i].index;
    const bool is_default =
        expressions[i]->GetExpressionType() == duckdb::ExpressionType::VALUE_DEFAULT;
    result[column] = is_default ? defaults[column]->Copy() : std::move(expressions[i]);
  }
  return result;
}

duckdb::PhysicalOperator& PlanUpdate(duckdb::ClientContext& context,
                                     duckdb::PhysicalPlanGenerator& planner,
                                     duckdb::LogicalUpdate& op, duckdb::PhysicalOperator& plan) {
  auto& entry = op.table.Cast<TarnTableEntry>();
  if (auto* fill = PlanFillColumn(context, planner, op, plan)) {
    return *fill;
  }
  RequireRowsWritable(entry.table());
  RowChange change;
  change.run = std::make_shared<ChangeRun>(entry);
  change.run->WillUpdate(context);
  change.name = "TARN_UPDATE";
  change.row_ids = plan.types.size() - kRowIdColumns;
  change.new_row = NewRow(entry, op.columns, std::move(op.expressions), op.bound_defaults);
  change.returns = op.return_chunk;
  return PlanRowChange(planner, op.types, std::move(change), plan, op.estimated_cardinality);
}

}  // namespace tarn::engine
