#include "format/type_promotion.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace tarn {
namespace {

using Names = std::set<std::string>;

/// All types that `from` may be altered to, by their names; decimals of a few sizes among them.
Names Promotions(const std::string& from) {
  static const char* kTypes[] = {
      "boolean",      "int8",          "int16",          "int32",        "int64",
      "int128",       "uint8",         "uint16",         "uint32",       "uint64",
      "uint128",      "float32",       "float64",        "decimal(4,1)", "decimal(9,2)",
      "decimal(9,0)", "decimal(20,0)", "decimal(38,10)", "date",         "time",
      "timetz",       "timestamp",     "timestamp_s",    "timestamp_ms", "timestamp_ns",
      "timestamptz",  "interval",      "varchar",        "json",         "blob",
      "uuid",         "variant",       "list",           "struct",       "map"};
  Names names;
  for (const char* to : kTypes) {
    if (CanPromote(RequireTypeName(from), RequireTypeName(to))) names.insert(to);
  }
  return names;
}

TEST(TypePromotion, EachTypeHasItsWiderOnes) {
  const Names signed_to_int8 = {"int16",        "int32",         "int64",         "int128",
                                "float32",      "float64",       "decimal(4,1)",  "decimal(9,2)",
                                "decimal(9,0)", "decimal(20,0)", "decimal(38,10)"};
  EXPECT_EQ(Promotions("int8"), signed_to_int8);
  EXPECT_EQ(Promotions("boolean"), (Names{"int8", "int16", "int32", "int64", "int128", "uint8",
                                          "uint16", "uint32", "uint64", "uint128"}));
  EXPECT_EQ(Promotions("int32"),
            (Names{"int64", "int128", "float32", "float64", "decimal(20,0)", "decimal(38,10)"}));
  EXPECT_EQ(Promotions("int64"),
            (Names{"int128", "float32", "float64", "decimal(20,0)", "decimal(38,10)"}));
  EXPECT_EQ(Promotions("int128"), (Names{"float32", "float64"}));
  EXPECT_EQ(Promotions("uint16"),
            (Names{"uint32", "uint64", "uint128", "int32", "int64", "int128", "float32", "float64",
                   "decimal(9,2)", "decimal(9,0)", "decimal(20,0)", "decimal(38,10)"}));
  EXPECT_EQ(Promotions("uint64"),
            (Names{"uint128", "int128", "float32", "float64", "decimal(20,0)", "decimal(38,10)"}));
  EXPECT_EQ(Promotions("float32"), (Names{"float64"}));
  EXPECT_EQ(Promotions("decimal(4,1)"),
            (Names{"decimal(9,2)", "decimal(38,10)", "float32", "float64"}));
  EXPECT_EQ(Promotions("decimal(9,2)"), (Names{"decimal(38,10)", "float32", "float64"}));
  EXPECT_EQ(Promotions("date"),
            (Names{"timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns", "timestamptz"}));
  EXPECT_EQ(Promotions("timestamp_s"), (Names{"timestamp_ms", "timestamp", "timestamp_ns"}));
  EXPECT_EQ(Promotions("timestamp_ms"), (Names{"timestamp", "timestamp_ns"}));
  EXPECT_EQ(Promotions("timestamp"), (Names{"timestamp_ns", "timestamptz"}));
}

TEST(TypePromotion, OnlyFarDatesAndTimesMayBeLost) {
  const auto may = [](const char* from, const char* to) {
    return MayOverflow(RequireTypeName(from), RequireTypeName(to));
  };
  EXPECT_TRUE(may("date", "timestamp"));
  EXPECT_TRUE(may("date", "timestamptz"));
  EXPECT_TRUE(may("timestamp_s", "timestamp"));
  EXPECT_TRUE(may("timestamp", "timestamp_ns"));
  EXPECT_TRUE(may("timestamp", "timestamptz")) << "zones move times";
  EXPECT_FALSE(may("timestamp_ns", "timestamp")) << "no promotion";
  EXPECT_FALSE(may("timestamp", "timestamp"));
  EXPECT_FALSE(may("int64", "float64"));
}

TEST(TypePromotion, TheseHaveNone) {
  for (const char* from :
       {"float64", "decimal(38,10)", "time", "timetz", "timestamp_ns", "timestamptz", "interval",
        "varchar", "json", "blob", "uuid", "variant", "list", "struct", "map"}) {
    const Names found = Promotions(from);
    // A decimal may always become a float.
    EXPECT_TRUE(found.empty() || std::string(from).starts_with("decimal")) << from;
  }
}

TEST(TypePromotion, SqlNames) {
  const std::map<std::string, std::string> names = {{"int8", "TINYINT"},
                                                    {"int128", "HUGEINT"},
                                                    {"float32", "FLOAT"},
                                                    {"uint64", "UBIGINT"},
                                                    {"decimal(9,2)", "DECIMAL(9,2)"},
                                                    {"timestamptz", "TIMESTAMPTZ"},
                                                    {"timestamp_ns", "TIMESTAMP_NS"},
                                                    {"varchar", "VARCHAR"},
                                                    {"geometry", "GEOMETRY"}};
  for (const auto& [name, sql] : names) EXPECT_EQ(SqlTypeName(RequireTypeName(name)), sql);
}

}  // namespace
}  // namespace tarn
