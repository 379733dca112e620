// Columns of registered files by name: what matches, what reads as what, and what statistics say
// then.
#include "data/registered_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/apply_name_map.h"
#include "data/read_as.h"
#include "format/stats_value.h"
#include "tarn/error.h"

namespace tarn {
namespace {

using testing::HasSubstr;
using testing::Optional;

Column MakeColumn(int64_t id, std::string name, std::string type,
                  std::vector<Column> children = {}) {
  Column column;
  column.id = FieldId(id);
  column.name = std::move(name);
  column.type = std::move(type);
  column.children = std::move(children);
  return column;
}

Table MakeTable(std::vector<Column> columns) {
  Table table;
  table.name = "t";
  table.columns = std::move(columns);
  return table;
}

/// A footer of ten rows; each leaf has the bounds "1" and "5" and no NULLs.
class Footer {
 public:
  ParquetField Leaf(std::string name, std::string type, int64_t nulls = 0) {
    ParquetField field = Group(std::move(name), std::move(type), {});
    field.leaf = footer_.stats.size();
    ColumnStats stats;
    stats.value_count = 10 - nulls;
    stats.null_count = nulls;
    stats.min_value = "1";
    stats.max_value = "5";
    footer_.stats.push_back(std::move(stats));
    return field;
  }
  static ParquetField Group(std::string name, std::string type,
                            std::vector<ParquetField> children) {
    ParquetField field;
    field.name = field.source_name = std::move(name);
    field.type = std::move(type);
    field.children = std::move(children);
    return field;
  }
  static ParquetField List(std::string name, const std::string& group, ParquetField element) {
    element.name = "element";
    element.source_name = group;
    return Group(std::move(name), "list", {std::move(element)});
  }
  Footer& Add(ParquetField field) {
    footer_.fields.push_back(std::move(field));
    return *this;
  }
  ParquetFooter Done() {
    footer_.row_count = 10;
    return footer_;
  }

