// Refuses rows with NULL in columns that allow none. Rows pass through untouched.
#pragma once

#include "duckdb.hpp"
#include "duckdb/execution/physical_operator.hpp"
#include "tarn/schema.h"

namespace tarn::engine {

/// Puts the check over `plan`, whose columns are the table's; returns `plan` when every column
/// allows NULL. `table_name` is for the message.
duckdb::PhysicalOperator& CheckNotNull(duckdb::PhysicalPlanGenerator& planner,
                                       duckdb::PhysicalOperator& plan,
                                       const std::string& table_name,
                                       const std::vector<Column>& columns);

}  // namespace tarn::engine
