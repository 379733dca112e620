// Rows of a statement on their way into the files of a table that is partitioned or sorted. They
// are sorted by partition and by the table's order, and each partition's are then written one after
// another: so one file or two are open at a time, whatever the number of partitions, and what
// memory does not hold lies in DuckDB's temporary files.
#pragma once

#include <memory>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/execution/expression_executor.hpp"
#include "engine/operators/partition_keys.h"
#include "engine/operators/row_sorter.h"

namespace tarn::engine {

class PartitionWriter;
class WriteJob;

/// What the rows of a table are sorted by before they are written. Immutable, lives as long as the
/// statement's plan; bound when the statement runs, since CREATE TABLE AS makes its table then.
class RowArranger {
 public:
  struct Local {
    RowSorter::Local sorted;
    duckdb::DataChunk own;       ///< the rows in the types of the table
    duckdb::DataChunk computed;  ///< of them, what the rows are sorted by
    duckdb::DataChunk combined;  ///< the rows as they are written, then that
    std::unique_ptr<duckdb::ExpressionExecutor> expressions;
  };

  /// `job` has been started. `partition`: of all rows, where the job's layout has no keys.
  RowArranger(duckdb::ClientContext& context, WriteJob& job, FilePartition partition = {});

  std::unique_ptr<Local> MakeLocal(duckdb::ExecutionContext& context) const;
  /// `rows` as they are written, which begin with the table's columns.
  void Sink(duckdb::ExecutionContext& context, Local& local, duckdb::DataChunk& rows);
  /// `rows` as they are written, in whatever shape, and the same in the table's columns and types.
  void Sink(duckdb::ExecutionContext& context, Local& local, duckdb::DataChunk& rows,
            duckdb::DataChunk& own);
  void Combine(duckdb::ExecutionContext& context, Local& local);
  /// Writes all rows; the job has the files then.
  void Finish(duckdb::ClientContext& context);

 private:
  void WriteSorted(duckdb::ClientContext& context, PartitionWriter& writer);
  void BindPartitions(duckdb::vector<duckdb::BoundOrderByNode>& orders);
  void BindOrder(duckdb::ClientContext& context, duckdb::vector<duckdb::BoundOrderByNode>& orders);
  duckdb::idx_t AddComputed(duckdb::LogicalType type);

  WriteJob& job_;
  const PartitionKeys keys_;
  const FilePartition partition_;
  duckdb::vector<duckdb::LogicalType> own_types_;
  duckdb::vector<duckdb::LogicalType> written_types_;
  duckdb::vector<duckdb::LogicalType> computed_types_;
  /// Where the values of the partition keys are among the rows that come out of the sort.
  std::vector<duckdb::idx_t> key_columns_;
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> expressions_;  ///< over the own columns
  std::unique_ptr<RowSorter> sorter_;
};

}  // namespace tarn::engine
