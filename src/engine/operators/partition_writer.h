// Writes rows that come sorted by partition: cuts them into pieces of one partition and at most one
// row group, and has DuckDB's threads encode those while further ones are cut. Pieces of a file are
// written in the order of their rows.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/parallel/task_executor.hpp"
#include "engine/operators/partition_keys.h"

namespace tarn::engine {

class PartitionFiles;
class WriteJob;
class WriteTask;

/// Used by one thread. Holds a few row groups at a time, whatever the files have.
class PartitionWriter {
 public:
  /// `key_columns`: where the values of the keys are among the rows.
  PartitionWriter(duckdb::ClientContext& context, WriteJob& job, const PartitionKeys& keys,
                  std::vector<duckdb::idx_t> key_columns);
  /// All rows are of one partition.
  PartitionWriter(duckdb::ClientContext& context, WriteJob& job, FilePartition partition);
  ~PartitionWriter();

  /// The next rows; their first columns are what is written. Throws if what came before could not
  /// be written.
  void Append(duckdb::DataChunk& rows);
  /// Closes all files; the job has them then.
  void Finish();

 private:
  friend class WriteTask;

  PartitionWriter(duckdb::ClientContext& context, WriteJob& job, const PartitionKeys* keys,
                  std::vector<duckdb::idx_t> key_columns, FilePartition partition);
  /// In `starts_`, true for rows that are of another partition than the one before.
  void FindStarts(duckdb::DataChunk& rows);
  void BeginPartition(duckdb::DataChunk& rows, duckdb::idx_t row);
  void AppendToPiece(duckdb::DataChunk& rows, duckdb::idx_t begin, duckdb::idx_t end);
  void HandOver(bool is_last);
  /// Works along instead of waiting for threads that may all be elsewhere.
  void WaitForRoom();

  duckdb::ClientContext& context_;
  WriteJob& job_;
  const PartitionKeys* keys_;  ///< null: all rows are of `partition_`
  const std::vector<duckdb::idx_t> key_columns_;
  const FilePartition partition_;
  const duckdb::vector<duckdb::LogicalType> written_types_;
  duckdb::idx_t rows_per_piece_;
  duckdb::idx_t bytes_per_piece_;

  std::vector<bool> starts_;
  duckdb::DataChunk part_;
  std::vector<duckdb::Value> values_;
  std::shared_ptr<PartitionFiles> files_;  ///< of the present partition; null before the first row
  duckdb::unique_ptr<duckdb::ColumnDataCollection> piece_;
  duckdb::idx_t pieces_ = 0;  ///< of the present partition, handed over

  std::mutex mutex_;
  std::condition_variable written_;
  size_t under_way_ = 0;
  const size_t max_under_way_;
  duckdb::TaskExecutor tasks_;
};

}  // namespace tarn::engine
