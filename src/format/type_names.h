// The format's type names (format page, section 3): `int32`, `decimal(10,2)`, `list`. A column's
// type is its name; children are rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tarn {

enum class TypeKind : uint8_t {
  kBoolean,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kInt128,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kUint128,
  kFloat32,
  kFloat64,
  kDecimal,
  kDate,
  kTime,
  kTimeNs,
  kTimeTz,
  kTimestamp,
  kTimestampTz,
  kTimestampS,
  kTimestampMs,
  kTimestampNs,
  kInterval,
  kVarchar,
  kJson,
  kBlob,
  kUuid,
  kVariant,
  kGeometry,
  kList,
  kStruct,
  kMap,
};

struct ScalarType {
  TypeKind kind = TypeKind::kVarchar;
  uint8_t width = 0;  ///< of kDecimal: 1..38
  uint8_t scale = 0;  ///< of kDecimal: 0..width
  friend bool operator==(const ScalarType&, const ScalarType&) = default;
};

/// Case is ignored. Nullopt for a name that format 1.0 does not have.
std::optional<ScalarType> ParseTypeName(std::string_view name);
/// The same, but throws kCorrupt naming the type: for columns read from a catalog.
ScalarType RequireTypeName(std::string_view name);
std::string TypeName(const ScalarType& type);

/// Every kind in the order of the enum.
std::span<const TypeKind> AllTypeKinds();

bool IsNested(TypeKind kind);
bool IsInteger(TypeKind kind);  ///< signed or unsigned, any width
bool IsSignedInteger(TypeKind kind);
bool IsUnsignedInteger(TypeKind kind);
bool IsFloat(TypeKind kind);
bool IsTimestamp(TypeKind kind);  ///< the five of them
/// Units of a time or timestamp per second (1, 10^3, 10^6, 10^9).
int64_t UnitsPerSecond(TypeKind kind);

/// Only these set contains_nan; all others store SQL NULL there.
bool HasNan(TypeKind kind);
/// False for kinds whose file statistics never have bounds (int128, uint128, timetz, interval,
/// variant, geometry, nested ones).
bool HasFileBounds(TypeKind kind);
/// Kinds whose bounds may be compared at all, once they are there (inlined inserts leave bounds for
/// more kinds than files do).
bool HasComparableBounds(TypeKind kind);
/// Whether a file's bounds may prune it. Not json: a column may have been altered to it from
/// anything, and the bounds of its old files are then in another order. Not timetz: the bounds that
/// are found in lakes are in the order of the stored bits, but `<` compares instants.
bool FileBoundsMayPrune(TypeKind kind);
/// The same for a table's bounds. Not blob either: where files and inlined inserts met, lakes hold
/// bounds that were merged as texts of two encodings, and which are not true. Nor floats: after a
/// file of NaNs only, lakes hold bounds that leave later files out. Nor kinds without file bounds:
/// inlined inserts alone set the table's, and files are left out of them.
bool TableBoundsMayPrune(TypeKind kind);

}  // namespace tarn
