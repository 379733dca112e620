// See partition_writer.h.
#include "engine/operators/partition_writer.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "duckdb/common/types/column/column_data_collection.hpp"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/parallel/task_scheduler.hpp"
#include "engine/bridge/errors.h"
#include "engine/operators/write_job.h"
#include "engine/operators/write_stream.h"

namespace tarn::engine {

using duckdb::DataChunk;
using duckdb::idx_t;

/// The files of one partition. Pieces are encoded in any order and written in theirs.
class PartitionFiles {
 public:
  PartitionFiles(WriteJob& job, FilePartition partition)
      : job_(job), stream_(job, std::move(partition)) {}

  /// Called in the order of the pieces.
  std::shared_ptr<OutputFile> Acquire(duckdb::ClientContext& context) {
    return stream_.Acquire(context, true);
  }

  void Write(duckdb::ClientContext& context, idx_t number, std::shared_ptr<OutputFile> file,
             duckdb::unique_ptr<duckdb::ColumnDataCollection> rows, bool is_last) {
    auto encoded =
        job_.writer().prepare_batch(context, *file->bind_data, *file->state, std::move(rows));
    std::lock_guard<std::mutex> guard(mutex_);
    encoded_.emplace(number, Piece{std::move(file), std::move(encoded), is_last});
    for (auto next = encoded_.begin(); next != encoded_.end() && next->first == written_;
         next = encoded_.erase(next), ++written_) {
      auto& piece = next->second;
      job_.writer().flush_batch(context, *piece.file->bind_data, *piece.file->state,
                                *piece.encoded);
      stream_.Release(context, piece.file);
      if (piece.is_last) stream_.Finish(context);
    }
  }

 private:
  struct Piece {
    std::shared_ptr<OutputFile> file;
    duckdb::unique_ptr<duckdb::PreparedBatchData> encoded;
    bool is_last;
  };

  WriteJob& job_;
  WriteStream stream_;
  std::mutex mutex_;
  std::map<idx_t, Piece> encoded_;
  idx_t written_ = 0;
};

namespace {

class WriteTask : public duckdb::BaseExecutorTask {
 public:
  /// A piece of a partition's rows.
  struct Piece {
    std::shared_ptr<PartitionFiles> files;
    idx_t number;
    std::shared_ptr<OutputFile> file;
    duckdb::unique_ptr<duckdb::ColumnDataCollection> rows;
    bool is_last;
  };

  WriteTask(duckdb::TaskExecutor& executor, duckdb::ClientContext& context,
            std::atomic<idx_t>& waiting, Piece piece)
      : BaseExecutorTask(executor), context_(context), waiting_(waiting), piece_(std::move(piece)) {
    ++waiting_;
  }

  void ExecuteTask() override {
    Guard([&] {
      piece_.files->Write(context_, piece_.number, std::move(piece_.file), std::move(piece_.rows),
                          piece_.is_last);
    });
    piece_.files.reset();
    --waiting_;
  }
  std::string TaskType() const override { return "TarnWriteTask"; }

