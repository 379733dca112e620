// Expected partition values are those of the reference client.
#include "format/transform.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

using Kind = Transform::Kind;

std::optional<std::string> Apply(std::string_view transform, std::string_view type,
                                 std::string_view text) {
  const ScalarType scalar = RequireTypeName(type);
  const auto value = ParseValue(scalar, text, TextEncoding::kPlain);
  if (!value) throw std::runtime_error(std::string(text));
  return PartitionValue(*ParseTransform(transform), scalar, *value);
}

TEST(Transform, NamesComeBack) {
  for (const char* name :
       {"identity", "year", "month", "day", "hour", "bucket(1)", "bucket(1000)"}) {
    ASSERT_TRUE(ParseTransform(name)) << name;
    EXPECT_EQ(FormatTransform(*ParseTransform(name)), name);
  }
  EXPECT_EQ(ParseTransform("BUCKET( 16 )"), (Transform{Kind::kBucket, 16}));
  for (const char* name : {"", "bucket", "bucket()", "bucket(0)", "bucket(-1)", "bucket(x)",
                           "bucket(3", "epoch_year", "truncate(3)"}) {
    EXPECT_FALSE(ParseTransform(name)) << name;
  }
}

struct BucketCase {
  const char* type;
  const char* text;
  const char* bucket;
};

TEST(Transform, BucketsOfAThousand) {
  for (const BucketCase& c : {
           BucketCase{"int32", "34", "379"},
           {"int8", "34", "379"},
           {"int32", "-1", "712"},
           {"uint32", "34", "257"},
           {"uint64", "18446744073709551615", "963"},
           {"int128", "34", "257"},
           {"int128", "-170141183460469231731687303715884105728", "864"},
           {"uint128", "34", "257"},
           {"varchar", "iceberg", "89"},
           {"varchar", "", "0"},
           {"json", "{\"a\": 1}", "829"},
           {"blob", "\\x00\\x01\\x02\\x03", "441"},
           {"boolean", "true", "556"},
           {"boolean", "false", "676"},
           {"timestamp", "2017-11-16 22:31:08", "207"},
           {"timestamp", "infinity", "599"},
           {"timestamp_s", "2017-11-16 22:31:08", "379"},
           {"timestamp_ms", "2017-11-16 22:31:08", "510"},
           {"timestamp_ns", "2017-11-16 22:31:08", "579"},
           {"timestamptz", "2017-11-16 22:31:08+00", "207"},
           {"date", "2017-11-16", "226"},
           {"date", "infinity", "606"},
           {"time", "22:31:08", "659"},
           {"timetz", "22:31:08+00", "83"},
           {"timetz", "22:31:08+02", "373"},
           {"timetz", "00:00:00+00", "671"},
           {"timetz", "22:31:08.5-05:30", "323"},
           {"interval", "1 month", "558"},
           {"decimal(10,2)", "14.20", "465"},
           {"decimal(10,2)", "-14.20", "521"},
           {"decimal(4,1)", "14.2", "740"},
           {"decimal(18,2)", "14.20", "465"},
           {"decimal(19,2)", "14.20", "302"},
           {"decimal(38,10)", "-1.5", "398"},
           {"decimal(38,38)", "0.5", "501"},
           {"uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7", "783"},
           {"float64", "1.0", "639"},
           {"float64", "nan", "237"},
           {"float64", "-0.0", "676"},
           {"float64", "0.0", "676"},
           {"float64", "inf", "893"},
           {"float32", "1.0", "639"},
           {"float32", "0.1", "394"},
       }) {
    EXPECT_EQ(Apply("bucket(1000)", c.type, c.text), c.bucket) << c.type << " " << c.text;
  }
}

