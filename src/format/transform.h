// Partition transforms (format page, section 8): identity, calendar parts, and bucket, on typed
// values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/stats_value.h"
#include "format/type_names.h"

namespace tarn {

struct Transform {
  enum class Kind : uint8_t { kIdentity, kYear, kMonth, kDay, kHour, kBucket };
  Kind kind = Kind::kIdentity;
  int64_t buckets = 0;  ///< of kBucket, at least 1
  friend bool operator==(const Transform&, const Transform&) = default;
};

/// Nullopt for a transform that format 1.0 does not have.
std::optional<Transform> ParseTransform(std::string_view text);
std::string FormatTransform(const Transform& transform);
/// False when the transform has no meaning for the type (the year of an integer).
bool TransformApplies(const Transform& transform, const ScalarType& type);

/// The part that a calendar transform takes of a date, time or timestamp in its own unit;
/// timestamps with a zone count in UTC. The value is finite.
int64_t CalendarPart(Transform::Kind transform, TypeKind kind, int64_t units);

/// The bytes that `bucket` hashes for a value: not Iceberg's for every type.
std::string BucketBytes(const ScalarType& type, const StatsValue& value);

/// What a transform other than identity makes of a value. Nullopt where it does not apply or the
/// value has no such part (the year of infinity).
std::optional<int64_t> PartOf(const Transform& transform, const ScalarType& type,
                              const StatsValue& value);
/// The value as stored in ducklake_file_partition_value. Nullopt where the transform does not apply
/// or the value has no such part (the year of infinity).
std::optional<std::string> PartitionValue(const Transform& transform, const ScalarType& type,
                                          const StatsValue& value);

/// Whether a value is hashed as a 64-bit integer: its number, days, units or unscaled digits.
bool HashesAsInteger(const ScalarType& type);
/// A float as its bits are hashed: one zero and one NaN, since they compare equal.
double HashedDouble(double value);
/// The bucket of a value by the bytes that are hashed.
int64_t BucketOf(std::string_view bytes, int64_t buckets);

/// One partition key as its folder needs it.
struct FolderKey {
  Transform transform;
  std::string column;  ///< its name
};
/// The names of the Hive folders of a spec: the column's name for identity, else the transform's,
/// else `<transform>_<column>` when that is taken by an earlier key.
std::vector<std::string> HiveKeys(std::span<const FolderKey> keys);

}  // namespace tarn
