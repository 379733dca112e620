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

int64_t CalendarPart(Kind transform, TypeKind kind, int64_t units) {
  const int64_t units_per_hour = 3600 * UnitsPerSecond(kind);
  if (kind == kTime || kind == kTimeNs) return units / units_per_hour;
  const int64_t units_per_day = kind == kDate ? 1 : 24 * units_per_hour;
  const int64_t days = units / units_per_day - (units % units_per_day < 0 ? 1 : 0);
  if (transform == Kind::kHour) {
    return kind == kDate ? 0 : (units - days * units_per_day) / units_per_hour;
  }
  const CivilDate date = CivilFromDays(days);
  switch (transform) {
    case Kind::kYear:
      return date.year;
    case Kind::kMonth:
      return date.month;
    default:
      return date.day;
  }
}

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

double HashedDouble(double value) {
  if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
  return value == 0 ? 0.0 : value;
}

int64_t BucketOf(std::string_view bytes, int64_t buckets) {
  return static_cast<int64_t>(Murmur3_32(bytes) & 0x7fffffffu) % buckets;
}

std::string BucketBytes(const ScalarType& type, const StatsValue& value) {
  if (HashesAsInteger(type)) return LittleEndian(static_cast<uint64_t>(value.integer));
  switch (type.kind) {
    case kTimeTz:
      return LittleEndian(TimeTzBits(value));
    case kFloat32:
    case kFloat64:
      return LittleEndian(std::bit_cast<uint64_t>(HashedDouble(value.real)));
    case kVarchar:
    case kJson:
    case kBlob:
      return value.bytes;
    default:
      return FormatValue(type, value, TextEncoding::kPlain);
  }
}

std::optional<int64_t> PartOf(const Transform& transform, const ScalarType& type,
                              const StatsValue& value) {
  if (transform.kind == Kind::kIdentity || !TransformApplies(transform, type)) return std::nullopt;
  if (transform.kind == Kind::kBucket) return BucketOf(BucketBytes(type, value), transform.buckets);
  if (IsInfinite(type.kind, value)) return std::nullopt;
  return CalendarPart(transform.kind, type.kind, static_cast<int64_t>(value.integer));
}

std::optional<std::string> PartitionValue(const Transform& transform, const ScalarType& type,
                                          const StatsValue& value) {
  if (!TransformApplies(transform, type)) return std::nullopt;
  if (transform.kind == Kind::kIdentity) return FormatValue(type, value, TextEncoding::kPlain);
  const auto part = PartOf(transform, type, value);
  return part ? std::optional(std::to_string(*part)) : std::nullopt;
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
