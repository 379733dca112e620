// Statistics of fields of variants as JSON, and as one for several files.
#include "format/variant_stats.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

VariantFieldStats Field(std::string path, std::string type, int64_t nulls, int64_t values,
                        std::optional<std::string> min = {}, std::optional<std::string> max = {}) {
  return {std::move(path), std::move(type), nulls, values, 40, std::move(min), std::move(max), {}};
}

std::string Json(const std::vector<VariantFieldStats>& fields) {
  return VariantStatsJson(fields).value_or("none");
}

TEST(VariantStats, AreWrittenAsOtherClientsWriteThem) {
  auto real = Field("\"c\".\"d\"", "float64", 0, 100, "0.0", "99.0");
  real.contains_nan = false;
  EXPECT_EQ(
      Json({real, Field("root", "int32", 5, 5)}),
      R"([{"field_name":"\"c\".\"d\"","shredded_type":"float64","null_count":0,"min":"0.0","max":"99.0",)"
      R"("num_values":100,"contains_nan":false,"column_size_bytes":40,"any_valid":true},)"
      R"({"field_name":"root","shredded_type":"int32","null_count":5,"num_values":5,)"
      R"("column_size_bytes":40,"any_valid":true}])");
  EXPECT_EQ(VariantStatsJson({}), std::nullopt);
}

TEST(VariantStats, AnyTextComesBack) {
  auto field = Field("\"q\"\"q\\\".element.\"\xC3\xA9\"", "varchar", 1, 3,
                     "a\"b\\c/\b\f\n\r\t\x01\x1F\x7F", "\xF0\x9F\x98\x80");
  field.contains_nan = true;
  EXPECT_EQ(ParseVariantStats(Json({field, field})), std::vector({field, field}));
}

TEST(VariantStats, TextsOfOtherWritersAreRead) {
  const auto fields = ParseVariantStats(
      " [ { \"field_name\" : \"root\" , \"new\":null, \"other\": 1.5e3, "
      "\"shredded_type\":\"varchar\","
      "\"null_count\":0,\"min\":\"\\u0041\\u00e9\\/\",\"max\":\"\\uD83D\\uDE00\",\"num_values\":2,"
      "\"contains_nan\":null,\"column_size_bytes\":0,\"any_valid\":false } ] ");
  ASSERT_TRUE(fields);
  ASSERT_EQ(fields->size(), 1u);
  EXPECT_EQ(fields->front().min_value, "A\xC3\xA9/");
  EXPECT_EQ(fields->front().max_value, "\xF0\x9F\x98\x80");
  EXPECT_EQ(fields->front().contains_nan, std::nullopt);
  EXPECT_EQ(ParseVariantStats("[]"), std::vector<VariantFieldStats>());
}

TEST(VariantStats, BrokenTextsSayNothing) {
  const std::string whole = Json({Field("root", "int64", 0, 1, "1", "2")});
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_EQ(ParseVariantStats(whole.substr(0, length)), std::nullopt) << length;
  for (
      const char* text :
      {"{}", "[{}]", "[1]", "[null]", R"({"bbox": {"xmin": 0.0}, "types": ["point"]})",
       R"([{"field_name":"root","shredded_type":"int64","null_count":0,"num_values":1}])",
       R"([{"field_name":"root","shredded_type":"int64","null_count":"0","num_values":1,"column_size_bytes":1}])",
       R"([{"field_name":"root","shredded_type":"int64","null_count":-1,"num_values":1,"column_size_bytes":1}])",
       R"([{"field_name":5,"shredded_type":"int64","null_count":0,"num_values":1,"column_size_bytes":1}])",
       R"([{"field_name":"\x","shredded_type":"int64","null_count":0,"num_values":1,"column_size_bytes":1}])",
       R"([{"field_name":"\ud800","shredded_type":"int64","null_count":0,"num_values":1,"column_size_bytes":1}])",
       R"([{"field_name":"\udc00","shredded_type":"int64","null_count":0,"num_values":1,"column_size_bytes":1}])",
       R"([{"field_name":"a","field_name":"a","shredded_type":"int64","null_count":0,"num_values":1,"column_size_bytes":1}])"}) {
    EXPECT_EQ(ParseVariantStats(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseVariantStats(whole + "x"), std::nullopt);
}

TEST(VariantStats, OfSeveralFilesAreThoseOfFieldsThatAllKnow) {
  const auto a = Json(
      {Field("\"b\"", "varchar", 0, 10, "x0", "x9"), Field("\"a\"", "int64", 1, 10, "9", "10")});
  const auto b =
      Json({Field("\"c\"", "int64", 0, 5, "1", "1"), Field("\"a\"", "int64", 2, 5, "-3", "9")});
  auto both = Field("\"a\"", "int64", 3, 15, "-3", "10");
  both.column_size_bytes = 80;
  EXPECT_EQ(MergeVariantStats(a, b), Json({both}));

  EXPECT_EQ(MergeVariantStats(a, std::nullopt), std::nullopt);
  EXPECT_EQ(MergeVariantStats(std::nullopt, b), std::nullopt);
  EXPECT_EQ(MergeVariantStats(a, "[{}]"), std::nullopt);
  const auto text = Json({Field("\"a\"", "varchar", 0, 5, "1", "2")});
  EXPECT_EQ(MergeVariantStats(b, text), std::nullopt) << "another type";
}

TEST(VariantStats, BoundsThatOneFileLacksAreGoneUnlessItHasNoValues) {
  const auto merged = [](const VariantFieldStats& a, const VariantFieldStats& b) {
    return ParseVariantStats(*MergeVariantStats(Json({a}), Json({b})))->front();
  };
  const auto known = Field("root", "float64", 0, 5, "1.0", "2.0");
  const auto unknown = Field("root", "float64", 0, 5), nulls = Field("root", "float64", 5, 5);
  EXPECT_EQ(merged(known, unknown).min_value, std::nullopt);
  EXPECT_EQ(merged(unknown, known).max_value, std::nullopt);
  EXPECT_EQ(merged(known, nulls).min_value, "1.0");
  EXPECT_EQ(merged(nulls, known).max_value, "2.0");

  auto with = known, without = known;
  with.contains_nan = true;
  without.contains_nan = false;
  EXPECT_EQ(merged(with, known).contains_nan, true);
  EXPECT_EQ(merged(without, with).contains_nan, true);
  EXPECT_EQ(merged(without, without).contains_nan, false);
  EXPECT_EQ(merged(without, known).contains_nan, std::nullopt);
  EXPECT_EQ(merged(known, without).contains_nan, std::nullopt);
}

}  // namespace
}  // namespace tarn
