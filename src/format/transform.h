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

/// The bytes that `bucket` hashes for a value: not Iceberg's for every type.
std::string BucketBytes(const ScalarType& type, const StatsValue& value);

/// The value as stored in ducklake_file_partition_value. Nullopt where the transform does not apply
/// or the value has no such part (the year of infinity).
std::optional<std::string> PartitionValue(const Transform& transform, const ScalarType& type,
                                          const StatsValue& value);

/// One partition key as its folder needs it.
struct FolderKey {
  Transform transform;
  std::string column;  ///< its name
};
/// The names of the Hive folders of a spec: the column's name for identity, else the transform's,
/// else `<transform>_<column>` when that is taken by an earlier key.
std::vector<std::string> HiveKeys(std::span<const FolderKey> keys);

}  // namespace tarn