 private:
  ParquetFooter footer_;
};

FileToRegister Request() {
  FileToRegister request;
  request.path = "f.parquet";
  return request;
}

std::string MisfitOf(const ParquetFooter& footer, const Table& table,
                     const FileToRegister& request = Request()) {
  try {
    MatchColumns(footer, request, table);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    return error.message();
  }
  return "fits";
}

/// `name>field id`, with the entry's parent and a mark of folder columns.
std::vector<std::string> Shown(const NameMap& names) {
  std::vector<std::string> shown;
  for (const NameMapEntry& entry : names.entries) {
    shown.push_back((entry.parent ? std::to_string(*entry.parent) + "/" : "") + entry.source_name +
                    ">" + std::to_string(entry.target.value) + (entry.is_partition ? "p" : ""));
  }
  return shown;
}

TEST(MatchColumns, AnyOrderAnyCaseAtEveryLevel) {
  const Table table = MakeTable(
      {MakeColumn(1, "id", "int32"),
       MakeColumn(2, "s", "struct", {MakeColumn(3, "x", "float64"), MakeColumn(4, "y", "varchar")}),
       MakeColumn(5, "l", "list",
                  {MakeColumn(6, "element", "struct", {MakeColumn(7, "a", "int32")})}),
       MakeColumn(8, "m", "map",
                  {MakeColumn(9, "key", "varchar"), MakeColumn(10, "value", "int64")})});
  Footer footer;
  footer
      .Add(
          Footer::Group("M", "map", {footer.Leaf("key", "varchar"), footer.Leaf("value", "int32")}))
      .Add(Footer::Group("S", "struct", {footer.Leaf("Y", "varchar"), footer.Leaf("x", "float64")}))
      .Add(Footer::List("l", "bag", Footer::Group("", "struct", {footer.Leaf("A", "int8")})))
      .Add(footer.Leaf("ID", "int16"));
  const MatchedColumns matched = MatchColumns(footer.Done(), Request(), table);
  EXPECT_THAT(Shown(matched.names),
              testing::ElementsAre("M>8", "0/key>9", "0/value>10", "S>2", "3/Y>4", "3/x>3", "l>5",
                                   "6/bag>6", "7/A>7", "ID>1"));
  std::vector<int64_t> fields;
  for (const ColumnStats& stats : matched.stats) fields.push_back(stats.field.value);
  EXPECT_THAT(fields, testing::ElementsAre(1, 3, 4, 7, 9, 10));
}

TEST(MatchColumns, MissingAndExtraColumnsAreNamedByTheirPath) {
  const Table table = MakeTable(
      {MakeColumn(1, "id", "int32"),
       MakeColumn(2, "s", "struct", {MakeColumn(3, "x", "int32"), MakeColumn(4, "y", "int32")})});
  Footer footer;
  footer.Add(footer.Leaf("id", "int32"))
      .Add(Footer::Group("s", "struct", {footer.Leaf("x", "int32"), footer.Leaf("z", "int32")}));
  EXPECT_THAT(MisfitOf(footer.Done(), table),
              HasSubstr("Column \"s.z\" exists in file \"f.parquet\""));
  FileToRegister request = Request();
  request.ignore_extra_columns = true;
  EXPECT_THAT(MisfitOf(footer.Done(), table, request),
              HasSubstr("Column \"s.y\" exists in table \"t\""));
  request.allow_missing = true;
  EXPECT_THAT(Shown(MatchColumns(footer.Done(), request, table).names),
              testing::ElementsAre("id>1", "s>2", "1/x>3"));
}

TEST(MatchColumns, MissingColumnsHaveTheStatisticsOfTheirDefault) {
  Table table = MakeTable(
      {MakeColumn(1, "id", "int32"), MakeColumn(2, "n", "varchar"), MakeColumn(3, "d", "float64"),
       MakeColumn(4, "s", "struct", {MakeColumn(5, "x", "int32"), MakeColumn(6, "y", "int32")})});
  table.columns[2].initial_default = "1.5";
  table.columns[3].children[1].initial_default = "7";
  Footer footer;
  footer.Add(footer.Leaf("id", "int32"))
      .Add(Footer::Group("s", "struct", {footer.Leaf("x", "int32")}));
  FileToRegister request = Request();
  request.allow_missing = true;
  const MatchedColumns matched = MatchColumns(footer.Done(), request, table);
  ASSERT_EQ(matched.stats.size(), 5u);
  EXPECT_EQ(matched.stats[1].null_count, 10);
  EXPECT_EQ(matched.stats[1].value_count, 0);
  EXPECT_EQ(matched.stats[2].null_count, 0);
  EXPECT_EQ(matched.stats[2].min_value, "1.5");
  EXPECT_EQ(matched.stats[2].contains_nan, false);
  EXPECT_EQ(matched.stats[4].max_value, "7");
  EXPECT_EQ(matched.stats[4].null_count, std::nullopt) << "where the struct is NULL, so is y";
}

TEST(MatchColumns, WithoutAnyCommonColumnThereIsNothingToRead) {
  Footer footer;
  footer.Add(footer.Leaf("other", "int32"));
  FileToRegister request = Request();
  request.ignore_extra_columns = request.allow_missing = true;
  EXPECT_THAT(MisfitOf(footer.Done(), MakeTable({MakeColumn(1, "id", "int32")}), request),
              HasSubstr("no column in common"));
}

TEST(MatchColumns, TwoNamesForOneColumnAreAmbiguous) {
  Footer footer;
  footer.Add(footer.Leaf("id", "int32")).Add(footer.Leaf("ID", "int32"));
  EXPECT_THAT(MisfitOf(footer.Done(), MakeTable({MakeColumn(1, "id", "int32")})),
              HasSubstr("more than one column \"ID\""));
}

TEST(MatchColumns, AWrongTypeIsNamedWithFileColumnAndBothTypes) {
  Footer footer;
  footer.Add(footer.Leaf("A", "int64"));
  const std::string message = MisfitOf(footer.Done(), MakeTable({MakeColumn(1, "a", "int16")}));
  for (const char* part : {"\"A\"", "f.parquet", "\"a\"", "TINYINT, SMALLINT, UTINYINT", "BIGINT"})
    EXPECT_THAT(message, HasSubstr(part));
  Footer nested;
  nested.Add(Footer::Group("a", "struct", {nested.Leaf("x", "int64")}));
  EXPECT_THAT(MisfitOf(nested.Done(), MakeTable({MakeColumn(1, "a", "int64")})),
              HasSubstr("found type STRUCT"));
}

TEST(MatchColumns, NullsAreToldByTheStatistics) {
  Table table = MakeTable({MakeColumn(1, "a", "int32")});
  table.columns[0].nulls_allowed = false;
  Footer none;
  none.Add(none.Leaf("a", "int32"));
  EXPECT_EQ(MisfitOf(none.Done(), table), "fits");
  Footer some;
  some.Add(some.Leaf("a", "int32", 3));
  EXPECT_THAT(MisfitOf(some.Done(), table), HasSubstr("has 3 of them"));
  ParquetFooter unknown = none.Done();
  unknown.stats[0].null_count.reset();
  EXPECT_THAT(MisfitOf(unknown, table), HasSubstr("does not say"));
  unknown.fields[0].optional = false;
  EXPECT_EQ(MatchColumns(unknown, Request(), table).stats[0].null_count, 0);
  Footer lacks;
  lacks.Add(lacks.Leaf("b", "int32"));
  table.columns.push_back(MakeColumn(2, "b", "int32"));
  FileToRegister request = Request();
  request.allow_missing = true;
  EXPECT_THAT(MisfitOf(lacks.Done(), table, request), HasSubstr("lacks it"));
  table.columns[0].initial_default = "7";
  EXPECT_EQ(MisfitOf(lacks.Done(), table, request), "fits");
}

TEST(MatchColumns, FoldersWinOverColumnsAndGiveStatistics) {
  const Table table = MakeTable(
      {MakeColumn(1, "i", "int32"), MakeColumn(2, "k", "int32"), MakeColumn(3, "j", "varchar")});
  Footer footer;
  footer.Add(footer.Leaf("K", "varchar")).Add(footer.Leaf("i", "int32"));
  FileToRegister request = Request();
  request.folders = {{"j", std::nullopt, std::nullopt}, {"k", "07", "7"}, {"other", "1", {}}};
  const MatchedColumns matched = MatchColumns(footer.Done(), request, table);
  EXPECT_THAT(Shown(matched.names), testing::ElementsAre("K>2p", "i>1", "j>3p"));
  EXPECT_EQ(matched.stats[1].min_value, "7");
  EXPECT_EQ(matched.stats[1].max_value, "7");
  EXPECT_EQ(matched.stats[1].value_count, 10);
  EXPECT_EQ(matched.stats[2].null_count, 10);
  EXPECT_EQ(matched.stats[2].min_value, std::nullopt);
}

TEST(ApplyNameMap, GivesAFooterTheFieldsOfTheTable) {
  Footer footer;
  footer.Add(footer.Leaf("extra", "int32"))
      .Add(Footer::List("L", "bag", Footer::Group("", "struct", {footer.Leaf("A", "int8")})))
      .Add(footer.Leaf("k", "int32"));
  ParquetFooter mapped = footer.Done();
  mapped.fields[0].field_id = 5;  // another writer's
  NameMap names;
  names.entries = {{0, "l", FieldId(5), {}, false},
                   {1, "list", FieldId(6), 0, false},
                   {2, "a", FieldId(7), 1, false},
                   {3, "k", FieldId(8), {}, true}};
  ApplyNameMap(names, mapped);
  ASSERT_EQ(mapped.fields.size(), 1u);
  EXPECT_EQ(mapped.fields[0].field_id, 5);
  EXPECT_EQ(mapped.fields[0].children[0].children[0].field_id, 7);
  EXPECT_EQ(mapped.stats[1].field, FieldId(7));
  EXPECT_FALSE(mapped.stats[0].field.valid());
}

TEST(CanRegisterAs, WidensWithoutLossOnly) {
  const auto can = [](const char* stored, const char* column) {
    return CanRegisterAs(RequireTypeName(stored), RequireTypeName(column));
  };
  EXPECT_TRUE(can("uint32", "int64"));
  EXPECT_FALSE(can("uint64", "int64"));
  EXPECT_FALSE(can("int8", "uint16"));
  EXPECT_FALSE(can("uint8", "int8"));
  EXPECT_TRUE(can("float32", "float64"));
  EXPECT_FALSE(can("float64", "float32"));
  EXPECT_FALSE(can("int32", "float64"));
  EXPECT_TRUE(can("decimal(4,2)", "decimal(9,2)"));
  EXPECT_FALSE(can("decimal(10,2)", "decimal(12,6)")) << "digits before the point are lost";
  EXPECT_TRUE(can("timestamp_ms", "timestamp_ns"));
  EXPECT_TRUE(can("timestamp_ns", "timestamp"));
  EXPECT_FALSE(can("timestamp_ns", "timestamp_s"));
  EXPECT_FALSE(can("timestamp", "timestamptz"));
  EXPECT_FALSE(can("date", "timestamp"));
  EXPECT_FALSE(can("varchar", "json")) << "not every text is JSON";
  EXPECT_FALSE(can("float64", "int128"));
  EXPECT_TRUE(can("int64", "int128"));
  EXPECT_FALSE(can("time", "time_ns"));
  EXPECT_FALSE(can("blob", "geometry"));
}

TEST(WidenedBound, IsABoundInTheColumnsType) {
  const auto widened = [](const char* from, const char* to, const char* text, BoundSide side) {
    return WidenedBound(RequireTypeName(from), RequireTypeName(to), text, side);
  };
  EXPECT_THAT(widened("int8", "int64", "-5", BoundSide::kMin), Optional(std::string("-5")));
  EXPECT_THAT(widened("float32", "float64", "1.1", BoundSide::kMax),
              Optional(std::string("1.100000023841858")))
      << "the float above is more than 1.1";
  EXPECT_THAT(widened("decimal(4,2)", "decimal(9,3)", "1.50", BoundSide::kMin),
              Optional(std::string("1.500")));
  EXPECT_THAT(
      widened("timestamp_ns", "timestamp", "2020-01-01 00:00:00.000000001", BoundSide::kMax),
      Optional(std::string("2020-01-01 00:00:00.000001")));
  EXPECT_THAT(widened("timestamp", "timestamp_ns", "2020-01-01 00:00:00.5", BoundSide::kMin),
              Optional(std::string("2020-01-01 00:00:00.5")));
  EXPECT_EQ(widened("timestamp", "timestamp_ns", "9999-01-01 00:00:00", BoundSide::kMax),
            std::nullopt);
}

}  // namespace
}  // namespace tarn
