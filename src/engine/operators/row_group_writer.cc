// See row_group_writer.h.
#include "engine/operators/row_group_writer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "duckdb/parallel/task_scheduler.hpp"

namespace tarn::engine {
namespace {

// More row groups than this are not held at once, however many threads there are.
constexpr size_t kMaxAtOnce = 4;
// As the writer itself does: a row group of wide rows ends sooner.
constexpr duckdb::idx_t kBytesPerRow = 1024;

}  // namespace

class EncodeTask : public duckdb::BaseExecutorTask {
 public:
  EncodeTask(RowGroupWriter& writer, int64_t group, RowGroupWriter::Rows rows)
      : BaseExecutorTask(writer.executor_),
        writer_(writer),
        group_(group),
        rows_(std::move(rows)) {}

  void ExecuteTask() override { writer_.Encode(group_, std::move(rows_)); }

 private:
  RowGroupWriter& writer_;
  const int64_t group_;
  RowGroupWriter::Rows rows_;
};

RowGroupWriter::RowGroupWriter(duckdb::ClientContext& context, WriteJob& job,
                               duckdb::vector<duckdb::LogicalType> types,
                               FilePartition partition)
    : context_(context),
      job_(job),
      types_(std::move(types)),
      partition_(std::move(partition)),
      max_at_once_(std::clamp<size_t>(
          static_cast<size_t>(duckdb::TaskScheduler::GetScheduler(context).NumberOfThreads()), 1,
          kMaxAtOnce)),
      executor_(context) {
  group_rows_ = job_.writer().desired_batch_size(context_, job_.bind_data());
  group_bytes_ = group_rows_ * kBytesPerRow;
  const auto bytes = job_.options().parquet.find("row_group_size_bytes");
  if (bytes != job_.options().parquet.end()) {
    group_bytes_ = bytes->second.front().GetValue<uint64_t>();
  }
}

RowGroupWriter::~RowGroupWriter() {
  // After an error tasks may still be at work on what is about to go.
  try {
    executor_.WorkOnTasks();
  } catch (...) {
  }
}

void RowGroupWriter::Write(duckdb::DataChunk& rows) {
  if (!file_) {
    file_ = job_.Open(context_, partition_);
  }
  if (!gathered_) {
    gathered_ = duckdb::make_uniq<duckdb::ColumnDataCollection>(context_, types_);
  }
  gathered_->Append(rows);
  if (gathered_->Count() >= group_rows_ || gathered_->SizeInBytes() >= group_bytes_) {
    Dispatch();
  }
}

void RowGroupWriter::Finish() {
  if (gathered_) {
    Dispatch();
  }
  executor_.WorkOnTasks();
  if (file_) {
    job_.Close(context_, *file_);
    file_.reset();
  }
}

void RowGroupWriter::Dispatch() {
  WaitForRoom();
  {
    std::lock_guard<std::mutex> guard(mutex_);
    ++under_way_;
  }
  executor_.ScheduleTask(duckdb::make_uniq<EncodeTask>(*this, next_group_++, std::move(gathered_)));
}

// Works along instead of waiting for threads that may all be elsewhere.
void RowGroupWriter::WaitForRoom() {
  while (true) {
    if (executor_.HasError()) {
      executor_.ThrowError();
    }
    {
      std::lock_guard<std::mutex> guard(mutex_);
      if (under_way_ < max_at_once_) {
        return;
      }
    }
    duckdb::shared_ptr<duckdb::Task> task;
    if (executor_.GetTask(task)) {
      task->Execute(duckdb::TaskExecutionMode::PROCESS_ALL);
      continue;
    }
    std::unique_lock<std::mutex> lock(mutex_);
    // After an error nobody tells of the tasks that were passed over.
    encoded_.wait_for(lock, std::chrono::milliseconds(20),
                      [this] { return under_way_ < max_at_once_; });
  }
}

void RowGroupWriter::Encode(int64_t group, Rows rows) {
  struct Ended {
    RowGroupWriter& writer;
    ~Ended() {
      std::lock_guard<std::mutex> guard(writer.mutex_);
      --writer.under_way_;
      writer.encoded_.notify_all();
    }
  };
  const Ended ended{*this};
  auto encoded =
      job_.writer().prepare_batch(context_, *file_->bind_data, *file_->state, std::move(rows));
  std::lock_guard<std::mutex> guard(mutex_);
  waiting_.emplace(group, std::move(encoded));
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == next_written_;
       next = waiting_.erase(next), ++next_written_) {
    job_.writer().flush_batch(context_, *file_->bind_data, *file_->state, *next->second);
  }
}

}  // namespace tarn::engine
