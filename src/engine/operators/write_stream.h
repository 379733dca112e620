// The files that DuckDB's copy operators write through us: to them it looks like one file, here it
// is one after another.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/function/copy_function.hpp"
#include "engine/operators/write_job.h"

namespace tarn::engine {

/// Which file rows go to at the moment. Thread safe. A file that is big enough is retired at once
/// and closed when its last user lets go of it.
class WriteStream {
 public:
  explicit WriteStream(WriteJob& job, FilePartition partition = {})
      : job_(job), partition_(std::move(partition)) {}

  /// The present file, or a new one. `may_rotate`: false to stay with the present one whatever its
  /// size.
  std::shared_ptr<OutputFile> Acquire(duckdb::ClientContext& context, bool may_rotate);
  void Release(duckdb::ClientContext& context, const std::shared_ptr<OutputFile>& file);
  /// Closes the present file; nobody uses one any more.
  void Finish(duckdb::ClientContext& context);
  /// For the writer's log; what is opened from now on is told of it.
  void SetOperator(const duckdb::PhysicalOperator& op) { operator_ = &op; }

 private:
  WriteJob& job_;
  const FilePartition partition_;
  std::mutex mutex_;
  std::shared_ptr<OutputFile> current_;
  const duckdb::PhysicalOperator* operator_ = nullptr;
};

/// The copy function that writes by `job`, and its bind data: give both to a copy operator.
duckdb::CopyFunction MakeWriteFunction(const WriteJob& job);
duckdb::unique_ptr<duckdb::FunctionData> MakeWriteBindData(std::shared_ptr<WriteJob> job);

}  // namespace tarn::engine
