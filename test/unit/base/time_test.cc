#include "base/time.h"

#include <gtest/gtest.h>

#include <chrono>

namespace tarn {
namespace {

Timestamp At(int64_t micros) { return Timestamp(std::chrono::microseconds(micros)); }

TEST(Calendar, DaysComeBackOverThousandsOfYears) {
  for (int64_t days = -3'000'000; days < 3'000'000; days += 17) {
    ASSERT_EQ(DaysFromCivil(CivilFromDays(days)), days);
  }
}

TEST(Calendar, AgreesWithTheStandardLibrary) {
  for (int64_t days = -400'000; days < 400'000; days += 13) {
    const std::chrono::year_month_day expected{std::chrono::sys_days(std::chrono::days(days))};
    const CivilDate date = CivilFromDays(days);
    ASSERT_EQ(date.year, static_cast<int>(expected.year()));
    ASSERT_EQ(date.month, static_cast<int>(static_cast<unsigned>(expected.month())));
    ASSERT_EQ(date.day, static_cast<int>(static_cast<unsigned>(expected.day())));
  }
}

TEST(Calendar, FebruaryKnowsItsLeapYears) {
  EXPECT_EQ(DaysInMonth(2000, 2), 29);
  EXPECT_EQ(DaysInMonth(1900, 2), 28);
  EXPECT_EQ(DaysInMonth(2024, 2), 29);
  EXPECT_EQ(DaysInMonth(0, 2), 29);
  EXPECT_EQ(DaysInMonth(2023, 12), 31);
}

struct DateCase {
  const char* text;
  int64_t days;
};

// The ends are the first and last dates that DuckDB has.
TEST(Dates, PrintAndParseAsDuckDbDoes) {
  for (const DateCase& c :
       {DateCase{"1970-01-01", 0}, DateCase{"2020-01-01", 18262}, DateCase{"0001-01-01", -719162},
        DateCase{"0001-12-31 (BC)", -719163}, DateCase{"0044-03-15 (BC)", -735160},
        DateCase{"12026-01-01", 3672879}, DateCase{"5881580-07-10", 2147483646},
        DateCase{"5877642-06-25 (BC)", -2147483646}}) {
    EXPECT_EQ(FormatDate(c.days), c.text);
    const auto parsed = ParseDateTime(c.text);
    ASSERT_TRUE(parsed) << c.text;
    EXPECT_EQ(parsed->days, c.days) << c.text;
    EXPECT_FALSE(parsed->has_time);
  }
}

TEST(Dates, RefusesWhatIsNone) {
  for (const char* text :
       {"", "2020", "2020-13-01", "2020-00-01", "2020-02-30", "2020-01-01x", "infinity",
        "2020-01-01 25:00:00", "2020-01-01 12:60", "2020-01-01 12:00:00.", "2020-01-01 12:00:00+",
        "2020-01-01 12:00:00+99", "2020-01-01 24:00:00.1", "99999999-01-01", "2020-1-1-1"}) {
    EXPECT_FALSE(ParseDateTime(text)) << text;
  }
}

TEST(Times, FractionHasNoTrailingZeros) {
  EXPECT_EQ(FormatTimeOfDay(0, 1'000'000), "00:00:00");
  EXPECT_EQ(FormatTimeOfDay(86'399'123'000, 1'000'000), "23:59:59.123");
  EXPECT_EQ(FormatTimeOfDay(1, 1'000'000), "00:00:00.000001");
  EXPECT_EQ(FormatTimeOfDay(86'400'000'000, 1'000'000), "24:00:00");
  EXPECT_EQ(FormatTimeOfDay(100'000'000, 1'000'000'000), "00:00:00.1");
  EXPECT_EQ(FormatTimeOfDay(5, 1), "00:00:05");
}

TEST(Times, ParseWithAndWithoutOffset) {
  EXPECT_EQ(ParseTimeOfDay("12:00")->nanos, 43'200'000'000'000);
  EXPECT_EQ(ParseTimeOfDay("24:00:00")->nanos, 86'400'000'000'000);
  EXPECT_EQ(ParseTimeOfDay("00:00:00.1234567891")->nanos, 123'456'789);
  EXPECT_FALSE(ParseTimeOfDay("12:00:00")->offset_seconds);
  EXPECT_EQ(ParseTimeOfDay("12:00:00+05")->offset_seconds, 18000);
  EXPECT_EQ(ParseTimeOfDay("12:00:00-05:30:15")->offset_seconds, -19815);
  EXPECT_EQ(ParseTimeOfDay("12:00:00.25+15:59:59")->offset_seconds, 57599);
  EXPECT_EQ(ParseTimeOfDay("12:00:00+0530")->offset_seconds, 19800);
  EXPECT_EQ(ParseTimeOfDay("12:00:00Z")->offset_seconds, 0);
  EXPECT_FALSE(ParseTimeOfDay("12"));
  EXPECT_FALSE(ParseTimeOfDay("24:00:01"));
  EXPECT_FALSE(ParseTimeOfDay("12:00:00 x"));
}

TEST(SnapshotTime, PrintsAsCatalogsKeepIt) {
  EXPECT_EQ(FormatTimestampTz(At(0)), "1970-01-01 00:00:00+00");
  EXPECT_EQ(FormatTimestampTz(At(1769860800'123'000)), "2026-01-31 12:00:00.123+00");
  EXPECT_EQ(FormatTimestampTz(At(-1)), "1969-12-31 23:59:59.999999+00");
}

TEST(SnapshotTime, ParsesEveryFormThatCatalogsHold) {
  const Timestamp noon = At(1769860800'000'000);
  for (const char* text :
       {"2026-01-31 12:00:00+00", "2026-01-31 12:00:00", "2026-01-31T12:00:00Z",
        "2026-01-31 12:00:00.000000+00:00", "2026-01-31 14:30:00+02:30", "2026-01-31 07:00:00-05",
        "2026-01-31 07:00:00-05:00", "2026-01-31 07:00:00-0500", "2026-01-31 12:00:00 UTC",
        "2026-01-31 12:00", " 2026-01-31 12:00:00+00 "}) {
    EXPECT_EQ(ParseTimestampTz(text), noon) << text;
  }
  EXPECT_EQ(ParseTimestampTz("2026-01-31 12:00:00.1234569+00"),
            noon + std::chrono::microseconds(123456));
  EXPECT_EQ(ParseTimestampTz("2026-01-31"), noon - std::chrono::hours(12));
}

TEST(SnapshotTime, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(ParseTimestampTz("294247-01-11 00:00:00+00"));
  EXPECT_FALSE(ParseTimestampTz("infinity"));
  EXPECT_FALSE(ParseTimestampTz("yesterday"));
  EXPECT_TRUE(ParseTimestampTz("294247-01-10 00:00:00+00"));
}

TEST(SnapshotTime, ComesBack) {
  for (int64_t micros = -4'000'000'000'000'000; micros < 4'000'000'000'000'000;
       micros += 77'777'777'777'777) {
    ASSERT_EQ(ParseTimestampTz(FormatTimestampTz(At(micros))), At(micros));
  }
}

}  // namespace
}  // namespace tarn
