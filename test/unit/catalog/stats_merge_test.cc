// Merging rules of column statistics.
#include "catalog/stats_merge.h"

#include "gmock/gmock.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

TEST(HoldsOnlyNullsTest, BoundsAreBelievedWhereNoValueIsCounted) {
  EXPECT_TRUE(HoldsOnlyNulls(MakeStats(1, 0, 3)));
  EXPECT_FALSE(HoldsOnlyNulls(MakeStats(1, 0, 3, "5", "7"))) << "a leaf inside lists";
  EXPECT_FALSE(HoldsOnlyNulls(MakeStats(1, 0, 0))) << "no statistics";
  EXPECT_FALSE(HoldsOnlyNulls(MakeStats(1, 1, 3)));
}

Table MakeTable(std::vector<Column> columns) {
  Table table;
  table.name = "t";
  int64_t id = 1;
  std::function<void(std::vector<Column>&)> number = [&](std::vector<Column>& list) {
    for (Column& column : list) {
      column.id = FieldId(id++);
      number(column.children);
    }
  };
  number(columns);
  table.columns = std::move(columns);
  return table;
}

std::vector<ColumnSummary> Summarize(const Table& table, std::vector<DataFile> files) {
  return SummarizeFiles(table, files);
}

TableStats::Column Stored(std::optional<bool> contains_null, std::optional<std::string> min,
                          std::optional<std::string> max, std::optional<bool> contains_nan = {}) {
  TableStats::Column column;
  column.field = FieldId(1);
  column.contains_null = contains_null;
  column.min_value = std::move(min);
  column.max_value = std::move(max);
  column.contains_nan = contains_nan;
  return column;
}

TEST(StatsMergeTest, BoundsCompareInTheColumnsType) {
  auto summaries = Summarize(MakeTable({MakeColumn("i", "int32")}),
                             {MakeFile("a", 1, {MakeStats(1, 1, 0, "9", "9")}),
                              MakeFile("b", 1, {MakeStats(1, 1, 0, "10", "10")})});
  ASSERT_EQ(summaries.size(), 1u);
  EXPECT_EQ(summaries[0].min_value, "9");
  EXPECT_EQ(summaries[0].max_value, "10");
  EXPECT_FALSE(summaries[0].contains_null);
  EXPECT_EQ(summaries[0].contains_nan, std::nullopt);
}

TEST(StatsMergeTest, OneFileWithValuesAndNoBoundSpoilsThem) {
  const Table table = MakeTable({MakeColumn("i", "int32")});
  for (bool first : {false, true}) {
    std::vector<DataFile> files = {MakeFile("a", 1, {MakeStats(1, 1, 0, "1", "1")})};
    files.insert(first ? files.begin() : files.end(), MakeFile("b", 1, {MakeStats(1, 1, 0)}));
    files.push_back(MakeFile("c", 1, {MakeStats(1, 1, 0, "5", "5")}));
    auto summary = Summarize(table, files).at(0);
    EXPECT_TRUE(summary.has_values);
    EXPECT_EQ(summary.min_value, std::nullopt);
    EXPECT_EQ(summary.max_value, std::nullopt);
  }
}

TEST(StatsMergeTest, OneBoundMayGoWhileTheOtherStays) {
  auto summary = Summarize(MakeTable({MakeColumn("v", "varchar")}),
                           {MakeFile("a", 1, {MakeStats(1, 1, 0, "a", {})}),
                            MakeFile("b", 1, {MakeStats(1, 1, 0, "b", "c")})})
                     .at(0);
  EXPECT_EQ(summary.min_value, "a");
  EXPECT_EQ(summary.max_value, std::nullopt);
}

TEST(StatsMergeTest, FilesWithOnlyNullsSayNothingOfBounds) {
  auto summary = Summarize(MakeTable({MakeColumn("i", "int32")}),
                           {MakeFile("a", 1, {MakeStats(1, 0, 1)}),
                            MakeFile("b", 1, {MakeStats(1, 1, 0, "4", "4")}),
                            MakeFile("c", 1, {MakeStats(1, 0, 1)})})
                     .at(0);
  EXPECT_EQ(summary.min_value, "4");
  EXPECT_TRUE(summary.contains_null);
}

TEST(StatsMergeTest, ZeroCountsAreNotOnlyNulls) {
  // What writers leave for columns that they keep no statistics of.
  auto summary =
      Summarize(MakeTable({MakeColumn("x", "interval")}), {MakeFile("a", 1, {MakeStats(1, 0, 0)})})
          .at(0);
  EXPECT_TRUE(summary.has_values);
  EXPECT_EQ(summary.min_value, std::nullopt);
}

TEST(StatsMergeTest, FilesWithoutStatisticsMakeAllUnknown) {
  const Table table = MakeTable({MakeColumn("d", "float64")});
  ColumnStats stats = MakeStats(1, 1, 0, "1.0", "1.0");
  stats.contains_nan = false;
  auto summary = Summarize(table, {MakeFile("a", 1, {stats}), MakeFile("b", 1)}).at(0);
  EXPECT_TRUE(summary.known);
  EXPECT_TRUE(summary.contains_null) << "there may be some";
  EXPECT_EQ(summary.contains_nan, std::nullopt);
  EXPECT_EQ(summary.min_value, std::nullopt);
  EXPECT_FALSE(Summarize(table, {MakeFile("b", 1)}).at(0).known);
}