 private:
  duckdb::ClientContext& context_;
  std::atomic<idx_t>& waiting_;
  Piece piece_;
};

idx_t BytesPerPiece(const ParquetOptions& options) {
  const auto found = options.find("row_group_size_bytes");
  return found == options.end() || found->second.empty()
             ? duckdb::NumericLimits<idx_t>::Maximum()
             : found->second.front().GetValue<uint64_t>();
}

}  // namespace

PartitionWriter::PartitionWriter(duckdb::ClientContext& context, WriteJob& job,
                                 const PartitionKeys& keys, std::vector<idx_t> key_columns)
    : context_(context),
      job_(job),
      keys_(keys),
      key_columns_(std::move(key_columns)),
      written_types_(job.WrittenTypes()),
      rows_per_piece_(job.writer().desired_batch_size(context, job.bind_data())),
      bytes_per_piece_(BytesPerPiece(job.options().parquet)),
      tasks_(context),
      max_waiting_(
          2 * static_cast<idx_t>(duckdb::TaskScheduler::GetScheduler(context).NumberOfThreads())) {
  part_.InitializeEmpty(written_types_);
}

PartitionWriter::~PartitionWriter() {
  // After a failure: what runs still refers to us.
  try {
    tasks_.PushError(duckdb::ErrorData("the statement has failed"));
    tasks_.WorkOnTasks();
  } catch (...) {
  }
}

void PartitionWriter::FindStarts(DataChunk& rows) {
  const auto count = rows.size();
  starts_.assign(count, false);
  starts_[0] = !files_;
  for (size_t key = 0; key < key_columns_.size(); ++key) {
    auto& values = rows.data[key_columns_[key]];
    values.Flatten(count);
    if (files_ && !duckdb::Value::NotDistinctFrom(values_[key], values.GetValue(0)))
      starts_[0] = true;
    if (count == 1) continue;
    duckdb::Vector before(values, 0, count - 1);
    duckdb::Vector after(values, 1, count);
    duckdb::Vector differs(duckdb::LogicalType::BOOLEAN, count - 1);
    duckdb::VectorOperations::DistinctFrom(before, after, differs, count - 1);
    differs.Flatten(count - 1);
    const auto* flags = duckdb::FlatVector::GetData<bool>(differs);
    for (idx_t row = 1; row < count; ++row) {
      if (flags[row - 1]) starts_[row] = true;
    }
  }
}

void PartitionWriter::Append(DataChunk& rows) {
  FindStarts(rows);
  idx_t begin = 0;
  while (begin < rows.size()) {
    if (starts_[begin]) BeginPartition(rows, begin);
    idx_t end = begin + 1;
    while (end < rows.size() && !starts_[end]) ++end;
    AppendToPiece(rows, begin, end);
    begin = end;
  }
}

void PartitionWriter::BeginPartition(DataChunk& rows, idx_t row) {
  if (files_) HandOver(true);
  values_.clear();
  for (const auto column : key_columns_) values_.push_back(rows.data[column].GetValue(row));
  files_ = std::make_shared<PartitionFiles>(
      job_, keys_.size() == 0 ? FilePartition() : keys_.Describe(values_));
  pieces_ = 0;
}

void PartitionWriter::AppendToPiece(DataChunk& rows, idx_t begin, idx_t end) {
  while (begin < end) {
    if (piece_ &&
        (piece_->Count() >= rows_per_piece_ || piece_->SizeInBytes() >= bytes_per_piece_)) {
      HandOver(false);
    }
    if (!piece_) {
      piece_ = duckdb::make_uniq<duckdb::ColumnDataCollection>(context_, written_types_);
    }
    const auto until = std::min(end, begin + rows_per_piece_ - piece_->Count());
    for (idx_t i = 0; i < written_types_.size(); ++i) {
      part_.data[i].Slice(rows.data[i], begin, until);
    }
    part_.SetCardinality(until - begin);
    piece_->Append(part_);
    begin = until;
  }
}

void PartitionWriter::HandOver(bool is_last) {
  WaitForRoom();
  WriteTask::Piece piece{files_, pieces_++, files_->Acquire(context_), std::move(piece_), is_last};
  tasks_.ScheduleTask(duckdb::make_uniq<WriteTask>(tasks_, context_, waiting_, std::move(piece)));
}

void PartitionWriter::WaitForRoom() {
  if (context_.interrupted) throw duckdb::InterruptException();
  while (waiting_ >= max_waiting_ && !tasks_.HasError()) {
    duckdb::shared_ptr<duckdb::Task> task;
    if (tasks_.GetTask(task)) {
      task->Execute(duckdb::TaskExecutionMode::PROCESS_ALL);
    } else {
      std::this_thread::yield();
    }
  }
  if (tasks_.HasError()) tasks_.ThrowError();
}

void PartitionWriter::Finish() {
  if (files_) HandOver(true);
  files_.reset();
  tasks_.WorkOnTasks();
}

}  // namespace tarn::engine
