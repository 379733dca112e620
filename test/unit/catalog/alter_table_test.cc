// ALTER TABLE as a rule of values, and what chains of it leave in the catalog.
#include "catalog/alter_table.h"

#include "gmock/gmock.h"
#include "tarn/error.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Table MakeTable() {
  Table table;
  table.ref = TableId(1);
  table.name = "t";
  table.columns = {
      MakeColumn("i", "int32"),
      MakeColumn("s", "struct", {MakeColumn("x", "int8"), MakeColumn("y", "varchar")}),
      MakeColumn("l", "list", {MakeColumn("element", "struct", {MakeColumn("p", "int32")})})};
  int64_t next = 1;
  NumberColumns(table.columns, next);
  table.next_field_id = FieldId(next);
  return table;
}

Table Altered(const Table& table, const TableChange& change) {
  return AlterTable(table, change, [&] { return table.next_field_id; });
}

/// Names, ids and types, nested ones in braces.
std::string Show(const std::vector<Column>& columns) {
  std::string text;
  for (const Column& column : columns) {
    text += (text.empty() ? "" : " ") + column.name + ":" + std::to_string(column.id.value) + ":" +
            column.type;
    if (!column.children.empty()) text += "{" + Show(column.children) + "}";
  }
  return text;
}

TEST(AlterTable, NewFieldsGetTheNextIdsDepthFirst) {
  const Table table = MakeTable();
  EXPECT_EQ(table.next_field_id, FieldId(8));
  Table after =
      Altered(table, AddField{{"S"}, MakeColumn("z", "struct", {MakeColumn("a", "date")}), false});
  EXPECT_EQ(Show(after.columns),
            "i:1:int32 s:2:struct{x:3:int8 y:4:varchar z:8:struct{a:9:date}} "
            "l:5:list{element:6:struct{p:7:int32}}");
  after = Altered(after, AddField{{}, MakeColumn("j", "int64"), false});
  EXPECT_EQ(after.columns.back().id, FieldId(10));
  EXPECT_EQ(after.columns.back().order, 10);
  EXPECT_EQ(after.next_field_id, FieldId(11));
}

TEST(AlterTable, IdsOfDroppedFieldsAreNotGivenAgain) {
  Table table = MakeTable();
  table = Altered(table, AddField{{}, MakeColumn("j", "int64"), false});
  table = Altered(table, DropField{{"j"}});
  table = AlterTable(table, AddField{{}, MakeColumn("j", "int64"), false},
                     [] { return FieldId(3); });  // less than the table itself knows
  EXPECT_EQ(table.columns.back().id, FieldId(9));
  table =
      AlterTable(table, AddField{{}, MakeColumn("k", "int64"), false}, [] { return FieldId(40); });
  EXPECT_EQ(table.columns.back().id, FieldId(40));
}

TEST(AlterTable, StructTypesChangeByName) {
  const Table after = Altered(
      MakeTable(),
      ChangeFieldType{
          {"s"}, MakeColumn("", "struct", {MakeColumn("n", "date"), MakeColumn("X", "int64")})});
  EXPECT_EQ(Show(after.columns),
            "i:1:int32 s:2:struct{x:3:int64 n:8:date} l:5:list{element:6:struct{p:7:int32}}");
}

TEST(AlterTable, TypesChangeInsideLists) {
  const Table after =
      Altered(MakeTable(),
              ChangeFieldType{
                  {"l"},
                  MakeColumn("", "list",
                             {MakeColumn("element", "struct",
                                         {MakeColumn("p", "int64"), MakeColumn("q", "int8")})})});
  EXPECT_EQ(Show({after.columns[2]}), "l:5:list{element:6:struct{p:7:int64 q:8:int8}}");
}

TEST(AlterTable, AnInitialDefaultThatNoRowReadsEndsWhereTheTypeDoesNotHoldIt) {
  Table table = MakeTable();
  Column near = MakeColumn("near", "date"), far = MakeColumn("far", "date");
  near.initial_default = "2020-01-01";
  far.initial_default = "2500-01-01";
  table = Altered(table, AddField{{}, near, false});
  table = Altered(table, AddField{{}, far, false});
  table = Altered(table, ChangeFieldType{{"near"}, MakeColumn("", "timestamp_ns")});
  table = Altered(table, ChangeFieldType{{"far"}, MakeColumn("", "timestamp_ns")});
  EXPECT_EQ(table.columns[3].initial_default, "2020-01-01");
  EXPECT_EQ(table.columns[4].initial_default, std::nullopt);
}

