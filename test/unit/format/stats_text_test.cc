#include "format/stats_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tarn {
namespace {

constexpr auto kMin = BoundSide::kMin;
constexpr auto kMax = BoundSide::kMax;

/// -1, 0, 1: GoogleTest cannot print an ordering.
int Order(const StatsValue& a, const StatsValue& b) {
  const auto order = Compare(a, b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

ScalarType Type(std::string_view name) { return RequireTypeName(name); }

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(EncodeBound, LongTextIsCutAndAMaximumRaised) {
  const auto bound = [](const std::string& text, BoundSide side) {
    return EncodeBound(Type("varchar"), StatsValue::Bytes(text), side);
  };
  EXPECT_EQ(bound(Repeat("a", 256), kMax), Repeat("a", 256)) << "as long as allowed";
  EXPECT_EQ(bound(Repeat("a", 300), kMin), Repeat("a", 256));
  EXPECT_EQ(bound(Repeat("z", 300), kMax), Repeat("z", 255) + "{");
  // A character that the cut would split falls away whole.
  EXPECT_EQ(bound(Repeat("x", 255) + "\xC3\xA9", kMin), Repeat("x", 255));
  EXPECT_EQ(bound(Repeat("x", 255) + "\xC3\xA9", kMax), Repeat("x", 254) + "y");
}

TEST(EncodeBound, CutTextStaysText) {
  const auto max = [](const std::string& text) {
    return EncodeBound(Type("varchar"), StatsValue::Bytes(text), kMax);
  };
  EXPECT_EQ(max(Repeat("\xC3\xBF", 200)), Repeat("\xC3\xBF", 127) + "\xC4\x80")
      << "U+00FF to U+0100";
  EXPECT_EQ(max(Repeat("\x7F", 300)), Repeat("\x7F", 255) + "\xC2\x80");
  EXPECT_EQ(max(Repeat("\xED\x9F\xBF", 100)), Repeat("\xED\x9F\xBF", 84) + "\xEE\x80\x80")
      << "the next character after U+D7FF is U+E000";
  EXPECT_EQ(max("a" + Repeat("\xF4\x8F\xBF\xBF", 100)), "b") << "nothing follows U+10FFFF";
  EXPECT_EQ(max(Repeat("\xF4\x8F\xBF\xBF", 100)), std::nullopt);
  EXPECT_EQ(max("\xFF\xFE"), std::nullopt) << "no text at all";
  EXPECT_EQ(max("\xED\xA0\x80"), std::nullopt) << "a surrogate";
  EXPECT_EQ(max("\xC0\x80"), std::nullopt) << "overlong";
}

TEST(EncodeBound, TextIsCutBeforeAZeroByte) {
  const auto bound = [](std::string_view text, BoundSide side) {
    return EncodeBound(Type("varchar"), StatsValue::Bytes(std::string(text)), side);
  };
  using namespace std::string_view_literals;
  EXPECT_EQ(bound("ab\0c"sv, kMin), "ab");
  EXPECT_EQ(bound("ab\0c"sv, kMax), "ac");
  EXPECT_EQ(bound("\0"sv, kMin), "");
  EXPECT_EQ(bound("\0"sv, kMax), std::nullopt);
}

TEST(EncodeBound, LongBlobsAreCutByBytes) {
  const auto bound = [](const std::string& bytes, BoundSide side) {
    return EncodeBound(Type("blob"), StatsValue::Bytes(bytes), side);
  };
  EXPECT_EQ(bound(std::string("\x00\xFF", 2), kMin), "00FF");
  EXPECT_EQ(bound(Repeat("\xFE", 300), kMin), Repeat("FE", 256));
  EXPECT_EQ(bound(Repeat("\xFE", 300), kMax), Repeat("FE", 255) + "FF");
  EXPECT_EQ(bound("a" + Repeat("\xFF", 300), kMax), "62");
  EXPECT_EQ(bound(Repeat("\xFF", 300), kMax), std::nullopt);
}

TEST(EncodeBound, LeavesOutWhatFilesDoNotHave) {
  EXPECT_EQ(EncodeBound(Type("float64"), StatsValue::Real(std::nan("")), kMax), std::nullopt);
  EXPECT_EQ(EncodeBound(Type("float64"), StatsValue::Real(-0.0), kMin), "0.0");
  EXPECT_EQ(EncodeBound(Type("float32"), StatsValue::Real(-INFINITY), kMin), "-inf");
  for (const char* type :
       {"int128", "uint128", "timetz", "interval", "variant", "geometry", "list"}) {
    EXPECT_EQ(EncodeBound(Type(type), StatsValue::Integer(1), kMin), std::nullopt) << type;
  }
}

struct WriterStat {
  const char* type;
  const char* text;
};

// What DuckDB's writer reports is what the reference stores, to the byte.
TEST(NormalizeWriterStat, KeepsTheWritersTexts) {
  for (const WriterStat& stat : {
           WriterStat{"boolean", "0"},
           {"boolean", "1"},
           {"int8", "-128"},
           {"uint64", "18446744073709551615"},
           {"float32", "3.4028235e+38"},
           {"float32", "1e-05"},
           {"float32", "33973008.0"},
           {"float32", "433441.625"},
           {"float64", "-1e+300"},
           {"float64", "inf"},
           {"float64", "1.2345678901234568e+17"},
           {"float64", "1000000000000000.0"},
           {"float64", "0.0"},
           {"decimal(9,3)", "-0.001"},
           {"decimal(3,3)", "-.500"},
           {"decimal(38,0)", "-5"},
           {"decimal(38,10)", "-9999999999999999999999999999.9999999999"},
           {"date", "0044-03-15 (BC)"},
           {"date", "5877642-06-25 (BC)"},
           {"date", "infinity"},
           {"time", "24:00:00"},
           {"time", "00:00:00.000001"},
           {"timestamp", "294247-01-10 04:00:54.775806"},
           {"timestamp", "0044-03-15 (BC) 10:00:00"},
           {"timestamptz", "2020-01-01 10:34:56.789+00"},
           {"timestamptz", "12020-01-01 12:34:56.7891+00"},
           {"timestamptz", "-infinity"},
           {"timestamp_s", "1960-01-01 12:34:56"},
           {"timestamp_ms", "2020-01-01 12:34:56.789"},
           {"timestamp_ns", "2262-04-11 23:47:16.854775806"},
           {"varchar", "q'uo\"te,"},
           {"varchar", ""},
           {"varchar", "NULL"},
           {"json", "{\"a\": 1}"},
           {"blob", "00FF"},
           {"blob", ""},
           {"uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7"},
       }) {
    EXPECT_EQ(NormalizeWriterStat(Type(stat.type), stat.text, kMin), stat.text) << stat.type;
    EXPECT_EQ(NormalizeWriterStat(Type(stat.type), stat.text, kMax), stat.text) << stat.type;
  }
}

TEST(NormalizeWriterStat, DropsWhatIsNoBound) {
  EXPECT_EQ(NormalizeWriterStat(Type("int32"), "", kMin), std::nullopt);
  EXPECT_EQ(NormalizeWriterStat(Type("float64"), "nan", kMax), std::nullopt);
  EXPECT_EQ(NormalizeWriterStat(Type("variant"), "110000", kMin), std::nullopt);
  EXPECT_EQ(NormalizeWriterStat(Type("varchar"), "\xFF", kMax), std::nullopt);
  EXPECT_EQ(NormalizeWriterStat(Type("boolean"), "true", kMax), "1");
}

TEST(WidenBound, TakesTheWiderTextInTheTypesOrder) {
  EXPECT_EQ(WidenBound(Type("int32"), "9", "10", kMin), "9");
  EXPECT_EQ(WidenBound(Type("int32"), "9", "10", kMax), "10");
  EXPECT_EQ(WidenBound(Type("decimal(9,1)"), "-9.5", "-10.5", kMin), "-10.5");
  EXPECT_EQ(WidenBound(Type("date"), "9999-01-01", "10000-01-01", kMax), "10000-01-01");
  EXPECT_EQ(WidenBound(Type("boolean"), "1", "false", kMin), "false");
  EXPECT_EQ(WidenBound(Type("float64"), "nan", "1.0", kMax), "nan");
  EXPECT_EQ(WidenBound(Type("timestamp"), "infinity", "2020-01-01 00:00:00", kMax), "infinity");
  EXPECT_EQ(WidenBound(Type("varchar"), "a", "B", kMin), "B");
}

TEST(WidenBound, NothingKnownStaysNothingKnown) {
  EXPECT_EQ(WidenBound(Type("int32"), std::nullopt, "1", kMin), std::nullopt);
  EXPECT_EQ(WidenBound(Type("int32"), "1", std::nullopt, kMin), std::nullopt);
  EXPECT_EQ(WidenBound(Type("int32"), "1", "x", kMin), std::nullopt);
  EXPECT_EQ(WidenBound(Type("variant"), "1", "1", kMin), std::nullopt);
}

/// Random values of every kind with file bounds.
StatsValue RandomValue(const ScalarType& type, std::mt19937_64& random) {
  const auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  const auto bits = [&](int width, bool is_signed) {
    const int used = width - below(static_cast<uint64_t>(width));  // all magnitudes alike
    Int128 value = static_cast<Int128>(random() >> (64 - used));
    if (is_signed) value -= Int128{1} << (used - 1);
    return StatsValue::Integer(value);
  };
  switch (type.kind) {
    case TypeKind::kBoolean:
      return bits(1, false);
    case TypeKind::kInt8:
      return bits(8, true);
    case TypeKind::kInt16:
      return bits(16, true);
    case TypeKind::kInt32:
      return bits(32, true);
    case TypeKind::kInt64:
      return bits(64, true);
    case TypeKind::kUint8:
      return bits(8, false);
    case TypeKind::kUint16:
      return bits(16, false);
    case TypeKind::kUint32:
      return bits(32, false);
    case TypeKind::kUint64:
      return bits(64, false);
    case TypeKind::kFloat32:
      return StatsValue::Real(static_cast<float>(std::ldexp(
          static_cast<double>(below(2'000'001) - 1'000'000), static_cast<int>(below(100)) - 50)));
    case TypeKind::kFloat64:
      return StatsValue::Real(std::ldexp(static_cast<double>(static_cast<int64_t>(random())),
                                         static_cast<int>(below(400)) - 200));
    case TypeKind::kDecimal:
      return StatsValue::Integer(
          (Int128{below(1'000'000'000)} * 1'000'000'000 + below(1'000'000'000)) *
          (below(2) * 2 - 1));
    case TypeKind::kDate:
      return StatsValue::Integer(below(4'294'967'293) - 2'147'483'646);
    case TypeKind::kTime:
      return StatsValue::Integer(below(86'400'000'001));
    case TypeKind::kTimeNs:
      return StatsValue::Integer(below(86'400'000'000'001));
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      return StatsValue::Integer(below(9'000'000'000'000'000'000) - 200'000'000'000'000'000);
    case TypeKind::kTimestampS:
      return StatsValue::Integer(below(20'000'000'000) - 10'000'000'000);
    case TypeKind::kTimestampMs:
      return StatsValue::Integer(below(20'000'000'000'000) - 10'000'000'000'000);
    case TypeKind::kTimestampNs:
      return StatsValue::Integer(below(9'000'000'000'000'000'000u) * (below(2) * 2 - 1));
    case TypeKind::kUuid: {
      std::string bytes;
      for (int i = 0; i < 16; ++i) bytes.push_back(static_cast<char>(below(256)));
      return StatsValue::Bytes(bytes);
    }
    default: {
      // Few letters and lengths around the cut, so that long common prefixes happen.
      static const std::vector<std::string> kLetters = {"a", "b", "\x7F", "\xC3\xBF",
                                                        "\xF4\x8F\xBF\xBF"};
      std::string text;
      const int64_t common = below(2) * 250;
      for (int64_t i = 0; i < common; ++i) text += 'a';
      for (int64_t i = below(20); i > 0; --i)
        text += kLetters[static_cast<size_t>(below(kLetters.size()))];
      return StatsValue::Bytes(text);
    }
  }
}

// For any two values: stored bounds keep a <= b, hold their own value, and widening is the lower
// minimum and the higher maximum.
TEST(StatsProperties, StoredBoundsAreTrueAndOrdered) {
  std::mt19937_64 random(20260131);
  for (const TypeKind kind : AllTypeKinds()) {
    if (!HasFileBounds(kind)) continue;
    const ScalarType type = kind == TypeKind::kDecimal ? ScalarType{kind, 38, 5} : ScalarType{kind};
    for (int i = 0; i < 2'000; ++i) {
      const StatsValue a = RandomValue(type, random);
      const StatsValue b = RandomValue(type, random);
      for (const BoundSide side : {kMin, kMax}) {
        const auto a_text = EncodeBound(type, a, side);
        const auto b_text = EncodeBound(type, b, side);
        if (!a_text || !b_text) continue;
        const auto a_bound = ParseBound(type, *a_text, side);
        const auto b_bound = ParseBound(type, *b_text, side);
        ASSERT_TRUE(a_bound && b_bound) << TypeName(type) << " " << *a_text << " " << *b_text;
        const auto widened = WidenBound(type, a_text, b_text, side);
        ASSERT_TRUE(widened);
        const auto wide = ParseBound(type, *widened, side);
        for (const StatsValue* value : {&a, &b}) {
          if (side == kMin) {
            ASSERT_LE(Order(*wide, *value), 0)
                << TypeName(type) << " " << *a_text << " " << *b_text;
          } else {
            ASSERT_GE(Order(*wide, *value), 0)
                << TypeName(type) << " " << *a_text << " " << *b_text;
          }
        }
        // Short texts come back as the same value.
        if (kind != TypeKind::kVarchar && kind != TypeKind::kJson && kind != TypeKind::kBlob) {
          const auto exact = ParseValue(type, *a_text, TextEncoding::kFile);
          ASSERT_TRUE(exact);
          ASSERT_EQ(Order(*exact, a), 0) << TypeName(type) << " " << *a_text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tarn
