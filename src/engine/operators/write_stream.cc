// See write_stream.h.
#include "engine/operators/write_stream.h"

#include <utility>

#include "duckdb/common/types/column/column_data_collection.hpp"
#include "duckdb/parallel/thread_context.hpp"
#include "engine/bridge/errors.h"
#include "engine/operators/row_arranger.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::ClientContext;
using duckdb::FunctionData;
using duckdb::GlobalFunctionData;
using duckdb::LocalFunctionData;

struct WriteBindData : FunctionData {
  explicit WriteBindData(std::shared_ptr<WriteJob> job) : job(std::move(job)) {}
  duckdb::unique_ptr<FunctionData> Copy() const override {
    return duckdb::make_uniq<WriteBindData>(job);
  }
  bool Equals(const FunctionData& other) const override {
    return job == other.Cast<WriteBindData>().job;
  }

  std::shared_ptr<WriteJob> job;
};

struct WriteGlobalState : GlobalFunctionData {
  WriteGlobalState(ClientContext& context, WriteJob& job) : stream(job) {
    if (job.arranges()) arranger = std::make_unique<RowArranger>(context, job);
  }
  WriteStream stream;
  std::unique_ptr<RowArranger> arranger;  ///< instead, where rows are sorted or parted
};

struct WriteLocalState : LocalFunctionData {
  duckdb::unique_ptr<LocalFunctionData> writer;
  std::unique_ptr<WriteStream> own_stream;  ///< with a file per thread
  bool has_written = false;
  std::unique_ptr<RowArranger::Local> arranged;  ///< once there are rows
};

// A row group that is encoded but not written. It goes to the file that it was encoded for.
struct WriteBatch : duckdb::PreparedBatchData {
  duckdb::unique_ptr<duckdb::PreparedBatchData> writer;
  std::shared_ptr<OutputFile> file;
  duckdb::unique_ptr<duckdb::ColumnDataCollection> rows;  ///< instead, while they may be kept
};

WriteJob& JobOf(FunctionData& bind_data) { return *bind_data.Cast<WriteBindData>().job; }

WriteStream& StreamOf(GlobalFunctionData& global_state, LocalFunctionData& local_state) {
  auto& local = local_state.Cast<WriteLocalState>();
  return local.own_stream ? *local.own_stream : global_state.Cast<WriteGlobalState>().stream;
}

duckdb::unique_ptr<GlobalFunctionData> InitializeGlobal(ClientContext& context,
                                                        FunctionData& bind_data,
                                                        const std::string&) {
  return Guard([&]() -> duckdb::unique_ptr<GlobalFunctionData> {
    return duckdb::make_uniq<WriteGlobalState>(context, JobOf(bind_data));
  });
}

duckdb::unique_ptr<LocalFunctionData> InitializeLocal(duckdb::ExecutionContext& context,
                                                      FunctionData& bind_data) {
  auto& job = JobOf(bind_data);
  auto result = duckdb::make_uniq<WriteLocalState>();
  result->writer = job.writer().copy_to_initialize_local(context, job.bind_data());
  if (job.options().per_thread_output && !job.arranges()) {
    result->own_stream = std::make_unique<WriteStream>(job);
  }
  return result;
}

void InitializeOperator(GlobalFunctionData& global_state, const duckdb::PhysicalOperator& op) {
  global_state.Cast<WriteGlobalState>().stream.SetOperator(op);
}

