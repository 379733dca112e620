// Parses, compares and prints statistics values. One small function per family of types; the public
// functions only choose among them.
#include "format/stats_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "base/text.h"
#include "base/time.h"
#include "base/uuid.h"
#include "format/interval_text.h"

namespace tarn {
namespace {

using enum TypeKind;

constexpr Int128 kUint128Bias = kInt128Min;  // a uint128 is stored as its value plus this
constexpr int64_t kSecondsPerDay = 86'400;
constexpr int64_t kNanosPerSecond = 1'000'000'000;

// DuckDB's own infinities, so that they hash like everyone else's.
constexpr int64_t kDateInfinity = std::numeric_limits<int32_t>::max();
constexpr int64_t kTimestampInfinity = std::numeric_limits<int64_t>::max();

int64_t InfinityOf(TypeKind kind) { return kind == kDate ? kDateInfinity : kTimestampInfinity; }

// ---- booleans and integers ----

std::optional<bool> ParseBoolean(std::string_view text) {
  for (const std::string_view word : {"1", "true", "t"}) {
    if (EqualsIgnoreCase(text, word)) return true;
  }
  for (const std::string_view word : {"0", "false", "f"}) {
    if (EqualsIgnoreCase(text, word)) return false;
  }
  return std::nullopt;
}

struct IntegerRange {
  Int128 min;
  Int128 max;
};

IntegerRange RangeOf(TypeKind kind) {
  const auto of = []<class T>(T) {
    return IntegerRange{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  };
  switch (kind) {
    case kInt8:
      return of(int8_t{});
    case kInt16:
      return of(int16_t{});
    case kInt32:
      return of(int32_t{});
    case kInt64:
      return of(int64_t{});
    case kUint8:
      return of(uint8_t{});
    case kUint16:
      return of(uint16_t{});
    case kUint32:
      return of(uint32_t{});
    case kUint64:
      return of(uint64_t{});
    default:
      return {kInt128Min, kInt128Max};
  }
}

std::optional<StatsValue> ParseInteger(TypeKind kind, std::string_view text) {
  if (kind == kUint128) {
    if (const auto value = ParseUint128(text)) return StatsValue::FromUint128(*value);
    return std::nullopt;
  }
  const auto value = ParseInt128(text);
  const IntegerRange range = RangeOf(kind);
  if (!value || *value < range.min || *value > range.max) return std::nullopt;
  return StatsValue::Integer(*value);
}

// ---- decimals ----

/// `-1.50`, `.5`, `1e3`: digits and the power of ten of the last one, rounded half away from zero
/// to `scale`, as a cast does.
std::optional<StatsValue> ParseDecimal(const ScalarType& type, std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int64_t exponent = 0;
  if (const size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    if (exponent < -1000 || exponent > 1000) return std::nullopt;
    text = text.substr(0, e);
  }
  std::string digits(text);
  if (const size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<int64_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  if (digits.empty() ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return std::nullopt;
  }
  // `shift` more digits are wanted (or, when negative, fewer).
  const int64_t shift = exponent + type.scale;
  bool round_up = false;
  if (shift >= 0) {
    digits.append(static_cast<size_t>(shift), '0');
  } else if (const auto drop = static_cast<size_t>(-shift); drop > digits.size()) {
    digits = "0";
  } else {
    round_up = digits[digits.size() - drop] >= '5';
    digits.resize(digits.size() - drop);
    if (digits.empty()) digits = "0";
  }
  const auto magnitude = ParseInt128(digits);
  if (!magnitude || *magnitude >= PowerOfTen(38)) return std::nullopt;
  const Int128 value = *magnitude + (round_up ? 1 : 0);
  return StatsValue::Integer(negative ? -value : value);
}

std::string FormatDecimal(const ScalarType& type, Int128 value) {
  std::string digits = FormatInt128(value < 0 ? -value : value);
  if (type.scale > 0) {
    // No zero before the point when all digits are behind it: decimal(3,3) prints .500.
    const size_t whole = type.width > type.scale ? 1 : 0;
    const size_t wanted = type.scale + whole;
    if (digits.size() < wanted) digits.insert(0, wanted - digits.size(), '0');
    digits.insert(digits.size() - type.scale, 1, '.');
  }
  return value < 0 ? "-" + digits : digits;
}

// ---- floats ----

template <class Float>
std::optional<double> ParseReal(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  // from_chars takes inf, infinity and nan in any case, with a sign.
  Float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(value);
}

/// Digits of a number from the first to the last that is not zero.
size_t SignificantDigits(std::string_view number) {
  std::string digits(number.substr(0, number.find_first_of("eE")));
  std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
  const size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? 0 : digits.find_last_not_of('0') - first + 1;
}

/// A bound of a float64 column may have been written while the column was float32: `0.1` then
/// stands for 0.100000001490116….
double WidenedFloat(std::string_view text, double exact, BoundSide side) {
  constexpr size_t kFloatDigits = std::numeric_limits<float>::max_digits10;
  if (!std::isfinite(exact) || SignificantDigits(text) > kFloatDigits) return exact;
  const auto as_float = ParseReal<float>(text);
  if (!as_float) return exact;
  return side == BoundSide::kMin ? std::min(exact, *as_float) : std::max(exact, *as_float);
}

/// The shortest digits that come back, as `1.5`, `100.0`, `1e+16`, `1e-05`: plain from 10^-4 up to
/// 10^16, else with an exponent of two digits or more.
template <class Float>
std::string FormatReal(Float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[64];
  const auto result =
      std::to_chars(std::begin(buffer), std::end(buffer), value, std::chars_format::scientific);
  std::string_view text(buffer, static_cast<size_t>(result.ptr - buffer));
  std::string out;
  if (text.starts_with('-')) {
    out = "-";
    text.remove_prefix(1);
  }
  const size_t e = text.find('e');
  std::string digits(text.substr(0, 1));
  if (e > 2) digits += text.substr(2, e - 2);
  std::string_view power = text.substr(e + 1);
  if (power.starts_with('+')) power.remove_prefix(1);
  int exponent = 0;
  std::from_chars(power.data(), power.data() + power.size(), exponent);

  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (digits.size() > 1) (out += '.') += digits.substr(1);
    const std::string number = std::to_string(std::abs(exponent));
    out += exponent < 0 ? "e-" : "e+";
    return out + (number.size() < 2 ? "0" : "") + number;
  }
  if (exponent < 0)
    return out + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) return out + digits + std::string(whole - digits.size(), '0') + ".0";
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

// ---- dates and times ----

/// +1 or -1 for `infinity` and `-infinity`, else 0.
int InfinitySign(std::string_view text) {
  if (EqualsIgnoreCase(text, "infinity") || EqualsIgnoreCase(text, "inf")) return 1;
  if (EqualsIgnoreCase(text, "-infinity") || EqualsIgnoreCase(text, "-inf")) return -1;
  return 0;
}

/// Nanoseconds in units of the type; `round_up` where digits are lost.
Int128 InUnits(TypeKind kind, Int128 nanos, bool round_up) {
  const int64_t nanos_per_unit = kNanosPerSecond / UnitsPerSecond(kind);
  const Int128 floor = nanos / nanos_per_unit - (nanos % nanos_per_unit < 0 ? 1 : 0);
  return floor + (round_up && floor * nanos_per_unit != nanos ? 1 : 0);
}

std::optional<StatsValue> ParseTimestamp(TypeKind kind, std::string_view text,
                                         std::optional<BoundSide> side) {
  const auto parsed = ParseDateTime(text);
  if (!parsed) return std::nullopt;
  Int128 seconds = Int128{parsed->days} * kSecondsPerDay - parsed->offset_seconds.value_or(0);
  if (kind == kTimestampTz && side && !parsed->offset_seconds) {
    // Written while the column was a date or a timestamp: which instant that is depends on the
    // reader's time zone.
    constexpr int64_t kWidestZone = 16 * 3600;
    seconds += *side == BoundSide::kMin ? -kWidestZone : kWidestZone;
  }
  const Int128 nanos = seconds * kNanosPerSecond + parsed->nanos;
  const Int128 value = InUnits(kind, nanos, side == BoundSide::kMax);
  if (value <= -Int128{kTimestampInfinity} || value >= kTimestampInfinity) return std::nullopt;
  return StatsValue::Integer(value);
}

std::optional<StatsValue> ParseDate(std::string_view text) {
  const auto parsed = ParseDateTime(text);
  if (!parsed || parsed->has_time) return std::nullopt;
  if (parsed->days <= -kDateInfinity || parsed->days >= kDateInfinity) return std::nullopt;
  return StatsValue::Integer(parsed->days);
}

// A timetz is ordered by its instant, then from east to west: instant * 2^18 + (greatest offset -
// offset).
constexpr int64_t kMaxOffset = 15 * 3600 + 59 * 60 + 59;
constexpr int64_t kOffsetSpan = int64_t{1} << 18;

std::optional<StatsValue> ParseTimeTz(std::string_view text, bool needs_offset) {
  const auto parsed = ParseTimeOfDay(text);
  if (!parsed || (needs_offset && !parsed->offset_seconds)) return std::nullopt;
  const int64_t offset = parsed->offset_seconds.value_or(0);
  const int64_t instant = parsed->nanos / 1000 - offset * 1'000'000;
  return StatsValue::Integer(Int128{instant} * kOffsetSpan + (kMaxOffset - offset));
}

struct TimeTz {
  int64_t micros = 0;  ///< of the day, where it is local
  int64_t offset = 0;  ///< seconds east
};

TimeTz Unpack(Int128 packed) {
  const Int128 instant = packed / kOffsetSpan - (packed % kOffsetSpan < 0 ? 1 : 0);
  const int64_t offset = kMaxOffset - static_cast<int64_t>(packed - instant * kOffsetSpan);
  return {static_cast<int64_t>(instant) + offset * 1'000'000, offset};
}

std::string FormatTimeTz(Int128 packed) {
  const auto [micros, offset] = Unpack(packed);
  std::string text = FormatTimeOfDay(micros, 1'000'000);
  const int64_t seconds = std::abs(offset);
  const auto two_digits = [](int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  text += offset < 0 ? '-' : '+';
  text += two_digits(seconds / 3600);
  if (seconds % 3600 != 0) text += ":" + two_digits(seconds / 60 % 60);
  if (seconds % 60 != 0) text += ":" + two_digits(seconds % 60);
  return text;
}

std::string FormatTimestamp(TypeKind kind, int64_t value) {
  const int64_t units_per_day = kSecondsPerDay * UnitsPerSecond(kind);
  const int64_t days = value / units_per_day - (value % units_per_day < 0 ? 1 : 0);
  std::string text = FormatDate(days) + " ";
  text += FormatTimeOfDay(static_cast<int64_t>(Int128{value} - Int128{days} * units_per_day),
                          UnitsPerSecond(kind));
  if (kind == kTimestampTz) text += "+00";
  return text;
}

// ---- bytes ----

/// `\x00abc\xFF`; nullopt for a backslash that starts no escape.
std::optional<std::string> ParsePlainBlob(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes.push_back(text[i]);
      continue;
    }
    if (i + 3 >= text.size() || (text[i + 1] != 'x' && text[i + 1] != 'X')) return std::nullopt;
    const auto byte = FromHex(text.substr(i + 2, 2));
    if (!byte) return std::nullopt;
    bytes += *byte;
    i += 3;
  }
  return bytes;
}

std::string FormatPlainBlob(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    if (c >= 32 && c <= 126 && c != '\\' && c != '\'' && c != '"') {
      text.push_back(c);
    } else {
      text += "\\x" + HexUpper(std::string_view(&c, 1));
    }
  }
  return text;
}

/// Hex digits may also be plain text of hex digits: whichever is the safer bound.
std::optional<StatsValue> ParseBlobBound(std::string_view text, BoundSide side) {
  auto hex = FromHex(text);
  auto plain = ParsePlainBlob(text);
  if (!hex && !plain) return std::nullopt;
  if (!hex) return StatsValue::Bytes(std::move(*plain));
  if (!plain) return StatsValue::Bytes(std::move(*hex));
  return StatsValue::Bytes(side == BoundSide::kMin ? std::min(*hex, *plain)
                                                   : std::max(*hex, *plain));
}

std::optional<StatsValue> ParseUuidValue(std::string_view text) {
  const auto uuid = ParseUuid(text);
  if (!uuid) return std::nullopt;
  return StatsValue::Bytes(std::string(uuid->begin(), uuid->end()));
}

std::string FormatUuidValue(std::string_view bytes) {
  std::array<uint8_t, 16> uuid{};
  TARN_ASSERT(bytes.size() == uuid.size());
  std::copy(bytes.begin(), bytes.end(), uuid.begin());
  return FormatUuid(uuid);
}

// ---- all types ----

/// `side` present: a bound, to be read carefully. Blobs and float64 are not handled here.
std::optional<StatsValue> ParseAny(const ScalarType& type, std::string_view text,
                                   std::optional<BoundSide> side) {
  const TypeKind kind = type.kind;
  if (kind == kBoolean) {
    const auto value = ParseBoolean(text);
    return value ? std::optional(StatsValue::Integer(*value ? 1 : 0)) : std::nullopt;
  }
  if (IsInteger(kind)) {
    if (auto value = ParseInteger(kind, text)) return value;
    // Inlined while the column was boolean.
    const auto flag = side ? ParseBoolean(text) : std::nullopt;
    return flag ? std::optional(StatsValue::Integer(*flag ? 1 : 0)) : std::nullopt;
  }
  if (kind == kDate || IsTimestamp(kind)) {
    const int sign = InfinitySign(text);
    if (sign != 0) return sign > 0 ? PositiveInfinity(kind) : NegativeInfinity(kind);
    return kind == kDate ? ParseDate(text) : ParseTimestamp(kind, text, side);
  }
  switch (kind) {
    case kDecimal:
      return ParseDecimal(type, text);
    case kFloat32:
    case kFloat64: {
      const auto value = kind == kFloat32 ? ParseReal<float>(text) : ParseReal<double>(text);
      return value ? std::optional(StatsValue::Real(*value)) : std::nullopt;
    }
    case kTime:
    case kTimeNs: {
      const auto parsed = ParseTimeOfDay(text);
      if (!parsed || parsed->offset_seconds) return std::nullopt;
      return StatsValue::Integer(InUnits(kind, parsed->nanos, side == BoundSide::kMax));
    }
    case kTimeTz:
      return ParseTimeTz(text, side.has_value());
    case kInterval:
      return ParseIntervalText(text);
    case kVarchar:
    case kJson:
      return StatsValue::Bytes(std::string(text));
    case kUuid:
      return ParseUuidValue(text);
    default:
      return std::nullopt;
  }
}

}  // namespace

