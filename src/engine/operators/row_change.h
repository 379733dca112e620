// The operator that changes rows: takes old ones away, writes new ones, and gives them back for
// RETURNING. DELETE, UPDATE, INSERT … RETURNING and each action of a MERGE are this with other
// settings.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/execution/physical_operator.hpp"
#include "engine/operators/change_run.h"

namespace tarn::engine {

/// Columns that TarnTableEntry::GetRowIdColumns has a statement read: file_index, file_row_number,
/// rowid.
inline constexpr duckdb::idx_t kRowIdColumns = 3;

struct RowChange {
  std::shared_ptr<ChangeRun> run;
  const char* name = "";
  /// Of a MERGE, which starts and finishes the run.
  bool is_action = false;
  /// Rows are taken away; here begin the input's row id columns.
  std::optional<duckdb::idx_t> row_ids;
  /// A new row is written: the table's columns, over the input's. Together with `row_ids`, an
  /// update.
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> new_row;
  /// RETURNING: the new rows, or where there are none, the old ones, whose columns begin here.
  bool returns = false;
  duckdb::idx_t old_row = 0;
  bool keeps_order = false;  ///< one thread then
};

/// `types` of the result: the table's for RETURNING, else a count. For an action of a MERGE `plan`
/// is null.
duckdb::PhysicalOperator& PlanRowChange(duckdb::PhysicalPlanGenerator& planner,
                                        duckdb::vector<duckdb::LogicalType> types, RowChange change,
                                        duckdb::optional_ptr<duckdb::PhysicalOperator> plan,
                                        duckdb::idx_t estimated_cardinality);

/// References to the first columns of an input that has the table's.
duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> TableColumns(
    const duckdb::vector<duckdb::LogicalType>& types);

}  // namespace tarn::engine
