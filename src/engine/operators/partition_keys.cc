// See partition_keys.h. Values are computed a vector at a time; the rules are those of
// format/transform.
#include "engine/operators/partition_keys.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "duckdb/common/vector_operations/unary_executor.hpp"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "engine/bridge/types.h"
#include "format/paths.h"
#include "format/type_names.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::UnaryExecutor;
using duckdb::Vector;

// The longest name of a folder that file systems take.
constexpr size_t kMaxFolderName = 255;

// Values of one physical type as 64-bit numbers; nullopt becomes NULL.
template <class Physical, class Function>
void ToNumbers(Vector& values, idx_t count, Vector& result, Function function) {
  UnaryExecutor::ExecuteWithNulls<Physical, int64_t>(
      values, result, count, [&](Physical value, duckdb::ValidityMask& mask, idx_t row) {
        const std::optional<int64_t> number = function(value);
        if (!number) mask.SetInvalid(row);
        return number.value_or(0);
      });
}

template <class Function>
void IntegersToNumbers(Vector& values, idx_t count, Vector& result, Function function) {
  switch (values.GetType().InternalType()) {
    case duckdb::PhysicalType::BOOL:
      return ToNumbers<bool>(values, count, result, function);
    case duckdb::PhysicalType::INT8:
      return ToNumbers<int8_t>(values, count, result, function);
    case duckdb::PhysicalType::INT16:
      return ToNumbers<int16_t>(values, count, result, function);
    case duckdb::PhysicalType::INT32:
      return ToNumbers<int32_t>(values, count, result, function);
    case duckdb::PhysicalType::INT64:
      return ToNumbers<int64_t>(values, count, result, function);
    case duckdb::PhysicalType::UINT64:
      return ToNumbers<uint64_t>(values, count, result, function);
    default:
      throw duckdb::InternalException("partition key of an unexpected physical type");
  }
}

// What infinite dates and timestamps are; times have none.
std::optional<int64_t> InfinityOf(TypeKind kind) {
  if (kind != TypeKind::kDate && !IsTimestamp(kind)) return std::nullopt;
  return static_cast<int64_t>(PositiveInfinity(kind).integer);
}

std::string_view BytesOf(const int64_t& bits) {
  static_assert(std::endian::native == std::endian::little);
  return {reinterpret_cast<const char*>(&bits), sizeof(bits)};
}

// What is hashed as a number, else as bytes of text: BucketBytes for vectors.
void ComputeBuckets(const ScalarType& type, int64_t buckets, Vector& values, idx_t count,
                    Vector& result) {
  const auto of_bits = [buckets](auto value) {
    const auto bits = static_cast<int64_t>(value);
    return std::optional(BucketOf(BytesOf(bits), buckets));
  };
  if (HashesAsInteger(type) || type.kind == TypeKind::kTimeTz)
    return IntegersToNumbers(values, count, result, of_bits);
  if (IsFloat(type.kind)) {
    Vector doubles(LogicalType::DOUBLE, count);
    duckdb::VectorOperations::DefaultCast(values, doubles, count, true);
    return ToNumbers<double>(doubles, count, result, [&](double value) {
      return of_bits(std::bit_cast<int64_t>(HashedDouble(value)));
    });
  }
  const auto of_text = [&](Vector& texts) {
    ToNumbers<duckdb::string_t>(texts, count, result, [&](const duckdb::string_t& text) {
      return std::optional(BucketOf({text.GetData(), text.GetSize()}, buckets));
    });
  };
  if (values.GetType().InternalType() == duckdb::PhysicalType::VARCHAR) return of_text(values);
  Vector texts(LogicalType::VARCHAR, count);
  duckdb::VectorOperations::DefaultCast(values, texts, count, true);
  of_text(texts);
}

bool HasZeroByte(const std::vector<std::optional<std::string>>& values) {
  return std::any_of(values.begin(), values.end(), [](const auto& value) {
    return value && value->find('\0') != std::string::npos;
  });
}

}  // namespace

PartitionKeys::PartitionKeys(const Table& table, bool hive_folders) {
  if (!table.partition) return;
  spec_ = table.partition->ref;
  std::vector<FolderKey> folders;
  for (const auto& stored : table.partition->keys) {
    const auto column =
        std::find_if(table.columns.begin(), table.columns.end(),
                     [&](const Column& candidate) { return candidate.id == stored.field; });
    const auto transform = ParseTransform(stored.transform);
    if (!transform || column == table.columns.end() ||
        !TransformApplies(*transform, RequireTypeName(column->type))) {
      throw Error(ErrorCode::kUnsupported,
                  "Table \"" + table.name + "\" is partitioned by " + stored.transform + " of " +
                      (column == table.columns.end() ? "a nested field" : column->name) +
                      ", which this version of Tarn does not write. Change the partitioning with "
                      "ALTER TABLE … SET PARTITIONED BY, or write with a client that does.");
    }
    Key key;
    key.column = static_cast<size_t>(column - table.columns.begin());
    key.transform = *transform;
    key.type = RequireTypeName(column->type);
    key.result = transform->kind == Transform::Kind::kIdentity ? ToLogicalType(*column)
                                                               : LogicalType::BIGINT;
    keys_.push_back(std::move(key));
    folders.push_back({*transform, column->name});
  }
  if (hive_folders) folder_keys_ = HiveKeys(folders);
}

void PartitionKeys::Compute(size_t index, Vector& values, idx_t count, Vector& result) const {
  const Key& key = keys_[index];
  switch (key.transform.kind) {
    case Transform::Kind::kIdentity:
      return result.Reference(values);
    case Transform::Kind::kBucket:
      return ComputeBuckets(key.type, key.transform.buckets, values, count, result);
    default: {
      const auto infinity = InfinityOf(key.type.kind);
      return IntegersToNumbers(values, count, result, [&](auto value) -> std::optional<int64_t> {
        const auto units = static_cast<int64_t>(value);
        if (infinity && (units == *infinity || units == -*infinity)) return std::nullopt;
        return CalendarPart(key.transform.kind, key.type.kind, units);
      });
    }
  }
}

FilePartition PartitionKeys::Describe(const std::vector<duckdb::Value>& values) const {
  FilePartition result;
  for (const auto& value : values) {
    result.values.push_back(value.IsNull() ? std::nullopt : std::optional(value.ToString()));
  }
  // Not every catalog database keeps texts with zero bytes whole.
  if (HasZeroByte(result.values)) return {};
  result.spec = spec_;
  for (size_t i = 0; i < folder_keys_.size(); ++i) {
    const auto folder = HiveFolder(folder_keys_[i], result.values[i]);
    if (folder.size() > kMaxFolderName) {
      // Nobody reads values from folders; so none at all, rather than one that lies.
      result.folder.clear();
      break;
    }
    result.folder += folder;
  }
  return result;
}

}  // namespace tarn::engine
