// Values of every type, written as the format's two encodings write them. The texts were taken from
// lakes of the reference client.
#include "format/stats_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace tarn {
namespace {

constexpr auto kFile = TextEncoding::kFile;
constexpr auto kPlain = TextEncoding::kPlain;
constexpr auto kMin = BoundSide::kMin;
constexpr auto kMax = BoundSide::kMax;

/// -1, 0, 1: GoogleTest cannot print an ordering.
int Order(const StatsValue& a, const StatsValue& b) {
  const auto order = Compare(a, b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

ScalarType Type(std::string_view name) { return RequireTypeName(name); }

StatsValue Value(std::string_view type, std::string_view text, TextEncoding encoding = kPlain) {
  const auto value = ParseValue(Type(type), text, encoding);
  if (!value) throw std::runtime_error(std::string(type) + " '" + std::string(text) + "'");
  return *value;
}

StatsValue Bound(std::string_view type, std::string_view text, BoundSide side) {
  const auto value = ParseBound(Type(type), text, side);
  if (!value) throw std::runtime_error(std::string(type) + " '" + std::string(text) + "'");
  return *value;
}

/// Texts of one type in ascending order; each must come back as it is.
struct Ascending {
  const char* type;
  TextEncoding encoding;
  std::vector<std::string> texts;
};

const std::vector<Ascending>& AscendingTexts() {
  static const std::vector<Ascending> kAll = {
      {"boolean", kFile, {"0", "1"}},
      {"boolean", kPlain, {"false", "true"}},
      {"int8", kFile, {"-128", "-1", "0", "9", "10", "127"}},
      {"int16", kFile, {"-32768", "5", "32767"}},
      {"int32", kFile, {"-2147483648", "-10", "-9", "7", "2147483647"}},
      {"int64", kFile, {"-9223372036854775808", "-1", "0", "9223372036854775807"}},
      {"int128",
       kPlain,
       {"-170141183460469231731687303715884105728", "-1", "0", "5",
        "170141183460469231731687303715884105727"}},
      {"uint8", kFile, {"0", "9", "10", "255"}},
      {"uint16", kFile, {"3", "65535"}},
      {"uint32", kFile, {"3", "4294967295"}},
      {"uint64", kFile, {"3", "9223372036854775808", "18446744073709551615"}},
      {"uint128",
       kPlain,
       {"0", "3", "170141183460469231731687303715884105727",
        "170141183460469231731687303715884105728", "340282366920938463463374607431768211455"}},
      {"float32",
       kFile,
       {"-inf", "-3.4028235e+38", "-1e+30", "0.0", "1e-07", "1e-05", "0.0001", "0.1", "123456.7",
        "16777216.0", "123456790.0", "1000000000000000.0", "1e+16", "3.4028235e+38", "inf"}},
      {"float64",
       kFile,
       {"-inf", "-1e+300", "-1.5", "0.0", "5e-324", "1e-05", "0.0001", "0.1", "1.0", "100.0",
        "9007199254740992.0", "1e+16", "1.2345678901234568e+17", "1e+22", "1e+300", "inf"}},
      {"float64", kPlain, {"-inf", "-0.5", "1.0", "inf", "nan"}},
      {"decimal(4,1)", kFile, {"-999.9", "-10.0", "-9.0", "0.0", "1.5", "999.9"}},
      {"decimal(9,3)", kFile, {"-0.001", "0.000", "1.500"}},
      {"decimal(18,2)", kFile, {"-999.90", "1.50"}},
      {"decimal(38,10)", kFile, {"-9999999999999999999999999999.9999999999", "1.5000000000"}},
      {"decimal(38,0)",
       kFile,
       {"-99999999999999999999999999999999999999", "-5", "1",
        "99999999999999999999999999999999999999"}},
      {"decimal(3,3)", kFile, {"-.500", "-.001", ".000", ".500"}},
      {"date",
       kFile,
       {"-infinity", "5877642-06-25 (BC)", "0044-03-15 (BC)", "0001-12-31 (BC)", "0001-01-01",
        "1969-12-31", "1970-01-01", "2020-01-01", "12026-01-01", "5881580-07-10", "infinity"}},
      {"time", kFile, {"00:00:00", "00:00:00.000001", "12:00:00", "23:59:59.123", "24:00:00"}},
      {"time_ns", kPlain, {"01:00:00.5", "12:00:00.123456789"}},
      {"timetz",
       kPlain,
       {"12:00:00.25+15:59:59", "12:00:00+06", "12:00:00+05", "00:00:00-07", "12:00:00-05:30:15"}},
      {"timestamp",
       kFile,
       {"-infinity", "0044-03-15 (BC) 10:00:00", "1969-12-31 23:59:59.999999",
        "2020-01-01 00:00:00", "2020-01-01 12:34:56.789", "294247-01-10 04:00:54.775806",
        "infinity"}},
      {"timestamptz",
       kFile,
       {"-infinity", "0044-03-15 (BC) 10:00:00+00", "2020-01-01 10:34:56.789+00",
        "12020-01-01 12:34:56.7891+00", "infinity"}},
      {"timestamp_s", kFile, {"-infinity", "1960-01-01 12:34:56", "2020-01-01 00:00:00"}},
      {"timestamp_ms", kFile, {"2020-01-01 00:00:00", "2020-01-01 12:34:56.789"}},
      {"timestamp_ns",
       kFile,
       {"-infinity", "1677-09-22 00:00:00", "2020-01-01 12:34:56.123456789",
        "2262-04-11 23:47:16.854775806", "infinity"}},
      {"interval",
       kPlain,
       {"-1 year -1 month", "-29 days 04:00:00", "-1 day", "-00:00:00.000001", "00:00:00",
        "00:00:00.000001", "25:00:00", "29 days", "29 days 23:00:00", "1 month -1 day", "1 month",
        "1 year 2 months -3 days -00:00:01.5", "2 years 1 day 100:00:00.000001"}},
      {"varchar", kFile, {"", "NULL", "Z", "Z\xC3\xBCrich", "a", "a\nb", "ab", "q'uo\"te,"}},
      {"json", kFile, {"[1]", "{\"a\": 1}"}},
      {"blob", kFile, {"", "00FF", "616263", "AB", "FEFF"}},
      {"blob", kPlain, {"", "\\x00\\xFF", "\\x22\\x27 ~", "\\x5C", "abc", "\\x7F", "\\xFF"}},
      {"uuid",
       kFile,
       {"00000000-0000-0000-0000-000000000001", "7fffffff-ffff-ffff-ffff-ffffffffffff",
        "80000000-0000-0000-0000-000000000000", "f79c3e09-677c-4bbd-a479-3f349cb785e7",
        "ffffffff-ffff-ffff-ffff-ffffffffffff"}},
  };
  return kAll;
}

TEST(StatsValue, TextsComeBack) {
  for (const Ascending& c : AscendingTexts()) {
    for (const std::string& text : c.texts) {
      EXPECT_EQ(FormatValue(Type(c.type), Value(c.type, text, c.encoding), c.encoding), text)
          << c.type;
    }
  }
}

TEST(StatsValue, OrderIsThatOfTheType) {
  for (const Ascending& c : AscendingTexts()) {
    for (size_t i = 0; i < c.texts.size(); ++i) {
      for (size_t j = 0; j < c.texts.size(); ++j) {
        const auto order =
            Order(Value(c.type, c.texts[i], c.encoding), Value(c.type, c.texts[j], c.encoding));
        EXPECT_EQ(order, i < j   ? -1
                         : i > j ? 1
                                 : 0)
            << c.type << ": " << c.texts[i] << " and " << c.texts[j];
      }
    }
  }
}

TEST(StatsValue, BoundsReadBothEncodings) {
  for (const Ascending& c : AscendingTexts()) {
    for (const std::string& text : c.texts) {
      const StatsValue exact = Value(c.type, text, c.encoding);
      EXPECT_LE(Order(Bound(c.type, text, kMin), exact), 0) << c.type << " " << text;
      EXPECT_GE(Order(Bound(c.type, text, kMax), exact), 0) << c.type << " " << text;
    }
  }
}

TEST(StatsValue, EveryKindWithBoundsIsCoveredHere) {
  for (const TypeKind kind : AllTypeKinds()) {
    bool covered = false;
    for (const Ascending& c : AscendingTexts()) covered |= Type(c.type).kind == kind;
    EXPECT_EQ(covered, HasComparableBounds(kind)) << TypeName({kind, 4, 1});
  }
}

TEST(StatsValue, NonsenseSaysNothing) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"boolean", "2"},
      {"boolean", "yes"},
      {"boolean", ""},
      {"int8", "128"},
      {"int8", ""},
      {"int32", "1.5"},
      {"int32", "0x10"},
      {"uint8", "-1"},
      {"uint64", "18446744073709551616"},
      {"uint128", "-1"},
      {"int128", "170141183460469231731687303715884105728"},
      {"float64", "abc"},
      {"float64", ""},
      {"float64", "1e400"},
      {"float64", "1,5"},
      {"decimal(10,2)", "1.2.3"},
      {"decimal(10,2)", "."},
      {"decimal(10,2)", ""},
      {"decimal(10,2)", "1e"},
      {"decimal(10,2)", "1e999999999999"},
      {"decimal(38,10)", "99999999999999999999999999999"},
      {"date", "2020-02-30"},
      {"date", "2020-01-01 12:00:00"},
      {"date", "tomorrow"},
      {"time", "25:00:00"},
      {"time", "12:00:00+02"},
      {"timetz", "12:00:00"},
      {"timestamp", "294247-01-10 04:00:54.775807"},
      {"timestamp_ns", "2300-01-01 00:00:00"},
      {"timestamp", "12:00:00"},
      {"interval", ""},
      {"interval", "1 day 1 year"},
      {"interval", "1 fortnight"},
      {"interval", "9999999999 days"},
      {"interval", "1"},
      {"uuid", "f79c3e09"},
      {"blob", "\\x0"},
      {"blob", "\\"},
      {"variant", "1"},
      {"geometry", "POINT (1 2)"},
      {"list", "[1]"},
  };
  for (const auto& [type, text] : cases) {
    EXPECT_FALSE(ParseBound(Type(type), text, kMin)) << type << " '" << text << "'";
    EXPECT_FALSE(ParseBound(Type(type), text, kMax)) << type << " '" << text << "'";
  }
}

