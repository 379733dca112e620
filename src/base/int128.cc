// Decimal text of 128-bit integers.
#include "base/int128.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace tarn {
namespace {

/// Digits only; false when there are none, another character, or more than 128 bits of them.
bool ParseDigits(std::string_view digits, Uint128& value) {
  if (digits.empty()) return false;
  value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    const Uint128 digit = static_cast<Uint128>(c - '0');
    if (value > (kUint128Max - digit) / 10) return false;
    value = value * 10 + digit;
  }
  return true;
}

}  // namespace

std::optional<Int128> ParseInt128(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  Uint128 magnitude = 0;
  if (!ParseDigits(text, magnitude)) return std::nullopt;
  const Uint128 limit = static_cast<Uint128>(kInt128Max);
  if (negative) {
    if (magnitude > limit + 1) return std::nullopt;
    return static_cast<Int128>(Uint128{0} - magnitude);
  }
  if (magnitude > limit) return std::nullopt;
  return static_cast<Int128>(magnitude);
}

std::optional<Uint128> ParseUint128(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Uint128 value = 0;
  if (!ParseDigits(text, value)) return std::nullopt;
  return value;
}

std::string FormatUint128(Uint128 value) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string FormatInt128(Int128 value) {
  if (value >= 0) return FormatUint128(static_cast<Uint128>(value));
  return "-" + FormatUint128(Uint128{0} - static_cast<Uint128>(value));
}

Int128 PowerOfTen(int exponent) {
  static constexpr auto kPowers = [] {
    std::array<Int128, 39> powers{};
    powers[0] = 1;
    for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
  }();
  TARN_ASSERT(exponent >= 0 && exponent <= 38);
  return kPowers[static_cast<size_t>(exponent)];
}

}  // namespace tarn
