// What is known of fields of variants, by the texts that DuckDB's writer gives.
#include "engine/operators/shredded_fields.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace tarn::engine {
namespace {

using duckdb::Value;

class ShreddedFieldsTest : public testing::Test {
 protected:
  using Texts = std::initializer_list<std::pair<const char*, const char*>>;

  void Leaf(const std::string& path, Texts stats) {
    auto& leaf = written_.column_statistics["\"v\"." + path];
    for (const auto& [key, text] : stats) leaf[key] = Value(text);
  }
  void Layout(const std::string& typed) {
    Leaf("\"metadata\"", {{"num_values", "10"}});
    written_.column_statistics["\"v\".\"metadata\""]["variant_type"] =
        Value("STRUCT(metadata BLOB, \"value\" BLOB" + typed + ")");
  }
  void NothingIn(const std::string& path) {
    Leaf(path, {{"null_count", "10"}, {"num_values", "10"}});
  }

  /// path:type:values of each.
  std::vector<std::string> Found() const {
    std::vector<std::string> found;
    for (const auto& field : ShreddedFields(written_, "\"v\"")) {
      found.push_back(field.path + ":" + field.type + ":" +
                      std::to_string(field.num_values - field.null_count) + ":" +
                      field.min_value.value_or("-") + ":" + field.max_value.value_or("-"));
    }
    return found;
  }
  using Strings = std::vector<std::string>;

  duckdb::CopyFunctionFileStatistics written_;
};

TEST_F(ShreddedFieldsTest, AFileOfOneType) {
  Layout(", typed_value DOUBLE");
  NothingIn("\"value\"");
  Leaf("\"typed_value\"", {{"num_values", "10"},
                           {"null_count", "1"},
                           {"min", "-1.5"},
                           {"max", "2.0"},
                           {"column_size_bytes", "77"},
                           {"has_nan", "true"}});
  const auto fields = ShreddedFields(written_, "\"v\"");
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(fields[0].contains_nan, true);
  EXPECT_EQ(fields[0].column_size_bytes, 77);
  EXPECT_EQ(Found(), Strings({"root:float64:9:-1.5:2.0"}));
  EXPECT_TRUE(HasNoNulls(written_, "\"v\""));
}

TEST_F(ShreddedFieldsTest, NullsLeftOverAreNoValues) {
  Layout(", typed_value DECIMAL(5,2)");
  Leaf("\"value\"", {{"null_count", "5"}, {"num_values", "10"}, {"min", "00"}, {"max", "00"}});
  Leaf("\"typed_value\"",
       {{"num_values", "10"}, {"null_count", "5"}, {"min", "1.50"}, {"max", "2.00"}});
  EXPECT_EQ(Found(), Strings({"root:decimal(5,2):5:1.50:2.00"}));
  EXPECT_FALSE(HasNoNulls(written_, "\"v\""));
}

TEST_F(ShreddedFieldsTest, AnotherValueLeftOverMakesTheFieldUnknown) {
  Layout(", typed_value BIGINT");
  Leaf("\"typed_value\"", {{"num_values", "10"}, {"null_count", "5"}, {"min", "1"}, {"max", "2"}});
  for (const char* max : {"0578", "0000"}) {
    Leaf("\"value\"", {{"null_count", "5"}, {"num_values", "10"}, {"min", "00"}, {"max", max}});
    EXPECT_EQ(Found(), Strings()) << max;
    EXPECT_FALSE(HasNoNulls(written_, "\"v\""));
  }
  Leaf("\"value\"", {{"min", "0578"}});
  EXPECT_EQ(Found(), Strings());
  EXPECT_TRUE(HasNoNulls(written_, "\"v\"")) << "no NULL among the values";
  // Values too long for bounds.
  written_.column_statistics.erase("\"v\".\"value\"");
  Leaf("\"value\"", {{"null_count", "5"}, {"num_values", "10"}});
  EXPECT_EQ(Found(), Strings());
  EXPECT_FALSE(HasNoNulls(written_, "\"v\""));
}

TEST_F(ShreddedFieldsTest, PathsHaveQuotedNamesAndElements) {
  Layout(
      ", typed_value STRUCT(\"q\"\"q, (x)\" STRUCT(\"value\" BLOB, typed_value VARCHAR), "
      "typed_value STRUCT(\"value\" BLOB, typed_value STRUCT(\"value\" BLOB, typed_value "
      "STRUCT(\"value\" BLOB, typed_value TIMESTAMP WITH TIME ZONE)[])[]), "
      "d STRUCT(\"value\" BLOB, typed_value STRUCT(\"d.d\" STRUCT(\"value\" BLOB, typed_value "
      "BOOLEAN), none STRUCT(\"value\" BLOB))), mixed STRUCT(\"value\" BLOB, typed_value "
      "INTEGER))");
  const auto leaf = [this](const std::string& path, const char* min) {
    NothingIn(path + ".\"value\"");
    Leaf(path + ".\"typed_value\"",
         {{"num_values", "10"}, {"null_count", "0"}, {"min", min}, {"max", min}});
  };
  leaf("\"typed_value\".\"q\"\"q, (x)\"", "x");
  leaf("\"typed_value\".\"typed_value\".\"typed_value\".\"element\".\"typed_value\".\"element\"",
       "2020-01-01 00:00:00+00");
  leaf("\"typed_value\".\"d\".\"typed_value\".\"d.d\"", "1");
  leaf("\"typed_value\".\"mixed\"", "1");
  Leaf("\"typed_value\".\"mixed\".\"value\"", {{"min", "00"}, {"max", "0578"}});
  EXPECT_EQ(Found(), Strings({"\"typed_value\".element.element:timestamptz:10:2020-01-01 "
                              "00:00:00+00:2020-01-01 00:00:00+00",
                              "\"q\"\"q, (x)\":varchar:10:x:x", "\"d\".\"d.d\":boolean:10:1:1"}));
}

TEST_F(ShreddedFieldsTest, NothingIsSaidOfWhatIsNotUnderstood) {
  EXPECT_EQ(Found(), Strings()) << "no such column";
  EXPECT_FALSE(HasNoNulls(written_, "\"v\""));
  NothingIn("\"value\"");
  Leaf("\"typed_value\"", {{"num_values", "10"}, {"null_count", "0"}});
  for (const char* layout :
       {"", ", typed_value INTERVAL", ", typed_value DECIMAL(99,2)", ", typed_value DECIMAL(",
        ", typed_value STRUCT(", ", typed_value STRUCT(a", ", typed_value STRUCT(\"a",
        ", typed_value BIGINT) x", ", typed_value "}) {
    Layout(layout);
    EXPECT_EQ(Found(), Strings()) << layout;
  }
  Layout(", typed_value BIGINT");
  EXPECT_EQ(Found(), Strings({"root:int64:10:-:-"}));
  Leaf("\"typed_value\"", {{"null_count", "11"}});
  EXPECT_EQ(Found(), Strings()) << "more NULLs than values";
}

}  // namespace
}  // namespace tarn::engine
