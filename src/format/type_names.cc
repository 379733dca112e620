// The format's type names, as one table.
#include "format/type_names.h"

#include <array>
#include <charconv>

#include "base/assert.h"
#include "base/text.h"
#include "tarn/error.h"

namespace tarn {
namespace {

using enum TypeKind;

struct KindName {
  TypeKind kind;
  std::string_view name;
};

/// In the order of the enum, so that a kind is also an index.
constexpr KindName kNames[] = {
    {kBoolean, "boolean"},
    {kInt8, "int8"},
    {kInt16, "int16"},
    {kInt32, "int32"},
    {kInt64, "int64"},
    {kInt128, "int128"},
    {kUint8, "uint8"},
    {kUint16, "uint16"},
    {kUint32, "uint32"},
    {kUint64, "uint64"},
    {kUint128, "uint128"},
    {kFloat32, "float32"},
    {kFloat64, "float64"},
    {kDecimal, "decimal"},
    {kDate, "date"},
    {kTime, "time"},
    {kTimeNs, "time_ns"},
    {kTimeTz, "timetz"},
    {kTimestamp, "timestamp"},
    {kTimestampTz, "timestamptz"},
    {kTimestampS, "timestamp_s"},
    {kTimestampMs, "timestamp_ms"},
    {kTimestampNs, "timestamp_ns"},
    {kInterval, "interval"},
    {kVarchar, "varchar"},
    {kJson, "json"},
    {kBlob, "blob"},
    {kUuid, "uuid"},
    {kVariant, "variant"},
    {kGeometry, "geometry"},
    {kList, "list"},
    {kStruct, "struct"},
    {kMap, "map"},
};

constexpr auto kKinds = [] {
  std::array<TypeKind, std::size(kNames)> kinds{};
  for (size_t i = 0; i < kinds.size(); ++i) kinds[i] = kNames[i].kind;
  return kinds;
}();

constexpr bool InEnumOrder() {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (static_cast<size_t>(kNames[i].kind) != i) return false;
  }
  return std::size(kNames) == static_cast<size_t>(kMap) + 1;
}
static_assert(InEnumOrder());

std::optional<uint8_t> SmallNumber(std::string_view text) {
  text = TrimSpace(text);
  uint8_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// `decimal(10,2)` behind its name.
std::optional<ScalarType> ParseDecimal(std::string_view arguments) {
  if (!arguments.starts_with('(') || !arguments.ends_with(')')) return std::nullopt;
  arguments = arguments.substr(1, arguments.size() - 2);
  const size_t comma = arguments.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto width = SmallNumber(arguments.substr(0, comma));
  const auto scale = SmallNumber(arguments.substr(comma + 1));
  if (!width || !scale || *width < 1 || *width > 38 || *scale > *width) return std::nullopt;
  return ScalarType{kDecimal, *width, *scale};
}

}  // namespace

std::optional<ScalarType> ParseTypeName(std::string_view name) {
  constexpr std::string_view kDecimalName = "decimal";
  name = TrimSpace(name);
  if (EqualsIgnoreCase(name.substr(0, kDecimalName.size()), kDecimalName)) {
    return ParseDecimal(TrimSpace(name.substr(kDecimalName.size())));
  }
  for (const KindName& entry : kNames) {
    if (EqualsIgnoreCase(entry.name, name)) return ScalarType{entry.kind};
  }
  return std::nullopt;
}

ScalarType RequireTypeName(std::string_view name) {
  if (const auto type = ParseTypeName(name)) return *type;
  throw Error(ErrorCode::kCorrupt, "The lake has a column of type \"" + std::string(name) +
                                       "\", which DuckLake 1.0 does not know.");
}

std::string TypeName(const ScalarType& type) {
  const auto index = static_cast<size_t>(type.kind);
  TARN_ASSERT(index < std::size(kNames));
  std::string name(kNames[index].name);
  if (type.kind == kDecimal) {
    name += "(" + std::to_string(type.width) + "," + std::to_string(type.scale) + ")";
  }
  return name;
}

std::span<const TypeKind> AllTypeKinds() { return kKinds; }

bool IsNested(TypeKind kind) { return kind == kList || kind == kStruct || kind == kMap; }

bool IsSignedInteger(TypeKind kind) { return kind >= kInt8 && kind <= kInt128; }

bool IsUnsignedInteger(TypeKind kind) { return kind >= kUint8 && kind <= kUint128; }

bool IsInteger(TypeKind kind) { return IsSignedInteger(kind) || IsUnsignedInteger(kind); }

bool IsFloat(TypeKind kind) { return kind == kFloat32 || kind == kFloat64; }

bool IsTimestamp(TypeKind kind) { return kind >= kTimestamp && kind <= kTimestampNs; }

int64_t UnitsPerSecond(TypeKind kind) {
  switch (kind) {
    case kTimestampS:
      return 1;
    case kTimestampMs:
      return 1'000;
    case kTimestampNs:
    case kTimeNs:
      return 1'000'000'000;
    default:
      return 1'000'000;
  }
}

bool HasNan(TypeKind kind) { return IsFloat(kind); }

bool HasFileBounds(TypeKind kind) {
  return HasComparableBounds(kind) && kind != kInt128 && kind != kUint128 && kind != kTimeTz &&
         kind != kInterval;
}

bool HasComparableBounds(TypeKind kind) {
  return !IsNested(kind) && kind != kVariant && kind != kGeometry;
}

bool FileBoundsMayPrune(TypeKind kind) {
  return HasComparableBounds(kind) && kind != kJson && kind != kTimeTz;
}

bool TableBoundsMayPrune(TypeKind kind) {
  return FileBoundsMayPrune(kind) && HasFileBounds(kind) && kind != kBlob && !IsFloat(kind);
}

}  // namespace tarn
