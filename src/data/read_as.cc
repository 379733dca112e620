// See the header.
#include "data/read_as.h"

namespace tarn {
namespace {

int Bits(TypeKind kind) {
  switch (kind) {
    case TypeKind::kInt8:
    case TypeKind::kUint8:
      return 8;
    case TypeKind::kInt16:
    case TypeKind::kUint16:
      return 16;
    case TypeKind::kInt32:
    case TypeKind::kUint32:
      return 32;
    case TypeKind::kInt64:
    case TypeKind::kUint64:
      return 64;
    default:
      return 128;
  }
}

bool IsText(TypeKind kind) { return kind == TypeKind::kVarchar || kind == TypeKind::kJson; }

bool IsPlainTimestamp(TypeKind kind) { return IsTimestamp(kind) && kind != TypeKind::kTimestampTz; }

}  // namespace

bool CanReadAs(const ScalarType& stored, const ScalarType& column) {
  if (stored == column) return true;
  TypeKind from = stored.kind, to = column.kind;
  if (IsInteger(from) && IsInteger(to)) {
    if (IsSignedInteger(from) == IsSignedInteger(to)) return Bits(from) <= Bits(to);
    return IsSignedInteger(to) && Bits(from) < Bits(to);
  }
  // DuckDB's writer knows no 128-bit integers in Parquet and writes doubles.
  if (from == TypeKind::kFloat64 && (to == TypeKind::kInt128 || to == TypeKind::kUint128))
    return true;
  if (from == TypeKind::kFloat32 && to == TypeKind::kFloat64) return true;
  if (from == TypeKind::kDecimal && to == TypeKind::kDecimal) {
    return stored.scale <= column.scale &&
           stored.width - stored.scale <= column.width - column.scale;
  }
  if (IsText(from) && IsText(to)) return true;
  if (IsPlainTimestamp(from) && IsPlainTimestamp(to)) {
    // Nanoseconds do not fit into coarser types than microseconds, nor far years into nanoseconds.
    if (from == TypeKind::kTimestampNs) return to == TypeKind::kTimestamp;
    return true;
  }
  if (from == TypeKind::kTime && to == TypeKind::kTimeNs) return true;
  // Geometry is well-known binary where the writer did not mark it.
  return from == TypeKind::kBlob && to == TypeKind::kGeometry;
}

bool CanRegisterAs(const ScalarType& stored, const ScalarType& column) {
  if (stored == column) return true;
  switch (stored.kind) {
    case TypeKind::kVarchar:
    case TypeKind::kJson:
    case TypeKind::kFloat64:
    case TypeKind::kBlob:
    case TypeKind::kTime:  // DuckDB casts no time to nanoseconds
      return false;
    default:
      return CanReadAs(stored, column);
  }
}

}  // namespace tarn
