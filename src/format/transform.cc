// Partition transforms.
#include "format/transform.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "base/text.h"
#include "base/time.h"

namespace tarn {
namespace {

using enum TypeKind;
using Kind = Transform::Kind;

struct KindName {
  Kind kind;
  std::string_view name;
};
constexpr KindName kNames[] = {
    {Kind::kIdentity, "identity"}, {Kind::kYear, "year"}, {Kind::kMonth, "month"},
    {Kind::kDay, "day"},           {Kind::kHour, "hour"}, {Kind::kBucket, "bucket"},
};

std::string_view NameOf(Kind kind) { return kNames[static_cast<size_t>(kind)].name; }

/// `bucket(16)`: 16.
std::optional<int64_t> ParseBuckets(std::string_view text) {
  constexpr std::string_view kStart = "bucket(";
  if (!EqualsIgnoreCase(text.substr(0, kStart.size()), kStart) || !text.ends_with(')'))
    return std::nullopt;
  const std::string_view number =
      TrimSpace(text.substr(kStart.size(), text.size() - kStart.size() - 1));
  int64_t buckets = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), buckets);
  if (error != std::errc() || end != number.data() + number.size() || buckets < 1)
    return std::nullopt;
  return buckets;
}

std::string LittleEndian(uint64_t value) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

/// Whether a value is hashed as a 64-bit integer.
bool HashesAsInteger(const ScalarType& type) {
  constexpr int kInt64Digits = 18;
  switch (type.kind) {
    case kBoolean:
    case kInt8:
    case kInt16:
    case kInt32:
    case kInt64:
    case kDate:
    case kTime:
    case kTimeNs:
      return true;
    case kDecimal:
      return type.width <= kInt64Digits;
    default:
      return IsTimestamp(type.kind);
  }
}

/// The part of a date, time or timestamp that a calendar transform takes.
std::optional<int64_t> CalendarPart(Kind transform, TypeKind kind, const StatsValue& value) {
  if (IsInfinite(kind, value)) return std::nullopt;
  const auto units = static_cast<int64_t>(value.integer);
  const int64_t units_per_hour = 3600 * UnitsPerSecond(kind);
  if (kind == kTime || kind == kTimeNs) return units / units_per_hour;
  const int64_t units_per_day = kind == kDate ? 1 : 24 * units_per_hour;
  const int64_t days = units / units_per_day - (units % units_per_day < 0 ? 1 : 0);
  const CivilDate date = CivilFromDays(days);
  switch (transform) {
    case Kind::kYear:
      return date.year;
    case Kind::kMonth:
      return date.month;
    case Kind::kDay:
      return date.day;
    default: {
      if (kind == kDate) return 0;
      const int64_t left = units % units_per_day;
      return (left < 0 ? left + units_per_day : left) / units_per_hour;
    }
  }
}

}  // namespace

std::optional<Transform> ParseTransform(std::string_view text) {
  text = TrimSpace(text);
  for (const KindName& entry : kNames) {
    if (entry.kind != Kind::kBucket && EqualsIgnoreCase(entry.name, text))
      return Transform{entry.kind, 0};
  }
  if (const auto buckets = ParseBuckets(text)) return Transform{Kind::kBucket, *buckets};
  return std::nullopt;
}

std::string FormatTransform(const Transform& transform) {
  std::string text(NameOf(transform.kind));
  if (transform.kind == Kind::kBucket) text += "(" + std::to_string(transform.buckets) + ")";
  return text;
}

bool TransformApplies(const Transform& transform, const ScalarType& type) {
  switch (transform.kind) {
    case Kind::kIdentity:
    case Kind::kBucket:
      return HasComparableBounds(type.kind);
    case Kind::kHour:
      if (type.kind == kTime || type.kind == kTimeNs) return true;
      [[fallthrough]];
    default:
      return type.kind == kDate || IsTimestamp(type.kind);
  }
}

std::string BucketBytes(const ScalarType& type, const StatsValue& value) {
  if (HashesAsInteger(type)) return LittleEndian(static_cast<uint64_t>(value.integer));
  switch (type.kind) {
    case kTimeTz:
      return LittleEndian(TimeTzBits(value));
    case kFloat32:
    case kFloat64: {
      // One zero and one NaN, since they compare equal.
      double real = value.real == 0 ? 0.0 : value.real;
      if (std::isnan(real)) real = std::numeric_limits<double>::quiet_NaN();
      return LittleEndian(std::bit_cast<uint64_t>(real));
    }
    case kVarchar:
    case kJson:
    case kBlob:
      return value.bytes;
    default:
      return FormatValue(type, value, TextEncoding::kPlain);
  }
}

std::optional<std::string> PartitionValue(const Transform& transform, const ScalarType& type,
                                          const StatsValue& value) {
  if (!TransformApplies(transform, type)) return std::nullopt;
  switch (transform.kind) {
    case Kind::kIdentity:
      return FormatValue(type, value, TextEncoding::kPlain);
    case Kind::kBucket: {
      const uint32_t hash = Murmur3_32(BucketBytes(type, value)) & 0x7fffffffu;
      return std::to_string(static_cast<int64_t>(hash) % transform.buckets);
    }
    default: {
      const auto part = CalendarPart(transform.kind, type.kind, value);
      return part ? std::optional(std::to_string(*part)) : std::nullopt;
    }
  }
}

std::vector<std::string> HiveKeys(std::span<const FolderKey> keys) {
  std::vector<std::string> names;
  names.reserve(keys.size());
  const auto taken = [&](const std::string& name) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& other) { return EqualsIgnoreCase(other, name); });
  };
  for (const FolderKey& key : keys) {
    std::string name = key.transform.kind == Kind::kIdentity
                           ? key.column
                           : std::string(NameOf(key.transform.kind));
    if (taken(name)) name += "_" + key.column;
    // Rare: a column is called like a transform and its column. Any free name will do.
    for (int n = 2; taken(name); ++n) name += "_" + std::to_string(n);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace tarn