// ---- bounds that were written while the column had a narrower type ----

TEST(WidenedBounds, IntegersOfBooleans) {
  EXPECT_EQ(FormatValue(Type("int32"), Bound("int32", "true", kMax), kFile), "1");
  EXPECT_EQ(FormatValue(Type("int32"), Bound("int32", "false", kMin), kFile), "0");
}

TEST(WidenedBounds, DoublesOfFloats) {
  const double widened = static_cast<double>(0.1f);  // 0.100000001490116…
  EXPECT_EQ(Bound("float64", "0.1", kMin).real, 0.1);
  EXPECT_EQ(Bound("float64", "0.1", kMax).real, widened);
  EXPECT_EQ(Bound("float64", "-0.1", kMin).real, -widened);
  EXPECT_EQ(Bound("float64", "-0.1", kMax).real, -0.1);
  EXPECT_EQ(Bound("float64", "123456790.0", kMin).real, 123456790.0);
  EXPECT_EQ(Bound("float64", "123456790.0", kMax).real, 123456792.0);
  EXPECT_EQ(Bound("float64", "0.5", kMax).real, 0.5) << "halves are exact in both";
  EXPECT_EQ(Bound("float64", "inf", kMin).real, std::numeric_limits<double>::infinity());
  EXPECT_EQ(Bound("float64", "1e+300", kMax).real, 1e300) << "no float is that large";
  EXPECT_EQ(Bound("float64", "0.1234567890123456", kMax).real, 0.1234567890123456)
      << "no float prints so many digits";
}

