// UUIDs of RFC 9562.
#include "base/uuid.h"

#include "base/text.h"

namespace tarn {
namespace {

using Bytes = std::array<uint8_t, 16>;

void FillRandom(Bytes& bytes, size_t from, const RandomSource& random) {
  uint64_t bits = 0;
  int left = 0;
  for (size_t i = from; i < bytes.size(); ++i) {
    if (left == 0) {
      bits = random();
      left = 8;
    }
    bytes[i] = static_cast<uint8_t>(bits);
    bits >>= 8;
    --left;
  }
}

std::string Finish(Bytes bytes, uint8_t version) {
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0f) | version << 4);
  bytes[8] = static_cast<uint8_t>((bytes[8] & 0x3f) | 0x80);
  return FormatUuid(bytes);
}

}  // namespace

std::string UuidV4(const RandomSource& random) {
  Bytes bytes{};
  FillRandom(bytes, 0, random);
  return Finish(bytes, 4);
}

std::string UuidV7(Timestamp now, const RandomSource& random) {
  Bytes bytes{};
  const auto since = std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count();
  const uint64_t millis = since < 0 ? 0 : static_cast<uint64_t>(since);
  for (int i = 0; i < 6; ++i) bytes[i] = static_cast<uint8_t>(millis >> (40 - 8 * i));
  FillRandom(bytes, 6, random);
  return Finish(bytes, 7);
}

std::optional<Bytes> ParseUuid(std::string_view text) {
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
    text = text.substr(1, text.size() - 2);
  }
  Bytes bytes{};
  size_t digits = 0;
  for (const char c : text) {
    if (c == '-') {
      // Dashes stand between whole bytes only, never first or last.
      if (digits == 0 || digits == 32 || digits % 2 != 0) return std::nullopt;
      continue;
    }
    const int digit = HexDigitValue(c);
    if (digit < 0 || digits == 32) return std::nullopt;
    bytes[digits / 2] = static_cast<uint8_t>(bytes[digits / 2] << 4 | digit);
    ++digits;
  }
  if (digits != 32) return std::nullopt;
  return bytes;
}

std::string FormatUuid(const Bytes& bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text.push_back('-');
    text.push_back(kHex[bytes[i] >> 4]);
    text.push_back(kHex[bytes[i] & 15]);
  }
  return text;
}

}  // namespace tarn
