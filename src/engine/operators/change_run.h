// One statement that changes rows, while it runs: the rows it takes away and the files it writes,
// from all its threads and, of a MERGE, from all its actions. At the end the transaction gets all
// of it at once.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "duckdb.hpp"
#include "engine/operators/changed_rows.h"
#include "engine/operators/row_writer.h"

namespace tarn::engine {

class TarnTableEntry;

/// Thread safe. Lives as long as the physical plan; Start() begins one run of it.
class ChangeRun {
 public:
  explicit ChangeRun(TarnTableEntry& entry) : entry_(entry) {}

  TarnTableEntry& entry() const { return entry_; }
  /// While planning: the statement may write new rows, or new versions of rows that keep their ids.
  void WillInsert(duckdb::ClientContext& context);
  void WillUpdate(duckdb::ClientContext& context);
  RowWriter& inserted() { return *inserted_; }
  RowWriter& updated() { return *updated_; }

  void Start(duckdb::ClientContext& context);
  /// Takes rows away, each once: lists in `fresh` those that nobody took before.
  duckdb::idx_t Claim(const RowPlaces& places, duckdb::idx_t count, duckdb::SelectionVector& fresh);
  void Remove(RowSet&& rows);
  void CountInserted(duckdb::idx_t rows) { inserted_count_ += static_cast<int64_t>(rows); }
  /// Hands everything to the transaction. `plan` is what the rows were read by.
  void Finish(duckdb::ClientContext& context, const duckdb::PhysicalOperator& plan);
  /// Rows that were changed, each once; known when finished.
  int64_t count() const { return removed_count_ + inserted_count_; }

 private:
  TarnTableEntry& entry_;
  std::unique_ptr<RowWriter> inserted_;
  std::unique_ptr<RowWriter> updated_;

  std::mutex mutex_;
  RowSet removed_;
  int64_t removed_count_ = 0;
  std::atomic<int64_t> inserted_count_ = 0;
};

}  // namespace tarn::engine
