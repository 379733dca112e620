// See partition_writer.h.
#include "engine/operators/partition_writer.h"

#include <algorithm>
#include <chrono>
#include <map>
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

// A piece of a partition's rows.
class WriteTask : public duckdb::BaseExecutorTask {
 public:
  struct Piece {
    std::shared_ptr<PartitionFiles> files;
    idx_t number;
    std::shared_ptr<OutputFile> file;
    duckdb::unique_ptr<duckdb::ColumnDataCollection> rows;
    bool is_last;
  };

  WriteTask(PartitionWriter& writer, Piece piece)
      : BaseExecutorTask(writer.tasks_), writer_(writer), piece_(std::move(piece)) {}

  void ExecuteTask() override {
    struct Ended {
      PartitionWriter& writer;
      ~Ended() {
        std::lock_guard<std::mutex> guard(writer.mutex_);
        --writer.under_way_;
        writer.written_.notify_all();
      }
    };
    const Ended ended{writer_};
    Guard([&] {
      piece_.files->Write(writer_.context_, piece_.number, std::move(piece_.file),
                          std::move(piece_.rows), piece_.is_last);
    });
    piece_.files.reset();
  }
  std::string TaskType() const override { return "TarnWriteTask"; }

 private:
  PartitionWriter& writer_;
  Piece piece_;
};

namespace {

// More row groups than this are not held at once, however many threads there are.
constexpr size_t kMaxUnderWay = 8;
// As the writer itself does: a row group of wide rows ends sooner.
constexpr idx_t kBytesPerRow = 1024;

idx_t BytesPerPiece(const ParquetOptions& options, idx_t rows) {
  const auto found = options.find("row_group_size_bytes");
  return found == options.end() ? rows * kBytesPerRow : found->second.front().GetValue<uint64_t>();
}

size_t MaxUnderWay(duckdb::ClientContext& context) {
  const auto threads = duckdb::TaskScheduler::GetScheduler(context).NumberOfThreads();
  return std::clamp<size_t>(2 * static_cast<size_t>(threads), 1, kMaxUnderWay);
}

}  // namespace

PartitionWriter::PartitionWriter(duckdb::ClientContext& context, WriteJob& job,
                                 const PartitionKeys& keys, std::vector<idx_t> key_columns)
    : PartitionWriter(context, job, &keys, std::move(key_columns), {}) {}

PartitionWriter::PartitionWriter(duckdb::ClientContext& context, WriteJob& job,
                                 FilePartition partition)
    : PartitionWriter(context, job, nullptr, {}, std::move(partition)) {}

PartitionWriter::PartitionWriter(duckdb::ClientContext& context, WriteJob& job,
                                 const PartitionKeys* keys, std::vector<idx_t> key_columns,
                                 FilePartition partition)
    : context_(context),
      job_(job),
      keys_(keys),
      key_columns_(std::move(key_columns)),
      partition_(std::move(partition)),
      written_types_(job.WrittenTypes()),
      rows_per_piece_(job.writer().desired_batch_size(context, job.bind_data())),
      bytes_per_piece_(BytesPerPiece(job.options().parquet, rows_per_piece_)),
      max_under_way_(MaxUnderWay(context)),
      tasks_(context) {
  part_.InitializeEmpty(written_types_);
}

PartitionWriter::~PartitionWriter() {
  // After an error tasks may still be at work on what is about to go.
  try {
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
      job_, keys_ == nullptr ? partition_ : keys_->Describe(values_));
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
  {
    std::lock_guard<std::mutex> guard(mutex_);
    ++under_way_;
  }
  tasks_.ScheduleTask(duckdb::make_uniq<WriteTask>(*this, std::move(piece)));
}

void PartitionWriter::WaitForRoom() {
  while (true) {
    if (context_.interrupted) throw duckdb::InterruptException();
    if (tasks_.HasError()) tasks_.ThrowError();
    {
      std::lock_guard<std::mutex> guard(mutex_);
      if (under_way_ < max_under_way_) return;
    }
    duckdb::shared_ptr<duckdb::Task> task;
    if (tasks_.GetTask(task)) {
      task->Execute(duckdb::TaskExecutionMode::PROCESS_ALL);
      continue;
    }
    std::unique_lock<std::mutex> lock(mutex_);
    // After an error nobody tells of the tasks that were passed over.
    written_.wait_for(lock, std::chrono::milliseconds(20),
                      [this] { return under_way_ < max_under_way_; });
  }
}

void PartitionWriter::Finish() {
  if (files_) HandOver(true);
  files_.reset();
  tasks_.WorkOnTasks();
}

}  // namespace tarn::engine
