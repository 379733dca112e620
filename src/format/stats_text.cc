// Stored bounds: cutting long ones, taking the writer's, widening two into one.
#include "format/stats_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/text.h"
#include "base/utf8.h"

namespace tarn {
namespace {

struct CodePoint {
  uint32_t value = 0;
  size_t length = 0;  ///< 0: the bytes are no UTF-8
};

/// Decodes the character at the front; strict, as catalog databases are.
CodePoint FirstCodePoint(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  uint32_t value = first & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return {};
  return {value, length};
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = FirstCodePoint(text);
    if (point.length == 0) return false;
    text.remove_prefix(point.length);
  }
  return true;
}

bool IsContinuation(char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; }

/// Raises the last byte of a cut blob; bytes that are greatest already fall off. Empty when none is
/// left.
std::string RaiseBlob(std::string_view prefix) {
  std::string out(prefix);
  while (!out.empty() && out.back() == '\xFF') out.pop_back();
  if (!out.empty()) out.back() = static_cast<char>(static_cast<uint8_t>(out.back()) + 1);
  return out;
}

/// The same for text: the last character becomes the next one, since the result must be text too.
/// UTF-8 orders like its code points.
std::string RaiseText(std::string_view prefix) {
  std::string out(prefix);
  while (!out.empty()) {
    size_t start = out.size() - 1;
    while (start > 0 && IsContinuation(out[start])) --start;
    uint32_t value = FirstCodePoint(std::string_view(out).substr(start)).value + 1;
    out.resize(start);
    if (value > 0x10FFFF) continue;
    if (value == 0xD800) value = 0xE000;  // surrogates are no characters
    AppendUtf8(out, value);
    return out;
  }
  return out;
}

std::optional<std::string> CutText(std::string_view text, BoundSide side) {
  if (!IsUtf8(text)) return std::nullopt;
  // Not every catalog database can hold a zero byte in a text.
  size_t length = std::min(text.find('\0'), text.size());
  if (length == text.size() && length <= kMaxBoundBytes) return std::string(text);
  length = std::min(length, kMaxBoundBytes);
  while (length > 0 && IsContinuation(text[length])) --length;
  const std::string_view prefix = text.substr(0, length);
  if (side == BoundSide::kMin) return std::string(prefix);
  std::string raised = RaiseText(prefix);
  if (raised.empty()) return std::nullopt;
  return raised;
}

std::optional<std::string> CutBlob(std::string_view bytes, BoundSide side) {
  if (bytes.size() <= kMaxBoundBytes) return HexUpper(bytes);
  const std::string_view prefix = bytes.substr(0, kMaxBoundBytes);
  if (side == BoundSide::kMin) return HexUpper(prefix);
  const std::string raised = RaiseBlob(prefix);
  if (raised.empty()) return std::nullopt;
  return HexUpper(raised);
}

}  // namespace

std::optional<std::string> EncodeBound(const ScalarType& type, const StatsValue& value,
                                       BoundSide side) {
  if (!HasFileBounds(type.kind)) return std::nullopt;
  switch (type.kind) {
    case TypeKind::kFloat32:
    case TypeKind::kFloat64: {
      if (std::isnan(value.real)) return std::nullopt;
      // Zero has no sign among bounds.
      const StatsValue unsigned_zero = StatsValue::Real(value.real == 0 ? 0.0 : value.real);
      return FormatValue(type, unsigned_zero, TextEncoding::kFile);
    }
    case TypeKind::kVarchar:
    case TypeKind::kJson:
      return CutText(value.bytes, side);
    case TypeKind::kBlob:
      return CutBlob(value.bytes, side);
    default:
      return FormatValue(type, value, TextEncoding::kFile);
  }
}

std::optional<std::string> NormalizeWriterStat(const ScalarType& type, std::string_view text,
                                               BoundSide side) {
  // The writer's texts are the format's for every type, cut already; this makes sure of it, so that
  // a changed writer cannot spoil a lake.
  if (!HasFileBounds(type.kind)) return std::nullopt;
  const auto value = ParseValue(type, text, TextEncoding::kFile);
  if (!value) return std::nullopt;
  auto bound = EncodeBound(type, *value, side);
  // Of a float's many texts the writer's stands: it has more digits than the shortest now and then.
  if (bound && IsFloat(type.kind)) return std::string(text);
  return bound;
}

std::optional<std::string> WidenBound(const ScalarType& type, const std::optional<std::string>& a,
                                      const std::optional<std::string>& b, BoundSide side) {
  if (!a || !b) return std::nullopt;
  const auto a_value = ParseBound(type, *a, side);
  const auto b_value = ParseBound(type, *b, side);
  if (!a_value || !b_value) return std::nullopt;
  const auto order = Compare(*a_value, *b_value);
  const bool take_b = side == BoundSide::kMin ? order > 0 : order < 0;
  return take_b ? b : a;
}

}  // namespace tarn