StatsValue StatsValue::FromUint128(Uint128 value) {
  // Flipping the top bit subtracts 2^127 without leaving the range.
  return Integer(static_cast<Int128>(value ^ static_cast<Uint128>(kUint128Bias)));
}

Uint128 StatsValue::ToUint128() const {
  return static_cast<Uint128>(integer) ^ static_cast<Uint128>(kUint128Bias);
}

uint64_t TimeTzBits(const StatsValue& value) {
  const auto [micros, offset] = Unpack(value.integer);
  return static_cast<uint64_t>(micros) << 24 | static_cast<uint64_t>(kMaxOffset - offset);
}

std::strong_ordering Compare(const StatsValue& a, const StatsValue& b) {
  TARN_ASSERT(a.form == b.form);
  switch (a.form) {
    case StatsValue::Form::kInteger:
      if (a.integer == b.integer) return std::strong_ordering::equal;
      return a.integer < b.integer ? std::strong_ordering::less : std::strong_ordering::greater;
    case StatsValue::Form::kReal: {
      const bool a_nan = std::isnan(a.real);
      const bool b_nan = std::isnan(b.real);
      if (a_nan || b_nan) return a_nan <=> b_nan;
      if (a.real == b.real) return std::strong_ordering::equal;
      return a.real < b.real ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    case StatsValue::Form::kBytes:
      return a.bytes.compare(b.bytes) <=> 0;  // char_traits compares as unsigned bytes
  }
  return std::strong_ordering::equal;
}

StatsValue PositiveInfinity(TypeKind kind) {
  if (IsFloat(kind)) return StatsValue::Real(std::numeric_limits<double>::infinity());
  return StatsValue::Integer(InfinityOf(kind));
}

StatsValue NegativeInfinity(TypeKind kind) {
  if (IsFloat(kind)) return StatsValue::Real(-std::numeric_limits<double>::infinity());
  return StatsValue::Integer(-Int128{InfinityOf(kind)});
}

bool IsInfinite(TypeKind kind, const StatsValue& value) {
  if (IsFloat(kind)) return std::isinf(value.real);
  if (kind != kDate && !IsTimestamp(kind)) return false;
  return value.integer == InfinityOf(kind) || value.integer == -Int128{InfinityOf(kind)};
}

std::optional<StatsValue> ParseBound(const ScalarType& type, std::string_view text,
                                     BoundSide side) {
  if (type.kind == kBlob) return ParseBlobBound(text, side);
  auto value = ParseAny(type, text, side);
  if (value && type.kind == kFloat64) value->real = WidenedFloat(text, value->real, side);
  return value;
}

std::optional<StatsValue> ParseValue(const ScalarType& type, std::string_view text,
                                     TextEncoding encoding) {
  if (type.kind != kBlob) return ParseAny(type, text, std::nullopt);
  auto bytes = encoding == TextEncoding::kFile ? FromHex(text) : ParsePlainBlob(text);
  return bytes ? std::optional(StatsValue::Bytes(std::move(*bytes))) : std::nullopt;
}

std::string FormatValue(const ScalarType& type, const StatsValue& value, TextEncoding encoding) {
  const TypeKind kind = type.kind;
  const bool plain = encoding == TextEncoding::kPlain;
  if (kind == kUint128) return FormatUint128(value.ToUint128());
  if (IsInteger(kind)) return FormatInt128(value.integer);
  if (kind == kDate || IsTimestamp(kind)) {
    if (IsInfinite(kind, value)) return value.integer > 0 ? "infinity" : "-infinity";
    const auto integer = static_cast<int64_t>(value.integer);
    return kind == kDate ? FormatDate(integer) : FormatTimestamp(kind, integer);
  }
  switch (kind) {
    case kBoolean:
      if (plain) return value.integer != 0 ? "true" : "false";
      return value.integer != 0 ? "1" : "0";
    case kFloat32:
      return FormatReal(static_cast<float>(value.real));
    case kFloat64:
      return FormatReal(value.real);
    case kDecimal:
      return FormatDecimal(type, value.integer);
    case kTime:
    case kTimeNs:
      return FormatTimeOfDay(static_cast<int64_t>(value.integer), UnitsPerSecond(kind));
    case kTimeTz:
      return FormatTimeTz(value.integer);
    case kBlob:
      return plain ? FormatPlainBlob(value.bytes) : HexUpper(value.bytes);
    case kUuid:
      return FormatUuidValue(value.bytes);
    default:
      return value.bytes;  // varchar, json, interval
  }
}

}  // namespace tarn
