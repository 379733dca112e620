// See not_null_check.h.
#include "engine/operators/not_null_check.h"

#include <utility>

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/execution/physical_plan_generator.hpp"

namespace tarn::engine {
namespace {

class NotNullCheck : public duckdb::PhysicalOperator {
 public:
  NotNullCheck(duckdb::PhysicalPlan& plan, duckdb::vector<duckdb::LogicalType> types,
               NotNullColumns columns, duckdb::idx_t estimated_cardinality)
      : PhysicalOperator(plan, duckdb::PhysicalOperatorType::EXTENSION, std::move(types),
                         estimated_cardinality),
        columns_(std::move(columns)) {}

  std::string GetName() const override { return "NOT_NULL"; }
  bool ParallelOperator() const override { return true; }

  duckdb::OperatorResultType Execute(duckdb::ExecutionContext&, duckdb::DataChunk& input,
                                     duckdb::DataChunk& chunk, duckdb::GlobalOperatorState&,
                                     duckdb::OperatorState&) const override {
    columns_.Check(input);
    chunk.Reference(input);
    return duckdb::OperatorResultType::NEED_MORE_INPUT;
  }

 private:
  const NotNullColumns columns_;
};

}  // namespace

NotNullColumns::NotNullColumns(const std::string& table_name, const std::vector<Column>& columns) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].nulls_allowed) {
      columns_.push_back({i, table_name + "." + columns[i].name});
    }
  }
}

void NotNullColumns::Check(duckdb::DataChunk& rows) const {
  for (const auto& column : columns_) {
    if (duckdb::VectorOperations::HasNull(rows.data[column.position], rows.size())) {
      throw duckdb::ConstraintException("NOT NULL constraint failed: %s", column.name);
    }
  }
}

duckdb::PhysicalOperator& CheckNotNull(duckdb::PhysicalPlanGenerator& planner,
                                       duckdb::PhysicalOperator& plan,
                                       const std::string& table_name,
                                       const std::vector<Column>& columns) {
  NotNullColumns checked(table_name, columns);
  if (checked.empty()) {
    return plan;
  }
  auto& check =
      planner.Make<NotNullCheck>(plan.types, std::move(checked), plan.estimated_cardinality);
  check.children.push_back(plan);
  return check;
}

}  // namespace tarn::engine
