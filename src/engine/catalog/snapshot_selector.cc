// Which snapshot a user asks for. See snapshot_selector.h.
#include "engine/catalog/snapshot_selector.h"

#include <chrono>

#include "tarn/error.h"

namespace tarn::engine {
namespace {

duckdb::Value Cast(duckdb::ClientContext& context, const duckdb::Value& value, const duckdb::LogicalType& type) {
  if (value.IsNull()) throw Error(ErrorCode::kInvalid, "Snapshot identifier cannot be NULL");
  return value.CastAs(context, type);
}

}  // namespace

SnapshotId ToSnapshotId(duckdb::ClientContext& context, const duckdb::Value& value) {
  return SnapshotId(Cast(context, value, duckdb::LogicalType::BIGINT).GetValue<int64_t>());
}

Timestamp ToTimestamp(duckdb::ClientContext& context, const duckdb::Value& value) {
  const auto time = Cast(context, value, duckdb::LogicalType::TIMESTAMP_TZ);
  return Timestamp(std::chrono::microseconds(duckdb::TimestampTZValue::Get(time).value));
}

}  // namespace tarn::engine
