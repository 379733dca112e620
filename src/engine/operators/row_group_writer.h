// Writes rows into one data file: row groups are gathered by the thread that has the rows, encoded
// by all, and written in the order in which they came.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>

#include "duckdb.hpp"
#include "duckdb/common/types/column/column_data_collection.hpp"
#include "duckdb/function/copy_function.hpp"
#include "duckdb/parallel/task_executor.hpp"
#include "engine/operators/write_job.h"

namespace tarn::engine {

/// Used by one thread. Holds a few row groups at a time, whatever the file has.
class RowGroupWriter {
 public:
  /// `types` of the rows, as files hold them. The job has been started.
  RowGroupWriter(duckdb::ClientContext& context, WriteJob& job,
                 duckdb::vector<duckdb::LogicalType> types, FilePartition partition);
  ~RowGroupWriter();

  void Write(duckdb::DataChunk& rows);
  /// Closes the file, if there were rows; the job has it then.
  void Finish();

 private:
  friend class EncodeTask;
  using Rows = duckdb::unique_ptr<duckdb::ColumnDataCollection>;

  /// Hands the gathered rows to whichever thread is free.
  void Dispatch();
  void Encode(int64_t group, Rows rows);
  void WaitForRoom();

  duckdb::ClientContext& context_;
  WriteJob& job_;
  const duckdb::vector<duckdb::LogicalType> types_;
  const FilePartition partition_;
  const size_t max_at_once_;
  duckdb::idx_t group_rows_ = 0;
  duckdb::idx_t group_bytes_ = 0;
  std::shared_ptr<OutputFile> file_;
  Rows gathered_;
  int64_t next_group_ = 0;

  std::mutex mutex_;
  std::condition_variable encoded_;
  size_t under_way_ = 0;
  int64_t next_written_ = 0;
  std::map<int64_t, duckdb::unique_ptr<duckdb::PreparedBatchData>> waiting_;  ///< by group
  duckdb::TaskExecutor executor_;
};

}  // namespace tarn::engine
