// 128-bit integers: decimals of 38 digits, int128 and uint128 columns, uuids. Parsing and printing,
// which the standard library lacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tarn {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

inline constexpr Uint128 kUint128Max = ~Uint128{0};
inline constexpr Int128 kInt128Max = static_cast<Int128>(kUint128Max >> 1);
inline constexpr Int128 kInt128Min = -kInt128Max - 1;

/// Decimal digits with an optional sign and nothing else; nullopt for anything else and for what
/// does not fit.
std::optional<Int128> ParseInt128(std::string_view text);
std::optional<Uint128> ParseUint128(std::string_view text);
std::string FormatInt128(Int128 value);
std::string FormatUint128(Uint128 value);

/// 10 to the power of `exponent`, 0..38.
Int128 PowerOfTen(int exponent);

}  // namespace tarn