TEST(AlterTable, DefaultsOfBooleansBecomeNumbers) {
  Table table = MakeTable();
  Column flag = MakeColumn("b", "boolean");
  flag.initial_default = "true";
  flag.default_value = "false";
  flag.default_value_type = "literal";
  table = Altered(table, AddField{{}, flag, false});
  table = Altered(table, ChangeFieldType{{"b"}, MakeColumn("", "int32")});
  EXPECT_EQ(table.columns.back().initial_default, "1");
  EXPECT_EQ(table.columns.back().default_value, "0");
}

TEST(AlterTable, CommentsGoWithTheirColumns) {
  Table table = Altered(MakeTable(), SetFieldComment{{"s", "x"}, "words"});
  EXPECT_EQ(table.column_tags.at(FieldId(3)).at("comment"), "words");
  EXPECT_THAT(Altered(table, DropField{{"s"}}).column_tags, IsEmpty());
  table.column_tags[FieldId(3)]["other"] = "kept";
  table = Altered(table, SetFieldComment{{"s", "x"}, std::nullopt});
  EXPECT_EQ(table.column_tags.at(FieldId(3)), (Tags{{"other", "kept"}}));
}

TEST(AlterTable, LogicalTypesAreTags) {
  const auto enum_of = [](const std::string& name, const std::string& values) {
    Column column = MakeColumn(name, "varchar");
    column.logical_type = "{\"enum\":[" + values + "]}";
    return column;
  };
  Column list = MakeColumn("v", "list", {enum_of("element", R"("x")")});
  list.logical_type = R"({"array":2})";
  Table table = Altered(MakeTable(), AddField{{}, enum_of("e", R"("a","b")"), false});
  table = Altered(table, AddField{{}, list, false});
  const auto key = [](const Column& column) {
    return "tarn_type." + std::to_string(column.id.value);
  };
  const std::string e = key(table.columns[3]);
  const std::string v = key(table.columns[4]);
  const std::string element = key(table.columns[4].children[0]);
  table.tags["comment"] = "kept";
  table.tags["tarn_type.1"] = "another program's";
  table.tags["tarn_type.x"] = "another program's";
  table.tags["tarn_type.77"] = "of a column that is gone";
  EXPECT_EQ(table.tags.at(v), R"({"array":2})");
  EXPECT_EQ(table.tags.at(element), R"({"enum":["x"]})");
  EXPECT_EQ(SqlTypeName(table.columns[4]), "ENUM('x')[2]");

  table = Altered(table, ChangeFieldType{{"e"}, enum_of("", R"("b","c","a")")});
  EXPECT_EQ(table.tags.at(e), R"({"enum":["b","c","a"]})");
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid,
                      [&] {
                        Altered(table, ChangeFieldType{{"e"}, enum_of("", R"("a")")});
                      }),
              HasSubstr("from ENUM('b', 'c', 'a') to ENUM('a')"));
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid,
                      [&] {
                        Altered(table, ChangeFieldType{{"e"}, MakeColumn("", "int32")});
                      }),
              HasSubstr("from ENUM('b', 'c', 'a') to INTEGER"));
  list.logical_type = R"({"array":3})";
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid,
                      [&] {
                        Altered(table, ChangeFieldType{{"v"}, list});
                      }),
              HasSubstr("from ENUM('x')[2] to ENUM('x')[3]"));

  table = Altered(table, ChangeFieldType{{"e"}, MakeColumn("", "varchar")});
  EXPECT_EQ(table.tags.count(e), 0u);
  EXPECT_EQ(table.tags.count("tarn_type.77"), 0u);
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid,
                      [&] {
                        Altered(table, ChangeFieldType{{"e"}, enum_of("", R"("a")")});
                      }),
              HasSubstr("from VARCHAR to ENUM('a')"));
  table = Altered(table,
                  ChangeFieldType{{"v"}, MakeColumn("", "list", {enum_of("element", R"("x")")})});
  EXPECT_EQ(table.tags.count(v), 0u);
  EXPECT_EQ(table.tags.count(element), 1u);
  table = Altered(table, DropField{{"v"}});
  EXPECT_EQ(table.tags.count(element), 0u);
  EXPECT_EQ(table.tags, (Tags{{"comment", "kept"},
                              {"tarn_type.1", "another program's"},
                              {"tarn_type.x", "another program's"}}));
}

