// See not_null_check.h.
#include "engine/operators/not_null_check.h"

#include <utility>

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/execution/physical_plan_generator.hpp"

namespace tarn::engine {
namespace {

struct CheckedColumn {
  duckdb::idx_t position;
  std::string name;  ///< "t.c"
};

class NotNullCheck : public duckdb::PhysicalOperator {
 public:
  NotNullCheck(duckdb::PhysicalPlan& plan, duckdb::vector<duckdb::LogicalType> types,
               std::vector<CheckedColumn> columns, duckdb::idx_t estimated_cardinality)
      : PhysicalOperator(plan, duckdb::PhysicalOperatorType::EXTENSION, std::move(types),
                         estimated_cardinality),
        columns_(std::move(columns)) {}

  std::string GetName() const override { return "NOT_NULL"; }
  bool ParallelOperator() const override { return true; }

  duckdb::OperatorResultType Execute(duckdb::ExecutionContext&, duckdb::DataChunk& input,
                                     duckdb::DataChunk& chunk, duckdb::GlobalOperatorState&,
                                     duckdb::OperatorState&) const override {
    for (const auto& column : columns_) {
      if (duckdb::VectorOperations::HasNull(input.data[column.position], input.size())) {
        throw duckdb::ConstraintException("NOT NULL constraint failed: %s", column.name);
      }
    }
    chunk.Reference(input);
    return duckdb::OperatorResultType::NEED_MORE_INPUT;
  }

 private:
  const std::vector<CheckedColumn> columns_;
};

}  // namespace

duckdb::PhysicalOperator& CheckNotNull(duckdb::PhysicalPlanGenerator& planner,
                                       duckdb::PhysicalOperator& plan,
                                       const std::string& table_name,
                                       const std::vector<Column>& columns) {
  std::vector<CheckedColumn> checked;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].nulls_allowed) {
      checked.push_back({i, table_name + "." + columns[i].name});
    }
  }
  if (checked.empty()) {
    return plan;
  }
  auto& check =
      planner.Make<NotNullCheck>(plan.types, std::move(checked), plan.estimated_cardinality);
  check.children.push_back(plan);
  return check;
}

}  // namespace tarn::engine
