// See the header. The query's tasks run in small steps on the calling thread (and on DuckDB's own),
// with a look at the interrupt check in between: a query inside a query must end when the outer one
// is cancelled.
#include "engine/store/host_query.h"

#include <chrono>
#include <thread>

#include "base/time.h"
#include "duckdb/common/string_util.hpp"
#include "duckdb/main/pending_query_result.hpp"
#include "duckdb/main/prepared_statement.hpp"
#include "duckdb/main/stream_query_result.hpp"
#include "engine/store/host_error.h"

namespace tarn::engine {
namespace {

/// Waits a little for the other threads' tasks: short at first, since most catalog queries take
/// well under a millisecond.
void PauseBetweenTasks(int& idle) {
  std::this_thread::sleep_for(std::chrono::microseconds(idle < 20 ? 20 : 500));
  ++idle;
}

class HostChunkReader : public ChunkReader {
 public:
  HostChunkReader(std::shared_ptr<duckdb::Connection> connection, const Statement& statement,
                  QueryHooks hooks, bool streaming)
      : connection_(std::move(connection)), hooks_(std::move(hooks)), sql_(statement.text) {
    auto prepared = connection_->Prepare(statement.text);
    if (prepared->HasError()) Fail(prepared->error);
    duckdb::vector<duckdb::Value> values;
    for (const Value& value : statement.parameters) values.push_back(ToDuckDbValue(value));
    auto pending = prepared->PendingQuery(values, streaming);
    int idle = 0;
    for (auto state = duckdb::PendingExecutionResult::RESULT_NOT_READY;
         !duckdb::PendingQueryResult::IsResultReady(state);) {
      if (pending->HasError()) Fail(pending->GetErrorObject());
      CheckInterrupt();
      state = pending->ExecuteTask();
      if (state == duckdb::PendingExecutionResult::EXECUTION_ERROR) Fail(pending->GetErrorObject());
      if (state == duckdb::PendingExecutionResult::NO_TASKS_AVAILABLE ||
          state == duckdb::PendingExecutionResult::BLOCKED) {
        PauseBetweenTasks(idle);
      }
    }
    result_ = pending->Execute();
    if (result_->HasError()) Fail(result_->GetErrorObject());
  }

  const duckdb::vector<duckdb::LogicalType>& types() const override { return result_->types; }
  const duckdb::vector<duckdb::string>& names() const override { return result_->names; }

  duckdb::unique_ptr<duckdb::DataChunk> Next() override {
    if (result_->type == duckdb::QueryResultType::STREAM_RESULT)
      AwaitChunk(result_->Cast<duckdb::StreamQueryResult>());
    duckdb::unique_ptr<duckdb::DataChunk> chunk;
    duckdb::ErrorData error;
    if (!result_->TryFetch(chunk, error)) Fail(error);
    return chunk && chunk->size() > 0 ? std::move(chunk) : nullptr;
  }

 private:
  [[noreturn]] void Fail(const duckdb::ErrorData& error) {
    const Error translated = ToStoreError(error, hooks_.where, sql_);
    result_.reset();
    hooks_.on_error();
    throw translated;
  }

  void CheckInterrupt() {
    if (hooks_.interrupted && hooks_.interrupted())
      connection_->Interrupt();  // the next step fails with it
  }

  void AwaitChunk(duckdb::StreamQueryResult& stream) {
    int idle = 0;
    while (stream.IsOpen()) {
      CheckInterrupt();
      const auto state = stream.ExecuteTask();
      if (duckdb::StreamQueryResult::IsChunkReady(state) ||
          state == duckdb::StreamExecutionResult::EXECUTION_ERROR ||
          state == duckdb::StreamExecutionResult::EXECUTION_CANCELLED) {
        return;
      }
      PauseBetweenTasks(idle);
    }
  }

  const std::shared_ptr<duckdb::Connection> connection_;
  const QueryHooks hooks_;
  const std::string sql_;
  duckdb::unique_ptr<duckdb::QueryResult> result_;
};

class HostRows : public Rows {
 public:
  HostRows(std::unique_ptr<ChunkReader> reader, std::string where)
      : reader_(std::move(reader)), where_(std::move(where)) {}

  bool Next() override {
    if (chunk_ && ++row_ < chunk_->size()) return true;
    chunk_ = reader_->Next();
    row_ = 0;
    return chunk_ != nullptr;
  }

  bool IsNull(int column) override {
    return duckdb::FlatVector::IsNull(chunk_->data[column], row_);
  }

  int64_t Int64(int column) override {
    if (!IsNull(column)) {
      if (TypeOf(column) == duckdb::LogicalTypeId::BIGINT) return Read<int64_t>(column);
      duckdb::Value value = chunk_->GetValue(column, row_);
      if (value.DefaultTryCastAs(duckdb::LogicalType::BIGINT)) return value.GetValue<int64_t>();
    }
    throw Unexpected(column, "an integer");
  }