TEST(Transform, CalendarParts) {
  for (const char* type :
       {"timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns", "timestamptz"}) {
    EXPECT_EQ(Apply("year", type, "2017-11-16 22:31:08"), "2017") << type;
    EXPECT_EQ(Apply("month", type, "2017-11-16 22:31:08"), "11") << type;
    EXPECT_EQ(Apply("day", type, "2017-11-16 22:31:08"), "16") << type;
    EXPECT_EQ(Apply("hour", type, "2017-11-16 22:31:08"), "22") << type;
    EXPECT_EQ(Apply("hour", type, "1950-02-03 01:00:00"), "1") << type << " before 1970";
    EXPECT_EQ(Apply("day", type, "1950-02-03 23:59:59"), "3") << type;
  }
  EXPECT_EQ(Apply("year", "timestamp", "0044-03-15 (BC) 10:00:00"), "-43");
  EXPECT_EQ(Apply("hour", "timestamp", "0044-03-15 (BC) 10:00:00"), "10");
  EXPECT_EQ(Apply("month", "date", "1950-02-03"), "2");
  EXPECT_EQ(Apply("hour", "date", "2017-11-16"), "0");
  EXPECT_EQ(Apply("hour", "time", "22:31:08"), "22");
  for (const char* transform : {"year", "month", "day", "hour"}) {
    EXPECT_EQ(Apply(transform, "timestamp", "infinity"), std::nullopt) << transform;
    EXPECT_EQ(Apply(transform, "date", "-infinity"), std::nullopt) << transform;
  }
}

TEST(Transform, IdentityIsThePlainText) {
  EXPECT_EQ(Apply("identity", "boolean", "true"), "true");
  EXPECT_EQ(Apply("identity", "decimal(10,2)", "14.2"), "14.20");
  EXPECT_EQ(Apply("identity", "float32", "0.1"), "0.1");
  EXPECT_EQ(Apply("identity", "float64", "nan"), "nan");
  EXPECT_EQ(Apply("identity", "date", "infinity"), "infinity");
  EXPECT_EQ(Apply("identity", "timestamptz", "2020-01-01 12:00:00+02"), "2020-01-01 10:00:00+00");
  EXPECT_EQ(Apply("identity", "varchar", ""), "");
  EXPECT_EQ(Apply("identity", "time", "12:00:00.5"), "12:00:00.5");
}

TEST(Transform, RefusesTypesWithoutSuchAPart) {
  EXPECT_FALSE(TransformApplies(*ParseTransform("year"), RequireTypeName("int32")));
  EXPECT_FALSE(TransformApplies(*ParseTransform("year"), RequireTypeName("time")));
  EXPECT_FALSE(TransformApplies(*ParseTransform("bucket(3)"), RequireTypeName("list")));
  EXPECT_TRUE(TransformApplies(*ParseTransform("hour"), RequireTypeName("time")));
  EXPECT_TRUE(TransformApplies(*ParseTransform("identity"), RequireTypeName("uuid")));
  EXPECT_EQ(Apply("year", "int32", "5"), std::nullopt);
}

std::vector<std::string> Keys(std::vector<std::pair<const char*, const char*>> keys) {
  std::vector<FolderKey> folder_keys;
  for (const auto& [transform, column] : keys)
    folder_keys.push_back({*ParseTransform(transform), column});
  return HiveKeys(folder_keys);
}

TEST(Transform, FolderKeys) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(Keys({{"year", "a"}, {"year", "b"}, {"month", "a"}, {"month", "b"}}),
            (Names{"year", "year_b", "month", "month_b"}));
  EXPECT_EQ(Keys({{"bucket(3)", "a"}, {"bucket(4)", "a"}, {"identity", "a"}}),
            (Names{"bucket", "bucket_a", "a"}));
  EXPECT_EQ(Keys({{"identity", "year"}, {"year", "b"}}), (Names{"year", "year_b"}));
  EXPECT_EQ(Keys({{"year", "b"}, {"identity", "year"}}), (Names{"year", "year_year"}));
  EXPECT_EQ(Keys({{"identity", "YEAR"}, {"year", "a"}}), (Names{"YEAR", "year_a"}));
  EXPECT_EQ(Keys({{"identity", "year_b"}, {"year", "a"}, {"year", "b"}}),
            (Names{"year_b", "year", "year_b_2"}))
      << "the reference cannot write such a table at all";
}

}  // namespace
}  // namespace tarn
