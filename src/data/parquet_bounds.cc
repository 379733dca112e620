// Bounds in a footer, in Parquet's plain encoding, as values of the types that the format knows.
#include <bit>
#include <cmath>
#include <limits>

#include "data/parquet_schema.h"

namespace tarn {
namespace {

template <class T>
std::optional<T> Little(std::string_view bytes) {
  if (bytes.size() != sizeof(T)) return std::nullopt;
  uint64_t value = 0;
  for (size_t i = sizeof(T); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<uint32_t>(value));
  } else {
    return std::bit_cast<T>(value);
  }
}

// Two's complement, most significant byte first.
std::optional<Int128> BigEndianSigned(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > sizeof(Int128)) return std::nullopt;
  Uint128 value = static_cast<uint8_t>(bytes[0]) & 0x80 ? kUint128Max : 0;
  for (char c : bytes) value = value << 8 | static_cast<uint8_t>(c);
  return static_cast<Int128>(value);
}

Int128 FloorDivide(Int128 value, Int128 by) { return value / by - (value % by < 0 ? 1 : 0); }

// A time in the file's unit as one in the type's unit, rounded outwards.
Int128 ToTypeUnit(Int128 value, int64_t from, int64_t to, BoundSide side) {
  if (from == 0 || from == to) return value;
  if (from < to) return value * (to / from);
  Int128 step = from / to;
  return side == BoundSide::kMin ? FloorDivide(value, step) : -FloorDivide(-value, step);
}

// DuckDB writes infinite dates and timestamps as the greatest number of the file's type, and as its
// negative.
std::optional<StatsValue> Infinity(const ParquetLeaf& leaf, Int128 value) {
  Int128 greatest = leaf.physical == PhysicalType::kInt32
                        ? Int128{std::numeric_limits<int32_t>::max()}
                        : Int128{std::numeric_limits<int64_t>::max()};
  if (value == greatest) return PositiveInfinity(leaf.type.kind);
  if (value == -greatest) return NegativeInfinity(leaf.type.kind);
  return std::nullopt;
}

}  // namespace

bool ParquetLeaf::IsSignedOrder() const {
  return physical != PhysicalType::kByteArray && physical != PhysicalType::kFixedLenByteArray &&
         !IsUnsignedInteger(type.kind);
}

std::optional<StatsValue> DecodeParquetBound(const ParquetLeaf& leaf, std::string_view bytes,
                                             BoundSide side) {
  if (!leaf.has_statistics) return std::nullopt;
  std::optional<Int128> integer;
  switch (leaf.physical) {
    case PhysicalType::kBoolean:
      if (bytes.size() == 1) integer = bytes[0] != 0;
      break;
    case PhysicalType::kInt32:
      if (auto value = Little<int32_t>(bytes)) {
        integer = IsUnsignedInteger(leaf.type.kind) ? Int128{static_cast<uint32_t>(*value)}
                                                    : Int128{*value};
      }
      break;
    case PhysicalType::kInt64:
      if (auto value = Little<int64_t>(bytes)) {
        integer = IsUnsignedInteger(leaf.type.kind) ? Int128{static_cast<uint64_t>(*value)}
                                                    : Int128{*value};
      }
      break;
    case PhysicalType::kFloat: {
      auto value = Little<float>(bytes);
      return value && !std::isnan(*value) ? std::optional(StatsValue::Real(*value)) : std::nullopt;
    }
    case PhysicalType::kDouble: {
      auto value = Little<double>(bytes);
      return value && !std::isnan(*value) ? std::optional(StatsValue::Real(*value)) : std::nullopt;
    }
    case PhysicalType::kInt96:
      return std::nullopt;
    case PhysicalType::kByteArray:
    case PhysicalType::kFixedLenByteArray:
      if (leaf.type.kind == TypeKind::kDecimal) {
        integer = BigEndianSigned(bytes);
        break;
      }
      if (leaf.type.kind == TypeKind::kUuid && bytes.size() != 16) return std::nullopt;
      return StatsValue::Bytes(std::string(bytes));
  }
  if (!integer) return std::nullopt;
  if (leaf.type.kind == TypeKind::kDate || IsTimestamp(leaf.type.kind)) {
    if (auto infinity = Infinity(leaf, *integer)) return infinity;
  }
  if (leaf.units_per_second != 0) {
    integer = ToTypeUnit(*integer, leaf.units_per_second, UnitsPerSecond(leaf.type.kind), side);
    if (*integer > std::numeric_limits<int64_t>::max() ||
        *integer < std::numeric_limits<int64_t>::min()) {
      return std::nullopt;
    }
  }
  return StatsValue::Integer(*integer);
}

}  // namespace tarn
