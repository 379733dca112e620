// The tag of types that the format has not.
#include "format/logical_type.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(LogicalType, EnumsGoBothWays) {
  const LogicalTypeName type{{"a", "", "it's", "\"q\" \\ /", "\n\t\x01", "é 日本 😀"}, 0};
  const std::string text = FormatLogicalType(type);
  EXPECT_EQ(text,
            "{\"enum\":[\"a\",\"\",\"it's\",\"\\\"q\\\" \\\\ /\","
            "\"\\u000a\\u0009\\u0001\",\"é 日本 😀\"]}");
  EXPECT_EQ(ParseLogicalType(text, TypeKind::kVarchar), type);
  EXPECT_EQ(ParseLogicalType(text, TypeKind::kList), std::nullopt);
  EXPECT_EQ(ParseLogicalType(FormatLogicalType({}), TypeKind::kVarchar), LogicalTypeName{});
}

TEST(LogicalType, ArraysGoBothWays) {
  const LogicalTypeName type{{}, 3};
  EXPECT_EQ(FormatLogicalType(type), "{\"array\":3}");
  EXPECT_EQ(ParseLogicalType("{\"array\":3}", TypeKind::kList), type);
  EXPECT_EQ(ParseLogicalType("{\"array\":3}", TypeKind::kVarchar), std::nullopt);
}

TEST(LogicalType, OtherSpellingsOfTheSameJson) {
  EXPECT_EQ(ParseLogicalType(" { \"enum\" : [ \"\\u00e9\" , \"\\ud83d\\ude00\\/\" ] }\n",
                             TypeKind::kVarchar),
            (LogicalTypeName{{"é", "😀/"}, 0}));
}

TEST(LogicalType, WhatIsNoneIsNone) {
  for (const char* text :
       {"", "{", "{}", "null", "3", "{\"array\":0}", "{\"array\":-1}", "{\"array\":100001}",
        "{\"array\":99999999999999999999}", "{\"array\":\"3\"}", "{\"array\":3} x",
        "{\"array\":3,\"b\":1}", "{\"other\":3}", "{\"array\"", "{\"array\":3"}) {
    EXPECT_EQ(ParseLogicalType(text, TypeKind::kList), std::nullopt) << text;
  }
  for (const char* text :
       {"{\"enum\":[\"a\",\"a\"]}", "{\"enum\":[1]}", "{\"enum\":[\"a\"}", "{\"enum\":[\"a\",]}",
        "{\"enum\":[\"\\x\"]}", "{\"enum\":[\"\\u12\"]}", "{\"enum\":[\"\\ud83d\"]}",
        "{\"enum\":[\"\\ude00\\ud83d\"]}", "{\"enum\":[\"a", "{\"enum\":[\"a\\"}) {
    EXPECT_EQ(ParseLogicalType(text, TypeKind::kVarchar), std::nullopt) << text;
  }
}

TEST(LogicalType, WideningKeepsEveryValue) {
  const LogicalTypeName ab{{"a", "b"}, 0};
  EXPECT_TRUE(IsWidening(ab, {{"c", "b", "a"}, 0}));
  EXPECT_FALSE(IsWidening(ab, {{"a", "c"}, 0}));
  EXPECT_TRUE(IsWidening({{}, 2}, {{}, 2}));
  EXPECT_FALSE(IsWidening({{}, 2}, {{}, 3}));
  EXPECT_FALSE(IsWidening({{}, 2}, ab));
}

}  // namespace
}  // namespace tarn
