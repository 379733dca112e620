// UPDATE of a column that the same transaction has added, to one value in all rows: DuckDB makes an
// ALTER TABLE … ADD COLUMN … DEFAULT <expression> into ADD COLUMN, such an UPDATE, and SET DEFAULT.
// No row is written: the value becomes what the rows read as.
#pragma once

#include "duckdb.hpp"

namespace duckdb {
class LogicalUpdate;
class PhysicalPlanGenerator;
}  // namespace duckdb

namespace tarn::engine {

/// Null when the statement is any other UPDATE.
duckdb::PhysicalOperator* PlanFillColumn(duckdb::ClientContext& context,
                                         duckdb::PhysicalPlanGenerator& planner,
                                         const duckdb::LogicalUpdate& op,
                                         const duckdb::PhysicalOperator& plan);

}  // namespace tarn::engine