void Sink(duckdb::ExecutionContext& context, FunctionData& bind_data,
          GlobalFunctionData& global_state, LocalFunctionData& local_state,
          duckdb::DataChunk& rows) {
  Guard([&] {
    auto& job = JobOf(bind_data);
    if (job.buffer().Keep(rows)) {
      return;
    }
    if (auto* arranger = global_state.Cast<WriteGlobalState>().arranger.get()) {
      auto& local = local_state.Cast<WriteLocalState>().arranged;
      if (!local) local = arranger->MakeLocal(context);
      if (const auto kept = job.buffer().Take()) {
        for (auto& chunk : kept->Chunks()) arranger->Sink(context, *local, chunk);
      }
      arranger->Sink(context, *local, rows);
      return;
    }
    auto& stream = StreamOf(global_state, local_state);
    local_state.Cast<WriteLocalState>().has_written = true;
    const auto write = [&](duckdb::DataChunk& chunk) {
      const auto file = stream.Acquire(context.client, true);
      job.writer().copy_to_sink(context, *file->bind_data, *file->state,
                                *local_state.Cast<WriteLocalState>().writer, chunk);
      stream.Release(context.client, file);
    };
    if (const auto kept = job.buffer().Take()) {
      for (auto& chunk : kept->Chunks()) {
        write(chunk);
      }
    }
    write(rows);
  });
}

// Rows as a piece of a file of their own.
void WriteCollection(ClientContext& context, WriteJob& job, WriteStream& stream,
                     duckdb::unique_ptr<duckdb::ColumnDataCollection> rows) {
  const auto file = stream.Acquire(context, true);
  const auto prepared =
      job.writer().prepare_batch(context, *file->bind_data, *file->state, std::move(rows));
  job.writer().flush_batch(context, *file->bind_data, *file->state, *prepared);
  stream.Release(context, file);
}

// Rows that were kept and have become, or are, too many or too odd for the catalog.
void WriteKept(ClientContext& context, WriteJob& job, WriteStream& stream,
               const RowCollection& rows) {
  auto copy = duckdb::make_uniq<duckdb::ColumnDataCollection>(context, rows.Types());
  for (auto& chunk : rows.Chunks()) {
    copy->Append(chunk);
  }
  WriteCollection(context, job, stream, std::move(copy));
}

void ArrangeKept(ClientContext& context, RowArranger& arranger, const RowCollection& rows) {
  duckdb::ThreadContext thread(context);
  duckdb::ExecutionContext execution(context, thread, nullptr);
  const auto local = arranger.MakeLocal(execution);
  for (auto& chunk : rows.Chunks()) arranger.Sink(execution, *local, chunk);
  arranger.Combine(execution, *local);
}

void Combine(duckdb::ExecutionContext& context, FunctionData& bind_data,
             GlobalFunctionData& global_state, LocalFunctionData& local_state) {
  Guard([&] {
    auto& job = JobOf(bind_data);
    auto& local = local_state.Cast<WriteLocalState>();
    if (local.arranged) {
      global_state.Cast<WriteGlobalState>().arranger->Combine(context, *local.arranged);
      return;
    }
    auto& stream = StreamOf(global_state, local_state);
    if (!local.has_written) {
      return;  // all its rows were kept, whatever has become of them
    }
    const auto file = stream.Acquire(context.client, false);
    job.writer().copy_to_combine(context, *file->bind_data, *file->state, *local.writer);
    stream.Release(context.client, file);
    if (local.own_stream) {
      local.own_stream->Finish(context.client);
    }
  });
}

// All is written: from here on the transaction knows the files.
void Finalize(ClientContext& context, FunctionData& bind_data, GlobalFunctionData& global_state) {
  Guard([&] {
    auto& job = JobOf(bind_data);
    auto& state = global_state.Cast<WriteGlobalState>();
    auto& stream = state.stream;
    auto* arranger = state.arranger.get();
    if (const auto kept = job.buffer().Take()) {
      if (job.buffer().over() || !job.KeepRows(context, *kept)) {
        if (arranger) {
          ArrangeKept(context, *arranger, *kept);
        } else {
          WriteKept(context, job, stream, *kept);
        }
      }
    }
    if (arranger) arranger->Finish(context);
    stream.Finish(context);
    job.Stage(context);
  });
}

