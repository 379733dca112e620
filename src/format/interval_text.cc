// Parses and prints intervals, and packs them so that they compare.
#include "format/interval_text.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

#include "base/text.h"
#include "base/time.h"

namespace tarn {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kMicrosPerHour = 3600 * kMicrosPerSecond;
constexpr int64_t kMicrosPerDay = 24 * kMicrosPerHour;
constexpr int64_t kDaysPerMonth = 30;

bool FitsInt32(int64_t value) {
  return value >= std::numeric_limits<int32_t>::min() &&
         value <= std::numeric_limits<int32_t>::max();
}

bool ParseNumber(std::string_view text, int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// `-100:00:00.000001`: hours may exceed a day.
bool ParseClock(std::string_view text, int64_t& micros) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const size_t colon = text.find(':');
  int64_t hours = 0;
  if (colon == std::string_view::npos || colon > 10) return false;
  if (!ParseNumber(text.substr(0, colon), hours) || hours < 0) return false;
  // The rest is a clock of hour zero.
  const auto rest = ParseTimeOfDay("00" + std::string(text.substr(colon)));
  if (!rest || rest->offset_seconds) return false;
  if (hours > std::numeric_limits<int64_t>::max() / kMicrosPerHour - 1) return false;
  micros = hours * kMicrosPerHour + rest->nanos / 1000;
  if (negative) micros = -micros;
  return true;
}

std::string_view TakeToken(std::string_view& text) {
  text = TrimSpace(text);
  const std::string_view token = text.substr(0, text.find(' '));
  text.remove_prefix(token.size());
  return token;
}

void AppendPart(std::string& out, int64_t count, const char* unit) {
  if (count == 0) return;
  if (!out.empty()) out += ' ';
  out += std::to_string(count) + " " + unit;
  if (count != 1 && count != -1) out += 's';
}

std::string FormatInterval(int64_t months, int64_t days, int64_t micros) {
  std::string out;
  AppendPart(out, months / 12, "year");
  AppendPart(out, months % 12, "month");
  AppendPart(out, days, "day");
  if (micros != 0 || out.empty()) {
    if (!out.empty()) out += ' ';
    if (micros < 0) out += '-';
    // Through unsigned, so that the least value has a magnitude; hours are printed apart, since
    // they may be any number.
    const uint64_t magnitude =
        micros < 0 ? uint64_t{0} - static_cast<uint64_t>(micros) : static_cast<uint64_t>(micros);
    const uint64_t hours = magnitude / kMicrosPerHour;
    if (hours < 10) out += '0';
    out += std::to_string(hours);
    out += FormatTimeOfDay(static_cast<int64_t>(magnitude % kMicrosPerHour), kMicrosPerSecond)
               .substr(2);
  }
  return out;
}

}  // namespace

StatsValue MakeInterval(int64_t months, int64_t days, int64_t micros) {
  // Whole days of the clock are carried into the days, then whole months into the months, each with
  // its sign; what is left compares part by part. Each factor exceeds the range of what lies below
  // it, so one integer has that order.
  const int64_t rest = micros % kMicrosPerDay;
  const int64_t all_days = days + micros / kMicrosPerDay;
  const int64_t whole_days = all_days % kDaysPerMonth;
  const int64_t whole_months = months + all_days / kDaysPerMonth;
  constexpr Int128 kDayUnit = Int128{1} << 40;
  constexpr Int128 kMonthUnit = Int128{1} << 50;
  StatsValue value = StatsValue::Integer(whole_months * kMonthUnit + whole_days * kDayUnit + rest);
  value.bytes = FormatInterval(months, days, micros);
  return value;
}

std::optional<StatsValue> ParseIntervalText(std::string_view text) {
  int64_t months = 0;
  int64_t days = 0;
  int64_t micros = 0;
  int last_part = 0;  // 1 years, 2 months, 3 days, 4 clock
  text = TrimSpace(text);
  if (text.empty()) return std::nullopt;
  for (; !text.empty(); text = TrimSpace(text)) {
    const std::string_view token = TakeToken(text);
    int part = 4;
    if (token.find(':') != std::string_view::npos) {
      if (!ParseClock(token, micros)) return std::nullopt;
    } else {
      int64_t count = 0;
      if (!ParseNumber(token, count) || !FitsInt32(count)) return std::nullopt;
      std::string_view unit = TakeToken(text);
      if (unit.ends_with('s')) unit.remove_suffix(1);
      if (EqualsIgnoreCase(unit, "year")) {
        part = 1;
        months += count * 12;
      } else if (EqualsIgnoreCase(unit, "month") || EqualsIgnoreCase(unit, "mon")) {
        part = 2;
        months += count;
      } else if (EqualsIgnoreCase(unit, "day")) {
        part = 3;
        days = count;
      } else {
        return std::nullopt;
      }
    }
    if (part <= last_part) return std::nullopt;
    last_part = part;
  }
  if (!FitsInt32(months)) return std::nullopt;
  return MakeInterval(months, days, micros);
}

}  // namespace tarn
