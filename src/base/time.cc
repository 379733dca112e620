// Calendar arithmetic and the texts of dates and times.
#include "base/time.h"

#include <limits>

#include "base/text.h"

namespace tarn {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kSecondsPerDay = 86'400;

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

void AppendPadded(std::string& out, int64_t value, size_t width) {
  const std::string digits = std::to_string(value);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

/// Reads a text from left to right; every step says whether it fitted.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  char peek() const { return text_.empty() ? '\0' : text_.front(); }

  bool Take(char c) {
    if (peek() != c || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool TakeWord(std::string_view word) {
    if (!EqualsIgnoreCase(text_.substr(0, word.size()), word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  void SkipSpaces() {
    while (peek() == ' ') text_.remove_prefix(1);
  }
  /// Between `min_digits` and `max_digits` digits.
  bool Number(int min_digits, int max_digits, int64_t& value) {
    int digits = 0;
    value = 0;
    while (digits < max_digits && !text_.empty() && IsDigit(text_.front())) {
      value = value * 10 + (text_.front() - '0');
      text_.remove_prefix(1);
      ++digits;
    }
    return digits >= min_digits && !IsDigit(peek());
  }
  /// Digits of a fraction, as nanoseconds; those beyond are cut.
  bool Fraction(int64_t& nanos) {
    if (!IsDigit(peek())) return false;
    int64_t unit = kNanosPerSecond / 10;
    nanos = 0;
    while (!text_.empty() && IsDigit(text_.front())) {
      nanos += (text_.front() - '0') * unit;
      unit /= 10;
      text_.remove_prefix(1);
    }
    return true;
  }

 private:
  std::string_view text_;
};

bool ReadDate(Reader& reader, int64_t& days) {
  CivilDate date;
  int64_t month = 0;
  int64_t day = 0;
  // Seven digits reach past DuckDB's greatest date, 5881580-07-10.
  if (!reader.Number(1, 7, date.year) || !reader.Take('-') || !reader.Number(1, 2, month) ||
      !reader.Take('-') || !reader.Number(1, 2, day)) {
    return false;
  }
  Reader ahead = reader;
  ahead.SkipSpaces();
  if (ahead.TakeWord("(BC)")) {
    reader = ahead;
    date.year = 1 - date.year;
  }
  if (month < 1 || month > 12) return false;
  if (day < 1 || day > DaysInMonth(date.year, static_cast<int>(month))) return false;
  date.month = static_cast<int>(month);
  date.day = static_cast<int>(day);
  days = DaysFromCivil(date);
  return true;
}

bool ReadClock(Reader& reader, int64_t& nanos) {
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t fraction = 0;
  if (!reader.Number(1, 2, hour) || !reader.Take(':') || !reader.Number(2, 2, minute)) return false;
  if (reader.Take(':')) {
    if (!reader.Number(2, 2, second)) return false;
    if (reader.Take('.') && !reader.Fraction(fraction)) return false;
  }
  if (minute > 59 || second > 59) return false;
  nanos = ((hour * 60 + minute) * 60 + second) * kNanosPerSecond + fraction;
  return nanos <= kSecondsPerDay * kNanosPerSecond;
}

/// `Z`, ` UTC`, `+02`, `-05:30`, `+05:30:15`, `+0530`.
bool ReadOffset(Reader& reader, int64_t& seconds) {
  if (reader.TakeWord("Z") || reader.TakeWord("UTC")) {
    seconds = 0;
    return true;
  }
  const bool west = reader.peek() == '-';
  if (!reader.Take('+') && !reader.Take('-')) return false;
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  Reader compact = reader;
  if (int64_t hhmm = 0; compact.Number(4, 4, hhmm)) {
    reader = compact;
    hour = hhmm / 100;
    minute = hhmm % 100;
  } else {
    if (!reader.Number(1, 2, hour)) return false;
    if (reader.Take(':')) {
      if (!reader.Number(2, 2, minute)) return false;
      if (reader.Take(':') && !reader.Number(2, 2, second)) return false;
    }
  }
  if (hour > 15 || minute > 59 || second > 59) return false;
  seconds = (hour * 60 + minute) * 60 + second;
  if (west) seconds = -seconds;
  return true;
}

/// A zone if there is one, then the end of the text.
bool ReadEnd(Reader& reader, ParsedTime& time) {
  reader.SkipSpaces();
  if (!reader.done()) {
    int64_t seconds = 0;
    if (!ReadOffset(reader, seconds)) return false;
    time.offset_seconds = seconds;
    reader.SkipSpaces();
  }
  return reader.done();
}

}  // namespace

int64_t DaysFromCivil(const CivilDate& date) {
  // Years that begin in March put the leap day last; 400 of them are one era of 146097 days.
  const int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const int64_t era = FloorDiv(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * ((date.month + 9) % 12) + 2) / 5 + date.day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

CivilDate CivilFromDays(int64_t days) {
  days += 719468;
  const int64_t era = FloorDiv(days, 146097);
  const int64_t day_of_era = days - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t march_month = (5 * day_of_year + 2) / 153;
  CivilDate date;
  date.day = static_cast<int>(day_of_year - (153 * march_month + 2) / 5 + 1);
  date.month = static_cast<int>(march_month < 10 ? march_month + 3 : march_month - 9);
  date.year = year_of_era + era * 400 + (date.month <= 2 ? 1 : 0);
  return date;
}

int DaysInMonth(int64_t year, int month) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

std::string FormatDate(int64_t days) {
  const CivilDate date = CivilFromDays(days);
  const bool before_christ = date.year <= 0;
  std::string out;
  AppendPadded(out, before_christ ? 1 - date.year : date.year, 4);
  out += '-';
  AppendPadded(out, date.month, 2);
  out += '-';
  AppendPadded(out, date.day, 2);
  if (before_christ) out += " (BC)";
  return out;
}

std::string FormatTimeOfDay(int64_t units, int64_t units_per_second) {
  const int64_t seconds = units / units_per_second;
  int64_t fraction = units % units_per_second;
  std::string out;
  AppendPadded(out, seconds / 3600, 2);
  out += ':';
  AppendPadded(out, seconds / 60 % 60, 2);
  out += ':';
  AppendPadded(out, seconds % 60, 2);
  if (fraction != 0) {
    size_t width = 0;
    for (int64_t unit = units_per_second; unit > 1; unit /= 10) ++width;
    for (; fraction % 10 == 0; fraction /= 10) --width;
    out += '.';
    AppendPadded(out, fraction, width);
  }
  return out;
}

std::optional<ParsedTime> ParseDateTime(std::string_view text) {
  Reader reader(TrimSpace(text));
  ParsedTime time;
  if (!ReadDate(reader, time.days)) return std::nullopt;
  if (reader.done()) return time;
  if (!reader.Take('T') && !reader.Take(' ')) return std::nullopt;
  reader.SkipSpaces();
  if (!ReadClock(reader, time.nanos)) return std::nullopt;
  time.has_time = true;
  if (!ReadEnd(reader, time)) return std::nullopt;
  return time;
}

std::optional<ParsedTime> ParseTimeOfDay(std::string_view text) {
  Reader reader(TrimSpace(text));
  ParsedTime time;
  time.has_time = true;
  if (!ReadClock(reader, time.nanos) || !ReadEnd(reader, time)) return std::nullopt;
  return time;
}

std::string FormatTimestampTz(Timestamp time) {
  constexpr int64_t kMicrosPerDay = kSecondsPerDay * 1'000'000;
  const int64_t micros = time.time_since_epoch().count();
  const int64_t days = FloorDiv(micros, kMicrosPerDay);
  return FormatDate(days) + " " + FormatTimeOfDay(micros - days * kMicrosPerDay, 1'000'000) + "+00";
}

std::optional<Timestamp> ParseTimestampTz(std::string_view text) {
  const std::optional<ParsedTime> parsed = ParseDateTime(text);
  if (!parsed) return std::nullopt;
  // Whole seconds first: they cannot overflow, the microseconds of year 294247 can.
  const int64_t seconds = parsed->days * kSecondsPerDay + parsed->nanos / kNanosPerSecond -
                          parsed->offset_seconds.value_or(0);
  constexpr int64_t kLimit = std::numeric_limits<int64_t>::max() / 1'000'000 - 1;
  if (seconds > kLimit || seconds < -kLimit) return std::nullopt;
  const int64_t micros = parsed->nanos % kNanosPerSecond / 1000;
  return Timestamp(std::chrono::microseconds(seconds * 1'000'000 + micros));
}

}  // namespace tarn
