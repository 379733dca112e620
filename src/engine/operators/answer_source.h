// The rows of a plan that the catalog has answered, as a table function that EXPLAIN can name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/planner/operator/logical_get.hpp"

namespace tarn::engine {

struct CatalogAnswer {
  std::string table;
  std::string snapshot;  ///< empty: the present one
  int64_t settled_files = 0;
  int64_t total_files = 0;
  duckdb::vector<duckdb::LogicalType> types;
  duckdb::vector<std::string> names;
  std::vector<std::vector<duckdb::Value>> rows;
};

/// Gives all columns, bound as `table_index`.
duckdb::unique_ptr<duckdb::LogicalGet> MakeAnswerSource(duckdb::idx_t table_index,
                                                        CatalogAnswer answer);

}  // namespace tarn::engine
