// Partition values of vectors are those that pruning computes of single values; folders tell them.
#include "engine/operators/partition_keys.h"

#include <gtest/gtest.h>

#include "engine/bridge/types.h"

namespace tarn::engine {
namespace {

Table MakeTable(const std::string& type, std::vector<PartitionKey> keys) {
  Column column;
  column.id = FieldId(1);
  column.name = "c";
  column.type = type;
  Table table;
  table.name = "t";
  table.columns = {column};
  table.partition = PartitionSpec{PartitionId(7), std::move(keys)};
  return table;
}

struct TypeCase {
  const char* type;
  std::vector<const char*> texts;
};

const std::vector<TypeCase> kCases{
    {"boolean", {"true", "false"}},
    {"int8", {"-128", "34"}},
    {"int16", {"-32768", "34"}},
    {"int32", {"-1", "34"}},
    {"int64", {"-9223372036854775808", "34"}},
    {"int128", {"-170141183460469231731687303715884105728", "34"}},
    {"uint8", {"255", "34"}},
    {"uint16", {"34"}},
    {"uint32", {"34"}},
    {"uint64", {"18446744073709551615", "34"}},
    {"uint128", {"340282366920938463463374607431768211455", "34"}},
    {"float32", {"0.1", "nan", "-0.0", "-inf"}},
    {"float64", {"0.1", "nan", "-0.0", "1e+300"}},
    {"decimal(4,1)", {"-14.2"}},
    {"decimal(18,2)", {"14.20"}},
    {"decimal(38,10)", {"-1.5000000000"}},
    {"date", {"2017-11-16", "infinity", "-infinity", "0044-03-15 (BC)", "1950-02-03"}},
    {"time", {"22:31:08", "00:00:00"}},
    {"time_ns", {"22:31:08.123456789"}},
    {"timetz", {"22:31:08+02", "22:31:08.5-05:30"}},
    {"timestamp", {"2017-11-16 22:31:08", "infinity", "1950-02-03 01:00:00"}},
    {"timestamptz", {"2017-11-16 22:31:08+00", "-infinity"}},
    {"timestamp_s", {"2017-11-16 22:31:08", "1950-02-03 23:59:59"}},
    {"timestamp_ms", {"2017-11-16 22:31:08.123"}},
    {"timestamp_ns", {"2017-11-16 22:31:08.123456789"}},
    {"interval", {"1 month 2 days 03:04:05"}},
    {"varchar", {"", "iceberg", "a longer text than fits into twelve bytes"}},
    {"json", {"{\"a\": 1}"}},
    {"blob", {"\\x00\\x01\\x02\\x03", ""}},
    {"uuid", {"f79c3e09-677c-4bbd-a479-3f349cb785e7"}},
};

TEST(PartitionKeys, VectorsAgreeWithSingleValues) {
  for (const auto& [type, texts] : kCases) {
    const auto scalar = RequireTypeName(type);
    for (const char* name : {"identity", "bucket(1000)", "year", "month", "day", "hour"}) {
      const auto transform = *ParseTransform(name);
      if (!TransformApplies(transform, scalar)) continue;
      const auto table = MakeTable(type, {{FieldId(1), name}});
      const auto logical = ToLogicalType(table.columns[0]);
      const PartitionKeys keys(table, true);
      duckdb::Vector values(logical);
      duckdb::Vector result(keys.type(0));
      for (size_t i = 0; i < texts.size(); ++i)
        values.SetValue(i, duckdb::Value(texts[i]).DefaultCastAs(logical));
      values.SetValue(texts.size(), duckdb::Value(logical));
      keys.Compute(0, values, texts.size() + 1, result);
      for (size_t i = 0; i < texts.size(); ++i) {
        const auto value = *ParseValue(scalar, texts[i], TextEncoding::kPlain);
        EXPECT_EQ(keys.Describe({result.GetValue(i)}).values[0],
                  PartitionValue(transform, scalar, value))
            << type << " " << name << " " << texts[i];
      }
      EXPECT_EQ(keys.Describe({result.GetValue(texts.size())}).values[0], std::nullopt);
    }
  }
}

TEST(PartitionKeys, FoldersTellWhatTheyCan) {
  const auto table = MakeTable("varchar", {{FieldId(1), "identity"}, {FieldId(1), "bucket(4)"}});
  const auto folder = [&](bool hive, const duckdb::Value& text) {
    return PartitionKeys(table, hive).Describe({text, duckdb::Value::BIGINT(3)}).folder;
  };
  EXPECT_EQ(folder(true, duckdb::Value("a/b=%")), "c=a%2Fb%3D%25/bucket=3/");
  EXPECT_EQ(folder(true, duckdb::Value("")), "c=/bucket=3/");
  EXPECT_EQ(folder(true, duckdb::Value(duckdb::LogicalType::VARCHAR)),
            "c=__HIVE_DEFAULT_PARTITION__/bucket=3/");
  EXPECT_EQ(folder(true, duckdb::Value(std::string(250, 'x'))),
            "c=" + std::string(250, 'x') + "/bucket=3/");
  EXPECT_EQ(folder(true, duckdb::Value(std::string(300, 'x'))), "");
  EXPECT_EQ(folder(false, duckdb::Value("a")), "");
  const auto with_zero =
      PartitionKeys(table, true).Describe({duckdb::Value(std::string("a\0b", 3)), duckdb::Value()});
  EXPECT_FALSE(with_zero.spec);
  EXPECT_TRUE(with_zero.values.empty());
}

}  // namespace
}  // namespace tarn::engine