TEST(StatsMergeTest, EmptyFilesChangeNothing) {
  auto summary = Summarize(MakeTable({MakeColumn("i", "int32")}),
                           {MakeFile("a", 0), MakeFile("b", 1, {MakeStats(1, 1, 0, "4", "4")})})
                     .at(0);
  EXPECT_EQ(summary.min_value, "4");
  EXPECT_FALSE(summary.contains_null);
}

TEST(StatsMergeTest, NanIsFlaggedForFloatsOnly) {
  const Table table = MakeTable({MakeColumn("d", "float64")});
  ColumnStats nan = MakeStats(1, 1, 0);
  nan.contains_nan = true;
  ColumnStats number = MakeStats(1, 1, 0, "1.5", "1.5");
  number.contains_nan = false;
  EXPECT_EQ(Summarize(table, {MakeFile("a", 1, {number})}).at(0).contains_nan, false);
  EXPECT_EQ(
      Summarize(table, {MakeFile("a", 1, {number}), MakeFile("b", 1, {nan})}).at(0).contains_nan,
      true);
  number.contains_nan.reset();
  EXPECT_EQ(Summarize(table, {MakeFile("a", 1, {number})}).at(0).contains_nan, std::nullopt);
}

TEST(StatsMergeTest, LeavesOfNestedColumnsHaveStatistics) {
  const Table table = MakeTable({MakeColumn(
      "s", "struct",
      {MakeColumn("a", "int32"), MakeColumn("l", "list", {MakeColumn("element", "varchar")})})});
  auto summaries = Summarize(
      table, {MakeFile("a", 1, {MakeStats(2, 1, 0, "1", "1"), MakeStats(4, 1, 0, "x", "x")})});
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].field, FieldId(2));
  EXPECT_EQ(summaries[1].field, FieldId(4));
  EXPECT_EQ(summaries[1].min_value, "x");
}

TEST(StatsMergeTest, StoredStatisticsWidenInEitherEncoding) {
  auto added = Summarize(MakeTable({MakeColumn("b", "boolean")}),
                         {MakeFile("a", 1, {MakeStats(1, 1, 0, "1", "1")})})
                   .at(0);
  auto widened = WidenStats(Stored(false, "false", "false"), added,
                            false);  // as an inlined insert leaves them
  EXPECT_EQ(widened.min_value, "false");
  EXPECT_EQ(widened.max_value, "1");
}

TEST(StatsMergeTest, StoredNullBoundsAreForGoodUnlessAllRowsAreNull) {
  auto added = Summarize(MakeTable({MakeColumn("i", "int32")}),
                         {MakeFile("a", 1, {MakeStats(1, 1, 0, "1", "1")})})
                   .at(0);
  auto only_nulls =
      Summarize(MakeTable({MakeColumn("i", "int32")}), {MakeFile("a", 1, {MakeStats(1, 0, 1)})})
          .at(0);
  EXPECT_TRUE(MayBeAllNull(Stored(true, {}, {}), added));
  EXPECT_FALSE(MayBeAllNull(Stored(false, {}, {}), added)) << "there are values, without bounds";
  EXPECT_FALSE(MayBeAllNull(Stored(true, "1", "2"), added));
  EXPECT_FALSE(MayBeAllNull(Stored(true, {}, {}), only_nulls)) << "nothing to widen with";
  EXPECT_EQ(WidenStats(Stored(true, {}, {}), added, false).min_value, std::nullopt);
  EXPECT_EQ(WidenStats(Stored(true, {}, {}), added, true).min_value, "1");
  EXPECT_EQ(WidenStats(Stored(true, {}, {}), added, true).contains_null, true);
  EXPECT_TRUE(
      SameStats(WidenStats(Stored(true, "1", "2"), only_nulls, false), Stored(true, "1", "2")));
}

TEST(StatsMergeTest, UnknownNanStaysUnknownUntilOneIsSeen) {
  const Table table = MakeTable({MakeColumn("d", "float64")});
  ColumnStats stats = MakeStats(1, 1, 0, "1.0", "1.0");
  stats.contains_nan = false;
  auto added = Summarize(table, {MakeFile("a", 1, {stats})}).at(0);
  EXPECT_EQ(WidenStats(Stored(false, "1.0", "2.0", std::nullopt), added, false).contains_nan,
            std::nullopt);
  EXPECT_EQ(WidenStats(Stored(false, "1.0", "2.0", true), added, false).contains_nan, true);
  EXPECT_EQ(WidenStats(Stored(false, "1.0", "2.0", false), added, false).contains_nan, false);
  added.contains_nan = true;
  EXPECT_EQ(WidenStats(Stored(false, "1.0", "2.0", std::nullopt), added, false).contains_nan, true);
}

TEST(StatsMergeTest, AFlushOnlyAddsTheNullsThatItsFilesHave) {
  std::vector<ColumnSummary> summaries;
  ColumnStats unknown = MakeStats(3, 1, 0, "a", "a");
  unknown.null_count.reset();
  AddNulls(MakeFile("a", 2, {MakeStats(1, 2, 0, "5", "7"), MakeStats(2, 1, 1, "5", "7"), unknown}),
           summaries);
  AddNulls(MakeFile("b", 2, {MakeStats(2, 1, 1, "5", "7")}), summaries);
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].field, FieldId(2));
  EXPECT_EQ(summaries[1].field, FieldId(3));
  const auto widened = WidenStats(Stored(false, "1", "2", false), summaries[0], false);
  EXPECT_TRUE(SameStats(widened, Stored(true, "1", "2", false)));
}

}  // namespace
}  // namespace tarn::test
