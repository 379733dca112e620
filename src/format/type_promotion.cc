// The promotions, kind by kind.
#include "format/type_promotion.h"

#include <iterator>

namespace tarn {
namespace {

using enum TypeKind;

/// Digits that the greatest value of an integer has.
int DigitsOf(TypeKind kind) {
  switch (kind) {
    case kInt8:
    case kUint8:
      return 3;
    case kInt16:
    case kUint16:
      return 5;
    case kInt32:
    case kUint32:
      return 10;
    case kInt64:
      return 19;
    case kUint64:
      return 20;
    default:
      return 39;
  }
}

/// 0 for 8 bits up to 4 for 128.
int WidthStep(TypeKind kind) {
  const TypeKind first = IsSignedInteger(kind) ? kInt8 : kUint8;
  return static_cast<int>(kind) - static_cast<int>(first);
}

bool CanPromoteInteger(TypeKind from, const ScalarType& to) {
  if (IsFloat(to.kind)) return true;
  if (to.kind == kDecimal) return to.width - to.scale >= DigitsOf(from);
  if (!IsInteger(to.kind)) return false;
  // A signed value may be negative; an unsigned one needs one bit more in a signed type.
  if (IsSignedInteger(from) && IsUnsignedInteger(to.kind)) return false;
  return WidthStep(from) < WidthStep(to.kind);
}

bool CanPromoteTimestamp(TypeKind from, TypeKind to) {
  if (to == kTimestampTz) return from == kTimestamp;
  const bool has_zone = from == kTimestampTz;
  return IsTimestamp(to) && !has_zone && UnitsPerSecond(from) < UnitsPerSecond(to);
}

constexpr const char* kSqlNames[] = {
    "BOOLEAN",   "TINYINT",     "SMALLINT",    "INTEGER",      "BIGINT",       "HUGEINT",
    "UTINYINT",  "USMALLINT",   "UINTEGER",    "UBIGINT",      "UHUGEINT",     "FLOAT",
    "DOUBLE",    "DECIMAL",     "DATE",        "TIME",         "TIME_NS",      "TIMETZ",
    "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "INTERVAL",
    "VARCHAR",   "JSON",        "BLOB",        "UUID",         "VARIANT",      "GEOMETRY",
    "LIST",      "STRUCT",      "MAP",
};
static_assert(std::size(kSqlNames) == static_cast<size_t>(kMap) + 1);

}  // namespace

bool CanPromote(const ScalarType& from, const ScalarType& to) {
  if (from.kind == kBoolean) return IsInteger(to.kind);
  if (IsInteger(from.kind)) return CanPromoteInteger(from.kind, to);
  if (from.kind == kFloat32) return to.kind == kFloat64;
  if (from.kind == kDecimal) {
    if (IsFloat(to.kind)) return true;
    return to.kind == kDecimal && from != to && to.scale >= from.scale &&
           to.width - to.scale >= from.width - from.scale;
  }
  if (from.kind == kDate) return IsTimestamp(to.kind);
  if (IsTimestamp(from.kind)) return CanPromoteTimestamp(from.kind, to.kind);
  return false;
}

bool MayOverflow(const ScalarType& from, const ScalarType& to) {
  if (from.kind == kDate) return IsTimestamp(to.kind);
  return IsTimestamp(from.kind) && CanPromoteTimestamp(from.kind, to.kind);
}

std::string SqlTypeName(const ScalarType& type) {
  std::string name = kSqlNames[static_cast<size_t>(type.kind)];
  if (type.kind == kDecimal)
    name += "(" + std::to_string(type.width) + "," + std::to_string(type.scale) + ")";
  return name;
}

}  // namespace tarn
