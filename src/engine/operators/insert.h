// INSERT, COPY FROM and CREATE TABLE AS: rows become Parquet files that the kernel's transaction
// stages.
#pragma once

#include "duckdb.hpp"

namespace duckdb {
class LogicalCreateTable;
class LogicalInsert;
class PhysicalPlanGenerator;
}  // namespace duckdb

namespace tarn::engine {

duckdb::PhysicalOperator& PlanInsert(duckdb::ClientContext& context,
                                     duckdb::PhysicalPlanGenerator& planner,
                                     duckdb::LogicalInsert& op,
                                     duckdb::optional_ptr<duckdb::PhysicalOperator> plan);

duckdb::PhysicalOperator& PlanCreateTableAs(duckdb::ClientContext& context,
                                            duckdb::PhysicalPlanGenerator& planner,
                                            duckdb::LogicalCreateTable& op,
                                            duckdb::PhysicalOperator& plan);

}  // namespace tarn::engine
