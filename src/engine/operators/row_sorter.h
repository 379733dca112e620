// Sorts any number of rows, on disk where memory does not hold them: DuckDB's own sort, outside of
// a plan.
#pragma once

#include <atomic>
#include <memory>

#include "duckdb.hpp"
#include "duckdb/common/sorting/sort.hpp"
#include "duckdb/planner/bound_result_modifier.hpp"

namespace tarn::engine {

/// Sink rows by any number of threads, each with a Local; combine them; finish; then scan by one.
class RowSorter {
 public:
  using Local = duckdb::unique_ptr<duckdb::LocalSinkState>;

  /// `orders` refer to the columns of the rows, which have `types`; only columns of `projection`
  /// come out again, in that order. A column that an order names is given back as it compares, so
  /// -0.0 comes out as 0.0: where that matters, sort by a copy.
  RowSorter(duckdb::ClientContext& context, duckdb::vector<duckdb::LogicalType> types,
            const duckdb::vector<duckdb::BoundOrderByNode>& orders,
            const duckdb::vector<duckdb::idx_t>& projection);

  Local MakeLocal(duckdb::ExecutionContext& context) const;
  void Sink(duckdb::ExecutionContext& context, Local& local, duckdb::DataChunk& rows);
  void Combine(duckdb::ExecutionContext& context, Local& local);
  /// All rows are there.
  void Finish(duckdb::ClientContext& context);
  /// Rows that were sunk.
  duckdb::idx_t count() const { return count_; }
  /// Of the rows that come out.
  const duckdb::vector<duckdb::LogicalType>& types() const { return types_; }
  /// The next rows; none when there are no more.
  void Scan(duckdb::ExecutionContext& context, duckdb::DataChunk& rows);

 private:
  duckdb::vector<duckdb::LogicalType> types_;
  duckdb::Sort sort_;
  duckdb::unique_ptr<duckdb::GlobalSinkState> sink_;
  duckdb::unique_ptr<duckdb::GlobalSourceState> source_;
  duckdb::unique_ptr<duckdb::LocalSourceState> local_source_;
  std::atomic<duckdb::idx_t> count_ = 0;
};

}  // namespace tarn::engine
