// See inline_buffer.h.
#include "engine/operators/inline_buffer.h"

#include <utility>

namespace tarn::engine {

void InlineBuffer::Start(int64_t limit, duckdb::vector<duckdb::LogicalType> types) {
  std::lock_guard<std::mutex> guard(mutex_);
  limit_ = limit;
  over_ = limit == 0;
  count_ = 0;
  types_ = std::move(types);
  rows_ = nullptr;
}

bool InlineBuffer::Announce(duckdb::idx_t count) {
  std::lock_guard<std::mutex> guard(mutex_);
  count_ += static_cast<int64_t>(count);
  if (count_ > limit_) over_ = true;
  return !over_;
}

bool InlineBuffer::Keep(duckdb::DataChunk& rows) {
  if (over_) return false;
  std::lock_guard<std::mutex> guard(mutex_);
  count_ += static_cast<int64_t>(rows.size());
  if (count_ > limit_) over_ = true;
  if (over_) return false;
  if (!rows_) rows_ = MakeRowCollection(types_);
  rows_->Append(rows);
  return true;
}

void InlineBuffer::Append(duckdb::ColumnDataCollection& rows) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (!rows_) rows_ = MakeRowCollection(types_);
  for (auto& chunk : rows.Chunks()) rows_->Append(chunk);
}

std::shared_ptr<RowCollection> InlineBuffer::Take() {
  std::lock_guard<std::mutex> guard(mutex_);
  return std::exchange(rows_, nullptr);
}

}  // namespace tarn::engine
