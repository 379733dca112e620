// Which claims of folders are believed.
#include "data/registered_partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/error.h"

namespace tarn {
namespace {

using testing::HasSubstr;

ColumnStats MakeStats(std::optional<std::string> min, std::optional<std::string> max,
                      std::optional<int64_t> nulls = 0) {
  ColumnStats stats;
  stats.field = FieldId(2);
  stats.null_count = nulls;
  stats.min_value = std::move(min);
  stats.max_value = std::move(max);
  return stats;
}

Claim ClaimOf(const char* transform, const char* type, const ColumnStats& stats,
              const std::optional<std::string>& value) {
  return CheckClaim(*ParseTransform(transform), RequireTypeName(type), &stats, 10, value);
}

TEST(CheckClaim, Buckets) {
  const ColumnStats one = MakeStats("iceberg", "iceberg");
  EXPECT_EQ(ClaimOf("bucket(1000)", "varchar", one, "89"), Claim::kTrue);
  EXPECT_EQ(ClaimOf("bucket(1000)", "varchar", one, "90"), Claim::kFalse);
  const ColumnStats several = MakeStats("a", "b");
  EXPECT_EQ(ClaimOf("bucket(4)", "varchar", several, "3"), Claim::kOpen);
  EXPECT_EQ(ClaimOf("bucket(4)", "varchar", several, "4"), Claim::kFalse);
  EXPECT_EQ(ClaimOf("bucket(4)", "varchar", several, "-1"), Claim::kFalse);
  EXPECT_EQ(ClaimOf("bucket(1000)", "float64", MakeStats("1.0", "1.0"), "639"), Claim::kOpen)
      << "a NaN may be there, too";
  const std::string cut(256, 'x');
  EXPECT_EQ(ClaimOf("bucket(4)", "varchar", MakeStats(cut, cut), "1"), Claim::kOpen);
}

TEST(CheckClaim, PartsOfTheCalendar) {
  const ColumnStats march = MakeStats("2024-03-01 00:00:00", "2024-03-31 23:59:59");
  EXPECT_EQ(ClaimOf("month", "timestamp", march, "3"), Claim::kTrue);
  EXPECT_EQ(ClaimOf("month", "timestamp", march, "4"), Claim::kFalse);
  EXPECT_EQ(ClaimOf("year", "timestamp", march, "2024"), Claim::kTrue);
  const ColumnStats two_years = MakeStats("2023-03-01 00:00:00", "2024-03-01 00:00:00");
  EXPECT_EQ(ClaimOf("month", "timestamp", two_years, "3"), Claim::kOpen)
      << "there may be an April in between";
  EXPECT_EQ(ClaimOf("year", "timestamp", two_years, "2024"), Claim::kFalse);
  EXPECT_EQ(ClaimOf("hour", "time", MakeStats("10:00:00", "10:59:00"), "10"), Claim::kTrue);
  EXPECT_EQ(ClaimOf("day", "date", MakeStats("2024-03-07", "2024-03-07"), "7"), Claim::kTrue);
}

TEST(CheckClaim, Nulls) {
  EXPECT_EQ(ClaimOf("year", "date", MakeStats({}, {}, 10), std::nullopt), Claim::kTrue);
  EXPECT_EQ(ClaimOf("year", "date", MakeStats("2024-01-01", "2024-01-01", 9), std::nullopt),
            Claim::kFalse);
  EXPECT_EQ(ClaimOf("year", "date", MakeStats("2024-01-01", "2024-01-01", 9), "2024"),
            Claim::kFalse);
  EXPECT_EQ(ClaimOf("year", "date", MakeStats("2024-01-01", "2024-01-01", {}), "2024"),
            Claim::kOpen);
  EXPECT_EQ(CheckClaim(*ParseTransform("year"), RequireTypeName("date"), nullptr, 10, "2024"),
            Claim::kOpen);
}

Table Partitioned(std::vector<PartitionKey> keys) {
  Table table;
  table.name = "t";
  Column k, d;
  k.id = FieldId(1);
  k.name = "k";
  k.type = "int32";
  d.id = FieldId(2);
  d.name = "d";
  d.type = "date";
  table.columns = {k, d};
  table.partition = PartitionSpec{PartitionId(5), std::move(keys)};
  return table;
}

DataFile FileOf(const ColumnStats& stats) {
  DataFile file;
  file.record_count = 10;
  file.stats = {stats};
  return file;
}

std::string RefusalOf(const FileToRegister& request, const Table& table, DataFile file) {
  try {
    SetPartitionValues(request, table, file);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(SetPartitionValues, InTheOrderOfTheSpecWhateverThatOfTheFolders) {
  const Table table = Partitioned({{FieldId(1), "identity"}, {FieldId(2), "year"}});
  FileToRegister request;
  request.path = "f";
  request.folders = {{"YEAR", "2024", {}}, {"k", "07", "7"}, {"x", "1", {}}};
  DataFile file = FileOf(MakeStats("2024-01-01", "2024-12-31"));
  SetPartitionValues(request, table, file);
  EXPECT_THAT(file.partition_values, testing::ElementsAre(testing::Optional(std::string("7")),
                                                          testing::Optional(std::string("2024"))));
  EXPECT_TRUE(file.partition_id.has_value());
}

TEST(SetPartitionValues, WhatIsNotProvenIsNotWritten) {
  const Table table = Partitioned({{FieldId(2), "bucket(4)"}});
  FileToRegister request;
  request.path = "f";
  request.folders = {{"bucket", "1", {}}};
  DataFile file = FileOf(MakeStats("2024-01-01", "2024-12-31"));
  SetPartitionValues(request, table, file);
  EXPECT_FALSE(file.partition_id.has_value());
  EXPECT_TRUE(file.partition_values.empty());
}

TEST(SetPartitionValues, WhatCannotBeIsRefused) {
  const Table table = Partitioned({{FieldId(2), "year"}});
  FileToRegister request;
  request.path = "f";
  const DataFile file = FileOf(MakeStats("2024-01-01", "2024-12-31"));
  EXPECT_THAT(RefusalOf(request, table, file), HasSubstr("a folder \"year=…\""));
  request.folders = {{"year", "x", {}}};
  EXPECT_THAT(RefusalOf(request, table, file), HasSubstr("is not a number"));
  request.folders = {{"year", "2023", {}}};
  EXPECT_THAT(RefusalOf(request, table, file), HasSubstr("invalid partition value"));
}

TEST(ColumnOfFolder, ATransformsFolderIsNoColumns) {
  Table table = Partitioned({{FieldId(2), "year"}});
  table.columns[0].name = "year";
  EXPECT_EQ(ColumnOfFolder(table, "year"), nullptr);
  EXPECT_EQ(ColumnOfFolder(table, "D"), &table.columns[1]);
  EXPECT_EQ(ColumnOfFolder(table, "other"), nullptr);
}

}  // namespace
}  // namespace tarn
