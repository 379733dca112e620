// Which snapshot a user asks for. See snapshot_selector.h.
#include "engine/catalog/snapshot_selector.h"

#include <chrono>

#include "tarn/error.h"

namespace tarn::engine {
namespace {

/// Strict: a text that is only nearly a number or a time is an error, never another snapshot.
duckdb::Value Cast(duckdb::ClientContext& context, const duckdb::Value& value,
                   const duckdb::LogicalType& type, const char* expected) {
  if (value.IsNull()) throw Error(ErrorCode::kInvalid, "Snapshot identifier cannot be NULL");
  duckdb::Value result;
  std::string error;
  if (!value.TryCastAs(context, type, result, &error, true) || result.IsNull()) {
    throw Error(ErrorCode::kInvalid,
                "Failed to cast value: '" + value.ToString() + "' is not " + expected + ".");
  }
  return result;
}

}  // namespace

SnapshotId ToSnapshotId(duckdb::ClientContext& context, const duckdb::Value& value) {
  // A cast would round them, and a truth value is no number.
  const auto& type = value.type();
  if (!value.IsNull() && !type.IsIntegral() && type.id() != duckdb::LogicalTypeId::VARCHAR) {
    throw Error(ErrorCode::kInvalid, "A snapshot id is a whole number, which " + value.ToString() +
                                         " (" + type.ToString() + ") is not.");
  }
  return SnapshotId(
      Cast(context, value, duckdb::LogicalType::BIGINT, "a snapshot id").GetValue<int64_t>());
}

Timestamp ToTimestamp(duckdb::ClientContext& context, const duckdb::Value& value) {
  const auto time = Cast(context, value, duckdb::LogicalType::TIMESTAMP_TZ, "a point in time");
  return Timestamp(std::chrono::microseconds(duckdb::TimestampTZValue::Get(time).value));
}

}  // namespace tarn::engine
