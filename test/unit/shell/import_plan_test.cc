// What names of files say: the format, and the table.
#include "shell/import_plan.h"

#include <gtest/gtest.h>

namespace tarn::shell {
namespace {

TEST(ImportPlan, FormatsByName) {
  EXPECT_EQ(FormatOfFile("a/b/flights.csv"), ImportFormat::kCsv);
  EXPECT_EQ(FormatOfFile("flights.TSV.GZ"), ImportFormat::kCsv);
  EXPECT_EQ(FormatOfFile("x.ndjson.zst"), ImportFormat::kJson);
  EXPECT_EQ(FormatOfFile("x.jsonl"), ImportFormat::kJson);
  EXPECT_EQ(FormatOfFile("part-0.snappy.parquet"), ImportFormat::kParquet);
  for (const char* none : {"x", "x.gz", ".csv", "csv", "x.parquet.bak", "a.csv/x", ""}) {
    EXPECT_EQ(FormatOfFile(none), std::nullopt) << none;
  }
}

TEST(ImportPlan, TablesByName) {
  EXPECT_EQ(TableNameOfFile("a/b/flights.csv.gz"), "flights");
  EXPECT_EQ(TableNameOfFile("part-0.snappy.parquet"), "part-0.snappy");
  EXPECT_EQ(TableNameOfFile("notes"), "notes");
  EXPECT_EQ(TableNameOfFile("a.dat"), "a");
  EXPECT_EQ(TableNameOfFile(".hidden"), ".hidden");
}

TEST(ImportPlan, PathsAreParametersAndNoPatterns) {
  std::vector<engine::SessionValue> parameters;
  const ImportTable table{
      "t", {{"odd [1]*.csv", ImportFormat::kCsv}, {"b.parquet", ImportFormat::kParquet}}, ""};
  EXPECT_EQ(SelectFiles(table, parameters),
            "SELECT * FROM read_csv([$1], union_by_name = true) UNION ALL BY NAME "
            "SELECT * FROM read_parquet([$2], union_by_name = true)");
  ASSERT_EQ(parameters.size(), 2U);
  EXPECT_EQ(std::get<std::string>(parameters[0]), "odd [[]1][*].csv");
  EXPECT_EQ(std::get<std::string>(parameters[1]), "b.parquet");
}

}  // namespace
}  // namespace tarn::shell
