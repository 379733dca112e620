// MERGE INTO: DuckDB's own operator tells which source row goes to which action; the actions are
// ours.
#pragma once

#include "duckdb.hpp"

namespace duckdb {
class LogicalMergeInto;
class PhysicalPlanGenerator;
}  // namespace duckdb

namespace tarn::engine {

duckdb::PhysicalOperator& PlanMergeInto(duckdb::ClientContext& context,
                                        duckdb::PhysicalPlanGenerator& planner,
                                        duckdb::LogicalMergeInto& op,
                                        duckdb::PhysicalOperator& plan);

}  // namespace tarn::engine
