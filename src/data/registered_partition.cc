// Folders make claims about rows; a scan that prunes believes them. So each is checked here.
#include "data/registered_partition.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "data/find_field.h"
#include "data/registered_columns.h"
#include "format/stats_text.h"
#include "format/transform.h"
#include "format/type_names.h"
#include "tarn/error.h"

namespace tarn {
namespace {

using Kind = Transform::Kind;

struct Key {
  Transform transform;
  const Column* column;
  std::string folder;
};

std::vector<Key> KeysOf(const Table& table) {
  std::vector<Key> keys;
  if (!table.partition) return keys;
  std::vector<FolderKey> folders;
  for (const PartitionKey& key : table.partition->keys) {
    const Column* column = FindColumnById(table.columns, key.field);
    const std::optional<Transform> transform = ParseTransform(key.transform);
    if (column == nullptr || !transform) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("Table \"{}\" is partitioned by \"{}\" of a column that it does not "
                              "have, or in a way that this version does not know.",
                              table.name, key.transform));
    }
    keys.push_back({*transform, column, ""});
    folders.push_back({*transform, column->name});
  }
  const std::vector<std::string> names = HiveKeys(folders);
  for (size_t i = 0; i < keys.size(); ++i) keys[i].folder = names[i];
  return keys;
}

const FolderValue* FindFolder(const FileToRegister& request, const std::string& key) {
  for (const FolderValue& folder : request.folders) {
    if (EqualsIgnoreCase(folder.key, key)) return &folder;
  }
  return nullptr;
}

[[noreturn]] void ThrowInvalidValue(const FileToRegister& request, const Table& table,
                                    const std::string& why) {
  ThrowMisfit(request, table,
              fmt::format("File \"{}\" contains an invalid partition value for the table "
                          "configuration: {}",
                          request.path, why));
}

std::optional<int64_t> ParseNumber(const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// What one part of a calendar has to agree on with another value for all between them to have it.
bool SamePeriod(Kind kind, const ScalarType& type, const StatsValue& a, const StatsValue& b) {
  static constexpr Kind kParts[] = {Kind::kYear, Kind::kMonth, Kind::kDay, Kind::kHour};
  for (Kind part : kParts) {
    const Transform transform{part, 0};
    if (TransformApplies(transform, type)) {
      const auto of_a = PartitionValue(transform, type, a);
      if (!of_a || of_a != PartitionValue(transform, type, b)) return false;
    }
    if (part == kind) return true;
  }
  return false;
}

bool MayBeCut(const ScalarType& type, const std::string& bound) {
  const bool is_text = type.kind == TypeKind::kVarchar || type.kind == TypeKind::kJson ||
                       type.kind == TypeKind::kBlob;
  return is_text && bound.size() >= kMaxBoundBytes;
}

/// Value of a transform as its folder says it.
std::optional<std::string> ValueOf(const Key& key, const FolderValue& folder,
                                   const FileToRegister& request, const Table& table) {
  if (key.transform.kind == Kind::kIdentity) {
    if (!folder.value) return std::nullopt;
    const ScalarType type = RequireTypeName(key.column->type);
    const auto value = ParseValue(type, *folder.value, TextEncoding::kPlain);
    return value ? PartitionValue(key.transform, type, *value) : folder.value;
  }
  if (!folder.text || folder.text->empty()) return std::nullopt;
  const std::optional<int64_t> number = ParseNumber(*folder.text);
  if (!number) {
    ThrowInvalidValue(
        request, table,
        fmt::format("\"{}\" of its folder \"{}\" is not a number", *folder.text, folder.key));
  }
  return std::to_string(*number);
}

}  // namespace

const Column* ColumnOfFolder(const Table& table, std::string_view key) {
  for (const Key& part : KeysOf(table)) {
    if (!EqualsIgnoreCase(part.folder, key)) continue;
    return part.transform.kind == Kind::kIdentity ? part.column : nullptr;
  }
  for (const Column& column : table.columns) {
    if (EqualsIgnoreCase(column.name, key)) return &column;
  }
  return nullptr;
}

Claim CheckClaim(const Transform& transform, const ScalarType& type, const ColumnStats* stats,
                 int64_t row_count, const std::optional<std::string>& value) {
  if (transform.kind == Kind::kBucket && value) {
    const std::optional<int64_t> bucket = ParseNumber(*value);
    if (!bucket || *bucket < 0 || *bucket >= transform.buckets) return Claim::kFalse;
  }
  if (row_count == 0) return Claim::kTrue;
  if (stats == nullptr || !stats->null_count) return Claim::kOpen;
  if (!value) return stats->null_count == row_count ? Claim::kTrue : Claim::kFalse;
  if (*stats->null_count > 0) return Claim::kFalse;
  if (!stats->min_value || !stats->max_value) return Claim::kOpen;
  if (MayBeCut(type, *stats->min_value) || MayBeCut(type, *stats->max_value)) return Claim::kOpen;
  const auto min = ParseBound(type, *stats->min_value, BoundSide::kMin);
  const auto max = ParseBound(type, *stats->max_value, BoundSide::kMax);
  if (!min || !max) return Claim::kOpen;
  if (transform.kind == Kind::kBucket) {
    // A NaN is in no bounds.
    const bool may_be_nan = HasNan(type.kind) && stats->contains_nan != false;
    if (Compare(*min, *max) != 0 || may_be_nan) return Claim::kOpen;
    return PartitionValue(transform, type, *min) == value ? Claim::kTrue : Claim::kFalse;
  }
  const auto first = PartitionValue(transform, type, *min);
  if (first != value || PartitionValue(transform, type, *max) != value) return Claim::kFalse;
  return SamePeriod(transform.kind, type, *min, *max) ? Claim::kTrue : Claim::kOpen;
}

void SetPartitionValues(const FileToRegister& request, const Table& table, DataFile& file) {
  bool is_proven = true;
  for (const Key& key : KeysOf(table)) {
    const FolderValue* folder = FindFolder(request, key.folder);
    if (folder == nullptr) {
      ThrowInvalidValue(request, table,
                        fmt::format("table \"{0}\" is partitioned by \"{1}\", so the file must lie "
                                    "in a folder \"{1}=…\"",
                                    table.name, key.folder));
    }
    std::optional<std::string> value = ValueOf(key, *folder, request, table);
    if (key.transform.kind != Kind::kIdentity) {
      const ScalarType type = RequireTypeName(key.column->type);
      const auto stats =
          std::find_if(file.stats.begin(), file.stats.end(),
                       [&](const ColumnStats& column) { return column.field == key.column->id; });
      const Claim claim =
          CheckClaim(key.transform, type, stats == file.stats.end() ? nullptr : &*stats,
                     file.record_count, value);
      if (claim == Claim::kFalse) {
        ThrowInvalidValue(
            request, table,
            fmt::format("its folder says {}={}, but the values of its column \"{}\" do not belong "
                        "there",
                        folder->key, folder->text.value_or("NULL"), key.column->name));
      }
      is_proven = is_proven && claim == Claim::kTrue;
    }
    file.partition_values.push_back(std::move(value));
  }
  if (!table.partition) return;
  if (is_proven) {
    file.partition_id = table.partition->ref;
  } else {
    file.partition_values.clear();
  }
}

}  // namespace tarn