TEST(AlterTable, PartitionKeysKeepTheirColumns) {
  Table table = MakeTable();
  table.partition = PartitionSpec{PartitionId(5), {{FieldId(3), "identity"}}};
  for (const FieldPath& path : {FieldPath{"s", "x"}, FieldPath{"s"}}) {
    EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { Altered(table, DropField{path}); }),
                HasSubstr("the table is partitioned by this column"));
  }
  EXPECT_EQ(Altered(table, RenameField{{"s", "x"}, "xx"}).columns[1].children[0].name, "xx");
}

TEST(AlterTable, PartitionKeysAreChecked) {
  const Table table = Altered(MakeTable(), AddField{{}, MakeColumn("d", "date"), false});
  const auto keys = [&](std::vector<SetPartitioning::Key> wanted) {
    return Altered(table, SetPartitioning{std::move(wanted)}).partition;
  };
  EXPECT_EQ(keys({{"I", "BUCKET( 3 )"}, {"d", "year"}, {"d", "month"}, {"i", "bucket(4)"}})->keys,
            (std::vector<PartitionKey>{{FieldId(1), "bucket(3)"},
                                       {FieldId(8), "year"},
                                       {FieldId(8), "month"},
                                       {FieldId(1), "bucket(4)"}}));
  EXPECT_FALSE(keys({}));
  for (const auto& [column, transform, words] :
       std::vector<std::tuple<const char*, const char*, const char*>>{
           {"nope", "identity", "column \"nope\" does not exist"},
           {"i", "year", "cannot be partitioned by year(i): column \"i\" is of type INTEGER"},
           {"s", "identity", "cannot be partitioned by s"},
           {"l", "bucket(4)", "cannot be partitioned by bucket(4, l)"}}) {
    EXPECT_THAT(ErrorOf(ErrorCode::kInvalid,
                        [&] {
                          keys({{column, transform}});
                        }),
                HasSubstr(words));
  }
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid,
                      [&] {
                        keys({{"d", "day"}, {"D", "DAY"}});
                      }),
              HasSubstr("twice by day(d)"));
  EXPECT_THAT(ErrorOf(ErrorCode::kUnsupported,
                      [&] {
                        keys({{"i", "truncate(3)"}});
                      }),
              HasSubstr("Unsupported partition function truncate(3)"));
}

TEST(AlterTable, MissingNamesAreAnsweredWithThoseThatAreThere) {
  EXPECT_EQ(ErrorOf(ErrorCode::kNotFound,
                    [&] {
                      Altered(MakeTable(), DropField{{"s", "z"}});
                    }),
            "Column \"s\" of table \"t\" does not have a field with name \"z\": its fields are x, "
            "y.");
  EXPECT_EQ(ErrorOf(ErrorCode::kNotFound,
                    [&] {
                      Altered(MakeTable(), DropField{{"i", "z"}});
                    }),
            "Column \"i\" of table \"t\" does not have a field with name \"z\": it has no fields.");
}

class AlterLakeTest : public LakeTest {
 protected:
  AlterLakeTest() : lake_(OpenLake()) {
    Run(*lake_, [](Transaction& transaction) {
      transaction.CreateTable({"main", "t", {MakeColumn("a", "int32"), MakeColumn("b", "int32")}});
    });
  }

  std::optional<SnapshotId> Alter(const std::vector<TableChange>& changes) {
    return Run(*lake_, [&](Transaction& transaction) {
      for (const TableChange& change : changes) transaction.AlterTable(TableId(1), change);
    });
  }

  std::vector<std::string> Columns() {
    return Query(
        "SELECT column_id, begin_snapshot, end_snapshot, column_name, column_type FROM "
        "ducklake_column ORDER BY 2, 1");
  }

  std::shared_ptr<Lake> lake_;
};

