// Writes rows that come sorted by partition: cuts them into pieces of one partition and at most one
// row group, and has DuckDB's threads encode those while further ones are cut.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/parallel/task_executor.hpp"
#include "engine/operators/partition_keys.h"

namespace tarn::engine {

class PartitionFiles;
class WriteJob;

/// Used by one thread.
class PartitionWriter {
 public:
  /// `key_columns`: where the values of the keys are among the rows.
  PartitionWriter(duckdb::ClientContext& context, WriteJob& job, const PartitionKeys& keys,
                  std::vector<duckdb::idx_t> key_columns);
  ~PartitionWriter();

  /// The next rows; their first columns are what is written. Throws if what came before could not
  /// be written.
  void Append(duckdb::DataChunk& rows);
  /// Closes all files.
  void Finish();

 private:
  /// In `starts_`, true for rows that are of another partition than the one before.
  void FindStarts(duckdb::DataChunk& rows);
  void BeginPartition(duckdb::DataChunk& rows, duckdb::idx_t row);
  void AppendToPiece(duckdb::DataChunk& rows, duckdb::idx_t begin, duckdb::idx_t end);
  void HandOver(bool is_last);
  void WaitForRoom();

  duckdb::ClientContext& context_;
  WriteJob& job_;
  const PartitionKeys& keys_;
  const std::vector<duckdb::idx_t> key_columns_;
  duckdb::vector<duckdb::LogicalType> written_types_;
  duckdb::idx_t rows_per_piece_;
  duckdb::idx_t bytes_per_piece_;
  duckdb::TaskExecutor tasks_;
  std::atomic<duckdb::idx_t> waiting_ = 0;
  duckdb::idx_t max_waiting_;

  std::vector<bool> starts_;
  duckdb::DataChunk part_;
  std::vector<duckdb::Value> values_;
  std::shared_ptr<PartitionFiles> files_;  ///< of the present partition; null before the first row
  duckdb::unique_ptr<duckdb::ColumnDataCollection> piece_;
  duckdb::idx_t pieces_ = 0;  ///< of the present partition, handed over
};

}  // namespace tarn::engine