TEST(WidenedBounds, EveryFloatIsWithinItsOwnBound) {
  uint64_t state = 42;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    float value = 0;
    const auto bits = static_cast<uint32_t>(state >> 32);
    static_assert(sizeof(bits) == sizeof(value));
    std::memcpy(&value, &bits, sizeof(value));
    if (!std::isfinite(value)) continue;
    const std::string text = FormatValue(Type("float32"), StatsValue::Real(value), kFile);
    ASSERT_EQ(static_cast<float>(Value("float32", text).real), value) << text;
    ASSERT_LE(Bound("float64", text, kMin).real, static_cast<double>(value)) << text;
    ASSERT_GE(Bound("float64", text, kMax).real, static_cast<double>(value)) << text;
  }
}

TEST(WidenedBounds, FloatsAndDecimalsOfIntegers) {
  EXPECT_EQ(Bound("float32", "16777217", kMin).real, 16777216.0);
  EXPECT_EQ(Bound("float64", "9007199254740993", kMax).real, 9007199254740992.0);
  EXPECT_EQ(FormatValue(Type("decimal(12,2)"), Bound("decimal(12,2)", "5", kMin), kFile), "5.00");
}

TEST(WidenedBounds, DecimalsOfAnotherScaleRoundAsACastDoes) {
  EXPECT_EQ(FormatValue(Type("decimal(10,3)"), Value("decimal(10,3)", "1.5"), kFile), "1.500");
  EXPECT_EQ(FormatValue(Type("decimal(5,2)"), Value("decimal(5,2)", "1.005"), kFile), "1.01");
  EXPECT_EQ(FormatValue(Type("decimal(5,2)"), Value("decimal(5,2)", "-1.005"), kFile), "-1.01");
  EXPECT_EQ(FormatValue(Type("decimal(5,2)"), Value("decimal(5,2)", "0.0049"), kFile), "0.00");
  EXPECT_EQ(FormatValue(Type("decimal(5,2)"), Value("decimal(5,2)", ".5"), kFile), "0.50");
  EXPECT_EQ(FormatValue(Type("decimal(10,2)"), Value("decimal(10,2)", "1e3"), kFile), "1000.00");
  EXPECT_EQ(FormatValue(Type("decimal(10,2)"), Value("decimal(10,2)", "15E-1"), kFile), "1.50");
  EXPECT_EQ(FormatValue(Type("decimal(10,2)"), Value("decimal(10,2)", "9e-9"), kFile), "0.00");
}