duckdb::unique_ptr<duckdb::PreparedBatchData> PrepareBatch(
    ClientContext& context, FunctionData& bind_data, GlobalFunctionData& global_state,
    duckdb::unique_ptr<duckdb::ColumnDataCollection> rows) {
  return Guard([&]() -> duckdb::unique_ptr<duckdb::PreparedBatchData> {
    auto result = duckdb::make_uniq<WriteBatch>();
    if (JobOf(bind_data).buffer().Announce(rows->Count())) {
      result->rows = std::move(rows);
      return result;
    }
    // Batches are prepared in the order of their rows, so files follow each other in that order
    // too.
    result->file = global_state.Cast<WriteGlobalState>().stream.Acquire(context, true);
    result->writer = JobOf(bind_data).writer().prepare_batch(context, *result->file->bind_data,
                                                             *result->file->state, std::move(rows));
    return result;
  });
}

void FlushBatch(ClientContext& context, FunctionData& bind_data, GlobalFunctionData& global_state,
                duckdb::PreparedBatchData& batch_data) {
  Guard([&] {
    auto& batch = batch_data.Cast<WriteBatch>();
    auto& job = JobOf(bind_data);
    auto& stream = global_state.Cast<WriteGlobalState>().stream;
    if (batch.rows && !job.buffer().over()) {
      job.buffer().Append(*batch.rows);
      return;
    }
    if (const auto kept = job.buffer().Take()) {
      WriteKept(context, job, stream, *kept);
    }
    if (batch.rows) {
      WriteCollection(context, job, stream, std::move(batch.rows));
      return;
    }
    job.writer().flush_batch(context, *batch.file->bind_data, *batch.file->state, *batch.writer);
    stream.Release(context, batch.file);
  });
}

duckdb::idx_t DesiredBatchSize(ClientContext& context, FunctionData& bind_data) {
  auto& job = JobOf(bind_data);
  return job.writer().desired_batch_size(context, job.bind_data());
}

}  // namespace

std::shared_ptr<OutputFile> WriteStream::Acquire(ClientContext& context, bool may_rotate) {
  std::shared_ptr<OutputFile> full;
  std::shared_ptr<OutputFile> result;
  {
    std::lock_guard<std::mutex> guard(mutex_);
    if (current_ && may_rotate) {
      const duckdb::optional_idx limit(static_cast<duckdb::idx_t>(job_.options().target_file_size));
      if (job_.writer().rotate_next_file(*current_->state, *current_->bind_data, limit)) {
        current_->is_retired = true;
        full = current_->users == 0 ? std::move(current_) : nullptr;
        current_.reset();
      }
    }
    if (!current_) {
      current_ = job_.Open(context, partition_);
      if (operator_ != nullptr && job_.writer().initialize_operator) {
        job_.writer().initialize_operator(*current_->state, *operator_);
      }
    }
    ++current_->users;
    result = current_;
  }
  if (full) {
    job_.Close(context, *full);
  }
  return result;
}

void WriteStream::Release(ClientContext& context, const std::shared_ptr<OutputFile>& file) {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    if (--file->users > 0 || !file->is_retired) {
      return;
    }
  }
  job_.Close(context, *file);
}

void WriteStream::Finish(ClientContext& context) {
  std::shared_ptr<OutputFile> last;
  {
    std::lock_guard<std::mutex> guard(mutex_);
    last = std::move(current_);
  }
  if (last) {
    job_.Close(context, *last);
  }
}

duckdb::CopyFunction MakeWriteFunction(const WriteJob& job) {
  duckdb::CopyFunction function("tarn_write");
  function.extension = "parquet";
  function.copy_to_initialize_global = InitializeGlobal;
  function.copy_to_initialize_local = InitializeLocal;
  function.initialize_operator = InitializeOperator;
  function.copy_to_sink = Sink;
  function.copy_to_combine = Combine;
  function.copy_to_finalize = Finalize;
  function.execution_mode = job.writer().execution_mode;
  function.prepare_batch = PrepareBatch;
  function.flush_batch = FlushBatch;
  function.desired_batch_size = DesiredBatchSize;
  return function;
}

duckdb::unique_ptr<FunctionData> MakeWriteBindData(std::shared_ptr<WriteJob> job) {
  return duckdb::make_uniq<WriteBindData>(std::move(job));
}

}  // namespace tarn::engine
