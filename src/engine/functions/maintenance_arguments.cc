// See maintenance_arguments.h.
#include "engine/functions/maintenance_arguments.h"

#include "duckdb/common/types/interval.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "format/age.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

Timestamp Now(TarnTransaction& transaction) {
  return transaction.catalog().lake().environment().now();
}

/// Says how an age becomes a time.
[[noreturn]] void RefuseTime(const LakeCall& call, const std::string& name,
                             const duckdb::Value& value, const std::string& error) {
  const auto text = value.ToString();
  duckdb::Value age;
  std::string ignored;
  const bool is_bare = IsBareNumber(text);
  if (!is_bare && !value.TryCastAs(call.context, duckdb::LogicalType::INTERVAL, age, &ignored))
    throw duckdb::InvalidInputException("Failed to cast value: '%s' is no time. %s", text, error);
  throw Error(ErrorCode::kInvalid, name + " takes a time, not the age '" + text + "': write " +
                                       name + " => now() - INTERVAL " +
                                       (is_bare ? text + " DAY" : "'" + text + "'") + ".");
}

}  // namespace

bool FlagArgument(const LakeCall& call, const char* name) {
  const auto* value = call.Named(name);
  return value && duckdb::BooleanValue::Get(*value);
}

std::optional<Timestamp> TimeArgument(const LakeCall& call, const char* name) {
  const auto* value = call.Named(name);
  if (!value) return std::nullopt;
  duckdb::Value time;
  std::string error;
  // A cast that knows zones says true for what it could not read, with NULL.
  const auto type = duckdb::LogicalType::TIMESTAMP_TZ;
  if (!value->TryCastAs(call.context, type, time, &error) || time.IsNull())
    RefuseTime(call, name, *value, error);
  return Timestamp(std::chrono::microseconds(duckdb::TimestampTZValue::Get(time).value));
}

std::optional<Timestamp> TimeByOption(TarnTransaction& transaction, const std::string& option,
                                      const std::optional<std::string>& otherwise) {
  const auto stored = transaction.kernel().options().Find(option);
  const auto age = stored && !stored->empty() ? stored : otherwise;
  if (!age) return std::nullopt;
  duckdb::Value interval;
  std::string error;
  if (!duckdb::Value(*age).DefaultTryCastAs(duckdb::LogicalType::INTERVAL, interval, &error)) {
    throw Error(ErrorCode::kInvalid,
                "The lake's option " + option + " is '" + *age +
                    "', which is no interval. Set it to one such as '7 days'.");
  }
  try {
    const auto now = duckdb::timestamp_t(Now(transaction).time_since_epoch().count());
    const auto back = duckdb::Interval::Invert(duckdb::IntervalValue::Get(interval));
    return Timestamp(std::chrono::microseconds(duckdb::Interval::Add(now, back).value));
  } catch (const duckdb::OutOfRangeException&) {
    throw Error(ErrorCode::kInvalid, "The lake's option " + option + " is '" + *age +
                                         "', which is out of the range of times. Set it to an "
                                         "interval such as '7 days'.");
  }
}

}  // namespace tarn::engine
