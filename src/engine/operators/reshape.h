// Rows in the columns that a table had, as rows in those that it has now: for rows that wait in a
// transaction while their table is altered. Fields are matched by id.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "duckdb.hpp"
#include "tarn/schema.h"

namespace tarn::engine {

class RowReshaper {
 public:
  RowReshaper(const Table& from, const Table& to);

  const duckdb::vector<duckdb::LogicalType>& types() const { return types_; }
  /// `to` has types(); it may refer to `from`, which may have more columns.
  void Apply(duckdb::DataChunk& from, duckdb::DataChunk& to) const;

 private:
  struct Source {
    std::optional<size_t> column;  ///< absent: all rows have `constant`
    duckdb::Value constant;
    const Column* from = nullptr;  ///< set where values have to be changed
    const Column* to = nullptr;
  };

  std::vector<Source> sources_;
  duckdb::vector<duckdb::LogicalType> types_;
};

}  // namespace tarn::engine