TEST_F(AlterLakeTest, ChainsLeaveOneVersion) {
  Alter({AddField{{}, MakeColumn("c", "int32"), false}, RenameField{{"c"}, "d"},
         ChangeFieldType{{"d"}, MakeColumn("", "int64")}, RenameField{{"a"}, "x"},
         RenameField{{"b"}, "a"}, RenameField{{"x"}, "b"}, RenameTable{"u"}});
  EXPECT_THAT(Columns(), ElementsAre("1|1|2|a|int32", "2|1|2|b|int32", "1|2|-|b|int32",
                                     "2|2|-|a|int32", "3|2|-|d|int64"));
  EXPECT_THAT(Query("SELECT begin_snapshot, end_snapshot, table_name, path FROM ducklake_table"),
              ElementsAre("1|2|t|t/", "2|-|u|t/"));
  EXPECT_THAT(Query("SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = 2"),
              ElementsAre("created_table:\"main\".\"u\",altered_table:1"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_schema_versions"), ElementsAre("1|1|1", "2|2|1"));
}

TEST_F(AlterLakeTest, TheNetSpecIsWritten) {
  const auto by = [](const char* column) { return SetPartitioning{{{column, "identity"}}}; };
  const auto specs = [&] {
    return Query(
        "SELECT i.partition_id, begin_snapshot, end_snapshot, column_id FROM "
        "ducklake_partition_info i JOIN ducklake_partition_column USING (partition_id) ORDER BY 1");
  };
  Alter({by("a"), by("b")});
  EXPECT_THAT(specs(), ElementsAre("2|2|-|2"));
  EXPECT_EQ(Alter({by("b")}), std::nullopt);
  EXPECT_EQ(Alter({by("a"), SetPartitioning{}, by("b")}), std::nullopt);
  Alter({by("b"), by("a")});
  EXPECT_THAT(specs(), ElementsAre("2|2|3|2", "3|3|-|1"));
  Alter({SetPartitioning{}});
  EXPECT_THAT(specs(), ElementsAre("2|2|3|2", "3|3|4|1"));
  EXPECT_EQ(Alter({SetPartitioning{}}), std::nullopt);
}

TEST_F(AlterLakeTest, SortOrdersThereAndBackAreNone) {
  const auto sort = [&](std::vector<const char*> orders) {
    return Run(*lake_, [&](Transaction& transaction) {
      for (const char* key : orders) {
        std::vector<SortKey> keys;
        if (*key != 0) keys.push_back({key});
        transaction.SetSortKeys(TableId(1), keys);
      }
    });
  };
  EXPECT_NE(sort({"a"}), std::nullopt);
  EXPECT_EQ(sort({"b", "", "a"}), std::nullopt);
  EXPECT_NE(sort({""}), std::nullopt);
}

TEST_F(AlterLakeTest, NothingInTheEndIsNoSnapshot) {
  EXPECT_EQ(Alter({AddField{{}, MakeColumn("c", "int32"), false}, RenameField{{"c"}, "d"},
                   DropField{{"d"}}, RenameTable{"u"}, RenameTable{"t"}, SetTableComment{"x"},
                   SetTableComment{std::nullopt}}),
            std::nullopt);
}

TEST_F(AlterLakeTest, RowsWrittenDependOnTheChangeOnly) {
  Run(*lake_, [&](Transaction& transaction) {
    std::vector<DataFile> files;
    for (int i = 0; i < 500; ++i) files.push_back(MakeFile(std::to_string(i) + ".parquet", 1));
    transaction.AddDataFiles(TableId(1), std::move(files));
  });
  Alter({AddField{{}, MakeColumn("c", "int32"), false}, DropField{{"a"}}});
  EXPECT_THAT(Columns(), ElementsAre("1|1|3|a|int32", "2|1|-|b|int32", "3|3|-|c|int32"));
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_data_file WHERE begin_snapshot = 3 OR "
                    "end_snapshot IS NOT NULL"),
              ElementsAre("0"));
}

TEST_F(AlterLakeTest, AnIdThatAFileMayHoldIsNeverFreeAgain) {
  Run(*lake_, [&](Transaction& transaction) {
    transaction.AlterTable(TableId(1), AddField{{}, MakeColumn("c", "int32"), false});
    transaction.AddDataFiles(TableId(1),
                             {MakeFile("f.parquet", 1, {MakeStats(3, 1, 0, "7", "7")})});
    transaction.AlterTable(TableId(1), DropField{{"c"}});
  });
  EXPECT_THAT(Columns(), ElementsAre("1|1|-|a|int32", "2|1|-|b|int32", "3|2|2|c|int32"));
  EXPECT_THAT(Query("SELECT column_id FROM ducklake_file_column_stats"), IsEmpty());
  Alter({AddField{{}, MakeColumn("c", "int32"), false}});
  EXPECT_EQ(Columns().back(), "4|3|-|c|int32");
  EXPECT_EQ(OpenLake()->Begin({}, {})->view()->FindTable("main", "t")->next_field_id, FieldId(5));
}

}  // namespace
}  // namespace tarn::test