TEST(WidenedBounds, TimestampsOfDatesAndCoarserTimestamps) {
  EXPECT_EQ(FormatValue(Type("timestamp"), Bound("timestamp", "2020-01-01", kMax), kFile),
            "2020-01-01 00:00:00");
  EXPECT_EQ(FormatValue(Type("timestamp_ns"), Bound("timestamp_ns", "2020-01-01", kMin), kFile),
            "2020-01-01 00:00:00");
  EXPECT_EQ(Order(Bound("timestamp", "infinity", kMax), PositiveInfinity(TypeKind::kTimestamp)), 0);
  EXPECT_TRUE(IsInfinite(TypeKind::kTimestamp, Bound("timestamp", "-infinity", kMin)));
}

TEST(WidenedBounds, ATimestampWithoutAZoneMayBeAnyInstantOfThatTime) {
  const StatsValue noon = Value("timestamptz", "2020-01-01 12:00:00+00");
  for (const char* offset : {"+14", "-12", "+00", "+15:59"}) {
    const auto instant = Value("timestamptz", std::string("2020-01-01 12:00:00") + offset);
    EXPECT_LE(Order(Bound("timestamptz", "2020-01-01 12:00:00", kMin), instant), 0);
    EXPECT_GE(Order(Bound("timestamptz", "2020-01-01 12:00:00", kMax), instant), 0);
  }
  EXPECT_EQ(Order(Bound("timestamptz", "2020-01-01 14:00:00+02", kMin), noon), 0);
}

