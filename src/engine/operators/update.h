// UPDATE: old rows are taken away, new versions of them are written into new files, with their ids.
#pragma once

#include "duckdb.hpp"
#include "duckdb/common/index_vector.hpp"

namespace duckdb {
class LogicalUpdate;
class PhysicalPlanGenerator;
}  // namespace duckdb

namespace tarn::engine {

class TarnTableEntry;

/// The table's columns in order, from an UPDATE's list of them; DEFAULT becomes the column's.
duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> NewRow(
    const TarnTableEntry& entry, const duckdb::vector<duckdb::PhysicalIndex>& columns,
    duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> expressions,
    const duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& defaults);

duckdb::PhysicalOperator& PlanUpdate(duckdb::ClientContext& context,
                                     duckdb::PhysicalPlanGenerator& planner,
                                     duckdb::LogicalUpdate& op, duckdb::PhysicalOperator& plan);

}  // namespace tarn::engine
