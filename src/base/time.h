// Timestamps and calendar dates as text, in the forms that catalog databases hold: `2026-01-31
// 12:00:00.123+00`. Own calendar arithmetic, because DuckDB's dates go far beyond the years that
// std::chrono::year holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/snapshot.h"

namespace tarn {

/// A date of the proleptic Gregorian calendar; year 0 is 1 BC.
struct CivilDate {
  int64_t year = 1970;
  int month = 1;  ///< 1..12
  int day = 1;    ///< 1..31
  friend bool operator==(const CivilDate&, const CivilDate&) = default;
};

/// Days since 1970-01-01 and back.
int64_t DaysFromCivil(const CivilDate& date);
CivilDate CivilFromDays(int64_t days);
int DaysInMonth(int64_t year, int month);

/// `2026-01-31`, `0044-03-15 (BC)`, `12026-01-31`: as DuckDB prints dates.
std::string FormatDate(int64_t days);
/// Time of a day as `12:00:00.123`: the fraction without trailing zeros, left out when zero.
/// `units_per_second` is a power of ten up to 10^9.
std::string FormatTimeOfDay(int64_t units, int64_t units_per_second);

/// What a date-and-time text says, before it is put into any unit. Nanoseconds keep what finer
/// units need.
struct ParsedTime {
  int64_t days = 0;       ///< since 1970-01-01
  int64_t nanos = 0;      ///< of the day: 0 .. 86400 * 10^9 inclusive
  bool has_time = false;  ///< false: a date only
  std::optional<int64_t>
      offset_seconds;  ///< of the zone, east positive; absent when none is written
};

/// `2026-01-31`, `2026-01-31 12:00:00.5+02:30`, `…T12:00Z`, `0044-03-15 (BC) 10:00`, `… UTC`.
/// Nullopt for anything else. Infinities are not times: callers look for them first.
std::optional<ParsedTime> ParseDateTime(std::string_view text);
/// `12:00:00.123`, with an optional offset `+02`, `+02:30`, `+02:30:15`. 24:00:00 is allowed.
std::optional<ParsedTime> ParseTimeOfDay(std::string_view text);

/// A snapshot time as catalogs keep it: `2026-01-31 12:00:00.123456+00`.
std::string FormatTimestampTz(Timestamp time);
/// Tolerant: any zone offset or none (then UTC), `T` or space, any number of fraction digits (cut
/// at microseconds). Nullopt for what is no time or lies out of range.
std::optional<Timestamp> ParseTimestampTz(std::string_view text);

}  // namespace tarn
