// DELETE and TRUNCATE: rows are taken out of the transaction's sight; files that say so are written
// when it commits.
#pragma once

#include "duckdb.hpp"

namespace duckdb {
class LogicalDelete;
class PhysicalPlanGenerator;
}  // namespace duckdb

namespace tarn::engine {

duckdb::PhysicalOperator& PlanDelete(duckdb::ClientContext& context,
                                     duckdb::PhysicalPlanGenerator& planner,
                                     duckdb::LogicalDelete& op, duckdb::PhysicalOperator& plan);

}  // namespace tarn::engine