  double Double(int column) override {
    if (!IsNull(column)) {
      if (TypeOf(column) == duckdb::LogicalTypeId::DOUBLE) return Read<double>(column);
      duckdb::Value value = chunk_->GetValue(column, row_);
      if (value.DefaultTryCastAs(duckdb::LogicalType::DOUBLE)) return value.GetValue<double>();
    }
    throw Unexpected(column, "a number");
  }

  bool Bool(int column) override {
    if (!IsNull(column)) {
      if (TypeOf(column) == duckdb::LogicalTypeId::BOOLEAN) return Read<bool>(column);
      duckdb::Value value = chunk_->GetValue(column, row_);
      if (value.DefaultTryCastAs(duckdb::LogicalType::BOOLEAN)) return value.GetValue<bool>();
    }
    throw Unexpected(column, "a boolean");
  }

  std::string_view Text(int column) override {
    if (IsNull(column)) throw Unexpected(column, "a text");
    switch (TypeOf(column)) {
      case duckdb::LogicalTypeId::VARCHAR:
      case duckdb::LogicalTypeId::BLOB: {
        const auto& text =
            duckdb::FlatVector::GetData<duckdb::string_t>(chunk_->data[column])[row_];
        return {text.GetData(), text.GetSize()};
      }
      case duckdb::LogicalTypeId::TIMESTAMP_TZ:
        return Keep(column, FormatTimestampTz(Time(column)));
      default:
        return Keep(column, chunk_->GetValue(column, row_).ToString());
    }
  }

  Timestamp Time(int column) override {
    if (!IsNull(column)) {
      const auto type = TypeOf(column);
      if (type == duckdb::LogicalTypeId::TIMESTAMP_TZ || type == duckdb::LogicalTypeId::TIMESTAMP) {
        return Timestamp(std::chrono::microseconds(Read<duckdb::timestamp_t>(column).value));
      }
      if (type == duckdb::LogicalTypeId::VARCHAR) {
        if (const auto time = ParseTimestampTz(Text(column))) return *time;
      }
    }
    throw Unexpected(column, "a time");
  }

  int column_count() const override { return static_cast<int>(reader_->types().size()); }
  std::string column_name(int column) const override { return reader_->names()[column]; }

 private:
  duckdb::LogicalTypeId TypeOf(int column) const { return reader_->types()[column].id(); }
  template <class T>
  T Read(int column) const {
    return duckdb::FlatVector::GetData<T>(chunk_->data[column])[row_];
  }
  std::string_view Keep(int column, std::string text) {
    texts_.resize(reader_->types().size());
    texts_[column] = std::move(text);
    return texts_[column];
  }
  Error Unexpected(int column, std::string_view expected) {
    return Error(
        ErrorCode::kCorrupt,
        duckdb::StringUtil::Format(
            "The catalog database \"%s\" holds %s in column \"%s\" where %s must be.", where_,
            IsNull(column) ? "NULL" : "\"" + chunk_->GetValue(column, row_).ToString() + "\"",
            column_name(column), std::string(expected)));
  }

  const std::unique_ptr<ChunkReader> reader_;
  const std::string where_;
  duckdb::unique_ptr<duckdb::DataChunk> chunk_;
  duckdb::idx_t row_ = 0;
  std::vector<std::string> texts_;
};

}  // namespace

duckdb::Value ToDuckDbValue(const Value& value) {
  return std::visit(
      [](const auto& content) -> duckdb::Value {
        using T = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return duckdb::Value();
        } else if constexpr (std::is_same_v<T, bool>) {
          return duckdb::Value::BOOLEAN(content);
        } else if constexpr (std::is_same_v<T, int64_t>) {
          return duckdb::Value::BIGINT(content);
        } else if constexpr (std::is_same_v<T, double>) {
          return duckdb::Value::DOUBLE(content);
        } else if constexpr (std::is_same_v<T, Blob>) {
          return duckdb::Value::BLOB_RAW(content.bytes);
        } else if constexpr (std::is_same_v<T, Timestamp>) {
          return duckdb::Value::TIMESTAMPTZ(
              duckdb::timestamp_tz_t(content.time_since_epoch().count()));
        } else {
          return duckdb::Value(content);
        }
      },
      value);
}

std::unique_ptr<ChunkReader> StartQuery(std::shared_ptr<duckdb::Connection> connection,
                                        const Statement& statement, QueryHooks hooks,
                                        bool streaming) {
  return std::make_unique<HostChunkReader>(std::move(connection), statement, std::move(hooks),
                                           streaming);
}

std::unique_ptr<Rows> MakeRows(std::unique_ptr<ChunkReader> reader, std::string where) {
  return std::make_unique<HostRows>(std::move(reader), std::move(where));
}

}  // namespace tarn::engine
