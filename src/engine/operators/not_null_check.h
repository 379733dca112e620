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

/// The same for rows at hand: throws when one has NULL where none may be.
class NotNullColumns {
 public:
  NotNullColumns(const std::string& table_name, const std::vector<Column>& columns);
  bool empty() const { return columns_.empty(); }
  void Check(duckdb::DataChunk& rows) const;

 private:
  struct CheckedColumn {
    duckdb::idx_t position;
    std::string name;  ///< "t.c"
  };
  std::vector<CheckedColumn> columns_;
};

}  // namespace tarn::engine
