// A statistics bound as a value that compares in its column's type, never as text (format page,
// section 4).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/int128.h"
#include "format/type_names.h"

namespace tarn {

/// One value of a scalar type; which member counts depends on the type:
/// - integer: booleans, integers (uint128 as its value less 2^127, so that order holds), decimals
/// (unscaled), dates (days), times and
///   timestamps (in their own unit), timetz and interval (packed so that order is DuckDB's);
/// - real: float32, float64;
/// - bytes: varchar, json, blob, uuid (16 bytes); for an interval also its text, since `1 month`
/// and `30 days` are equal but print
///   and hash differently.
/// A plain struct and no variant: arrays of them are scanned when files are pruned.
struct StatsValue {
  enum class Form : uint8_t { kInteger, kReal, kBytes };

  Form form = Form::kInteger;
  Int128 integer = 0;
  double real = 0;
  std::string bytes;

  static StatsValue Integer(Int128 value) { return {Form::kInteger, value, 0, {}}; }
  static StatsValue Real(double value) { return {Form::kReal, 0, value, {}}; }
  static StatsValue Bytes(std::string value) { return {Form::kBytes, 0, 0, std::move(value)}; }
  static StatsValue FromUint128(Uint128 value);
  Uint128 ToUint128() const;
};

/// DuckDB's order: NaN equals itself and is greatest, -0 equals 0, text and blobs bytewise. Both of
/// one form.
std::strong_ordering Compare(const StatsValue& a, const StatsValue& b);

/// Infinities of dates and timestamps, in `integer`: beyond every finite value of the kind.
StatsValue PositiveInfinity(TypeKind kind);
StatsValue NegativeInfinity(TypeKind kind);
bool IsInfinite(TypeKind kind, const StatsValue& value);  ///< of dates, timestamps and floats

enum class BoundSide { kMin, kMax };

/// A bound's text, in either encoding (that of Parquet files, or the plain cast to text that
/// inlined inserts leave), as a value of the column's present type. Nullopt: the text says nothing.
/// Where a text can mean two values (a blob's hex digits that may also be plain text; a double's
/// that may have been written as a float; a timestamptz's without a zone) the answer is the lower
/// one for kMin and the higher one for kMax, so it always is a true bound.
std::optional<StatsValue> ParseBound(const ScalarType& type, std::string_view text, BoundSide side);

/// The same for one value that is exact and in one encoding: file encoding (booleans 0/1, blobs in
/// hex) or plain text.
enum class TextEncoding { kFile, kPlain };
std::optional<StatsValue> ParseValue(const ScalarType& type, std::string_view text,
                                     TextEncoding encoding);

/// The value as text: kFile as statistics of files have it, uncut; kPlain as a cast to VARCHAR
/// gives it.
std::string FormatValue(const ScalarType& type, const StatsValue& value, TextEncoding encoding);

/// Intervals compare by their parts after 30-day months and 24-hour days are carried over.
StatsValue MakeInterval(int64_t months, int64_t days, int64_t micros);

/// A timetz as DuckDB keeps it in 64 bits: what `bucket` hashes.
uint64_t TimeTzBits(const StatsValue& value);

}  // namespace tarn