TEST(WidenedBounds, LostDigitsGoOutwards) {
  EXPECT_EQ(
      FormatValue(Type("timestamp_s"), Bound("timestamp_s", "2020-01-01 00:00:00.5", kMin), kFile),
      "2020-01-01 00:00:00");
  EXPECT_EQ(
      FormatValue(Type("timestamp_s"), Bound("timestamp_s", "2020-01-01 00:00:00.5", kMax), kFile),
      "2020-01-01 00:00:01");
  EXPECT_EQ(
      FormatValue(Type("timestamp_s"), Bound("timestamp_s", "1960-01-01 00:00:00.5", kMin), kFile),
      "1960-01-01 00:00:00");
}

TEST(AmbiguousBounds, HexDigitsOfBlobsMayBePlainText) {
  // 'AA' was either the byte AA, from a file, or the two letters 41 41, from an inlined insert.
  EXPECT_EQ(Bound("blob", "AA", kMin).bytes, "AA");
  EXPECT_EQ(Bound("blob", "AA", kMax).bytes, "\xAA");
  EXPECT_EQ(Bound("blob", "\\x00", kMin).bytes, std::string(1, '\0'));
  EXPECT_EQ(Bound("blob", "abcx", kMax).bytes, "abcx");
  EXPECT_EQ(Bound("blob", "", kMin).bytes, "");
}

TEST(StatsValue, NanIsGreatestAndEqualsItself) {
  const StatsValue nan = Value("float64", "nan");
  EXPECT_EQ(Order(nan, nan), 0);
  EXPECT_GT(Order(nan, Value("float64", "inf")), 0);
  EXPECT_LT(Order(Value("float64", "-inf"), nan), 0);
  EXPECT_EQ(Order(Value("float64", "-nan"), nan), 0);
  EXPECT_EQ(Order(StatsValue::Real(0.0), StatsValue::Real(-0.0)), 0);
}

TEST(StatsValue, IntervalsThatAreEqualKeepTheirOwnText) {
  const ScalarType type = Type("interval");
  EXPECT_EQ(Order(Value("interval", "1 month"), Value("interval", "30 days")), 0);
  EXPECT_EQ(FormatValue(type, Value("interval", "30 days"), kPlain), "30 days");
  EXPECT_EQ(Order(Value("interval", "29 days 24:00:00"), Value("interval", "1 month")), 0);
  EXPECT_EQ(Order(Value("interval", "-720:00:00"), Value("interval", "-1 month")), 0);
  EXPECT_EQ(Order(Value("interval", "1 month -24:00:00"), Value("interval", "29 days")), 1)
      << "signs stay";
  EXPECT_EQ(FormatValue(type, MakeInterval(14, -3, -1'500'000), kPlain),
            "1 year 2 months -3 days -00:00:01.5");
  EXPECT_EQ(FormatValue(type, MakeInterval(0, 0, std::numeric_limits<int64_t>::min()), kPlain),
            "-2562047788:00:54.775808");
}

TEST(StatsValue, Uint128KeepsItsOrderAcrossTheSign) {
  EXPECT_TRUE(StatsValue::FromUint128(kUint128Max).ToUint128() == kUint128Max);
  EXPECT_TRUE(StatsValue::FromUint128(0).ToUint128() == Uint128{0});
  EXPECT_LT(Order(StatsValue::FromUint128(Uint128{1} << 127), StatsValue::FromUint128(kUint128Max)),
            0);
}

}  // namespace
}  // namespace tarn
