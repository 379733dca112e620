// See fill_column.h.
#include "engine/operators/fill_column.h"

#include <optional>
#include <utility>

#include "duckdb/execution/expression_executor.hpp"
#include "duckdb/execution/operator/projection/physical_projection.hpp"
#include "duckdb/execution/operator/scan/physical_table_scan.hpp"
#include "duckdb/execution/physical_plan_generator.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/operator/logical_update.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/scan.h"
#include "engine/operators/scan_file_list.h"
#include "tarn/scan.h"

namespace tarn::engine {
namespace {

struct Fill {
  FieldId column;
  duckdb::Value value;
};

class FillColumn : public duckdb::PhysicalOperator {
 public:
  FillColumn(duckdb::PhysicalPlan& plan, duckdb::vector<duckdb::LogicalType> types,
             TarnTableEntry& entry, Fill fill, int64_t rows)
      : PhysicalOperator(plan, duckdb::PhysicalOperatorType::EXTENSION, std::move(types), 1),
        entry_(entry),
        fill_(std::move(fill)),
        rows_(rows) {}

  std::string GetName() const override { return "TARN_FILL_COLUMN"; }
  duckdb::InsertionOrderPreservingMap<std::string> ParamsToString() const override {
    duckdb::InsertionOrderPreservingMap<std::string> result;
    result["Table"] = entry_.name;
    return result;
  }

  bool IsSource() const override { return true; }

 protected:
  duckdb::SourceResultType GetDataInternal(duckdb::ExecutionContext& context,
                                           duckdb::DataChunk& chunk,
                                           duckdb::OperatorSourceInput&) const override {
    const auto value = fill_.value.IsNull() ? std::nullopt : std::optional(fill_.value.ToString());
    const bool filled = Guard([&] {
      return TarnTransaction::Get(context.client, entry_.lake_catalog())
          .kernel()
          .FillAddedColumn(entry_.table().ref, fill_.column, value);
    });
    if (!filled) {
      throw duckdb::TransactionException(
          "Table \"%s\" was changed after the statement was planned. Run it again.", entry_.name);
    }
    chunk.SetCardinality(1);
    chunk.SetValue(0, 0, duckdb::Value::BIGINT(rows_));
    return duckdb::SourceResultType::FINISHED;
  }

 private:
  TarnTableEntry& entry_;
  const Fill fill_;
  const int64_t rows_;
};

const duckdb::Expression* Referred(const duckdb::Expression& expression,
                                   const duckdb::PhysicalProjection& projection) {
  if (expression.GetExpressionClass() != duckdb::ExpressionClass::BOUND_REF) return nullptr;
  return projection.select_list[expression.Cast<duckdb::BoundReferenceExpression>().index].get();
}

/// The column of the table that an expression over its scan is; absent for anything else.
std::optional<duckdb::column_t> ScannedColumn(const duckdb::Expression& expression,
                                              const duckdb::PhysicalTableScan& scan) {
  if (expression.GetExpressionClass() != duckdb::ExpressionClass::BOUND_REF) return std::nullopt;
  auto index = expression.Cast<duckdb::BoundReferenceExpression>().index;
  if (!scan.projection_ids.empty()) index = scan.projection_ids[index];
  return scan.column_ids[index].GetPrimaryIndex();
}

std::optional<Fill> AsFill(duckdb::ClientContext& context, const duckdb::LogicalUpdate& op,
                           const duckdb::PhysicalOperator& plan, const TarnTableEntry& entry) {
  if (op.return_chunk || plan.type != duckdb::PhysicalOperatorType::PROJECTION ||
      plan.children[0].get().type != duckdb::PhysicalOperatorType::TABLE_SCAN ||
      !ScansWholeTable(plan, entry)) {
    return std::nullopt;
  }
  const auto& projection = plan.Cast<duckdb::PhysicalProjection>();
  const auto& scan = plan.children[0].get().Cast<duckdb::PhysicalTableScan>();
  std::optional<Fill> fill;
  for (duckdb::idx_t i = 0; i < op.columns.size(); ++i) {
    const auto* expression = Referred(*op.expressions[i], projection);
    if (expression == nullptr) return std::nullopt;
    const auto column = op.columns[i].index;
    if (ScannedColumn(*expression, scan) == column) continue;  // stays as it is
    // One value for all rows: an expression over no column, and the same whenever it is asked.
    if (fill || !expression->IsScalar() || expression->IsVolatile()) return std::nullopt;
    const auto field = entry.table().columns[column].id;
    auto& kernel = TarnTransaction::Get(context, entry.lake_catalog()).kernel();
    if (!kernel.CanFillAddedColumn(entry.table().ref, field)) return std::nullopt;
    fill = Fill{field, duckdb::ExpressionExecutor::EvaluateScalar(context, *expression, true)};
  }
  return fill;
}

}  // namespace

duckdb::PhysicalOperator* PlanFillColumn(duckdb::ClientContext& context,
                                         duckdb::PhysicalPlanGenerator& planner,
                                         const duckdb::LogicalUpdate& op,
                                         const duckdb::PhysicalOperator& plan) {
  auto& entry = op.table.Cast<TarnTableEntry>();
  auto fill = AsFill(context, op, plan, entry);
  if (!fill) return nullptr;
  // Known, since all rows are scanned (AsFill); asked in the same way, so that it stays so.
  const auto rows = FindScannedFiles(plan.children[0].get())->counts()->row_count;
  if (!rows) return nullptr;
  return &planner.Make<FillColumn>(op.types, entry, std::move(*fill), *rows);
}

}  // namespace tarn::engine
