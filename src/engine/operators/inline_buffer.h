// The rows of one statement as long as they may be few enough to be kept in the catalog: nothing is
// written before it is known that a file is needed.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "duckdb.hpp"
#include "engine/operators/collected_rows.h"

namespace tarn::engine {

/// Thread safe. Rows come in one of two ways: by Keep, or, where a copy operator makes batches of
/// them first, by Announce and then, in their order, by Append.
class InlineBuffer {
 public:
  /// Begins a statement that may keep `limit` rows of these types.
  void Start(int64_t limit, duckdb::vector<duckdb::LogicalType> types);

  /// More rows than the limit have come: what comes now, and what Take gives, goes to files.
  bool over() const { return over_; }
  /// Takes rows in unless there are too many by now.
  bool Keep(duckdb::DataChunk& rows);
  /// True while all announced rows are within the limit.
  bool Announce(duckdb::idx_t count);
  void Append(duckdb::ColumnDataCollection& rows);
  /// What was kept so far, once; null when that is nothing.
  std::shared_ptr<RowCollection> Take();

 private:
  std::mutex mutex_;
  std::atomic<bool> over_ = true;
  int64_t limit_ = 0;
  int64_t count_ = 0;
  duckdb::vector<duckdb::LogicalType> types_;
  std::shared_ptr<RowCollection> rows_;
};

}  // namespace tarn::engine
