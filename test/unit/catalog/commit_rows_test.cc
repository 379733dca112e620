// The rows that commits leave in the catalog, column by column as the reference client writes them.
#include "gmock/gmock.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CommitRowsTest : public LakeTest {};

TEST_F(CommitRowsTest, NewLakeHoldsSnapshotZeroAndSchemaMain) {
  auto lake = OpenLake();
  EXPECT_THAT(Query("SELECT snapshot_id, schema_version, next_catalog_id, next_file_id FROM "
                    "ducklake_snapshot"),
              ElementsAre("0|0|1|0"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_snapshot_changes"),
              ElementsAre("0|created_schema:\"main\"|-|-|-"));
  EXPECT_THAT(Query("SELECT schema_id, begin_snapshot, end_snapshot, schema_name, path, "
                    "path_is_relative FROM ducklake_schema"),
              ElementsAre("0|0|-|main|main/|1"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_metadata"),
              ElementsAre("version|1.0|-|-", "created_by|Tarn 0.1.0|-|-",
                          "data_path|" + Path("data") + "/|-|-", "encrypted|false|-|-"));
  EXPECT_THAT(Query("SELECT count(*) FROM sqlite_master WHERE type = 'table'"), ElementsAre("28"));
}

TEST_F(CommitRowsTest, TableWithNestedColumnsIsNumberedDepthFirst) {
  auto lake = OpenLake();
  Column with_default = MakeColumn("d", "decimal(10,2)");
  with_default.initial_default = "1.50";
  with_default.default_value = "1.5";
  with_default.default_value_type = "literal";
  Column required = MakeColumn("v", "varchar");
  required.nulls_allowed = false;
  auto snapshot = Run(*lake, [&](Transaction& transaction) {
    transaction.CreateTable(
        {"main",
         "t",
         {MakeColumn("i", "int32"),
          MakeColumn("s", "struct",
                     {MakeColumn("a", "int32"),
                      MakeColumn("b", "list", {MakeColumn("element", "varchar")})}),
          with_default, required}});
  });
  EXPECT_EQ(snapshot, SnapshotId(1));
  EXPECT_THAT(Query("SELECT * FROM ducklake_column"),
              ElementsAre("1|1|-|1|1|i|int32|-|NULL|1|-|literal|duckdb",
                          "2|1|-|1|2|s|struct|-|NULL|1|-||duckdb",
                          "3|1|-|1|3|a|int32|-|NULL|1|2|literal|duckdb",
                          "4|1|-|1|4|b|list|-|NULL|1|2||duckdb",
                          "5|1|-|1|5|element|varchar|-|NULL|1|4|literal|duckdb",
                          "6|1|-|1|6|d|decimal(10,2)|1.50|1.5|1|-|literal|duckdb",
                          "7|1|-|1|7|v|varchar|-|NULL|0|-|literal|duckdb"));
  EXPECT_THAT(Query("SELECT table_id, begin_snapshot, end_snapshot, schema_id, table_name, path, "
                    "path_is_relative FROM ducklake_table"),
              ElementsAre("1|1|-|0|t|t/|1"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_schema_versions"), ElementsAre("1|1|1"));
  EXPECT_THAT(Query("SELECT snapshot_id, schema_version, next_catalog_id, next_file_id FROM "
                    "ducklake_snapshot"),
              ElementsAre("0|0|1|0", "1|1|2|0"));
  EXPECT_THAT(
      Query("SELECT changes_made, author FROM ducklake_snapshot_changes WHERE snapshot_id = 1"),
      ElementsAre("created_table:\"main\".\"t\"|-"));
}

TEST_F(CommitRowsTest, FirstInsertMakesStatisticsAndLaterOnesWiden) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) { AddTable(transaction, "t"); });
  Run(*lake, [](Transaction& transaction) {
    Insert(
        transaction, "t",
        {MakeFile("a.parquet", 2, {MakeStats(1, 2, 0, "9", "10"), MakeStats(2, 1, 1, "b", "b")})});
  });
  EXPECT_THAT(Query("SELECT * FROM ducklake_data_file"),
              ElementsAre("0|1|2|-|-|a.parquet|1|parquet|2|200|50|0|-|-|-|-"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_file_column_stats"),
              ElementsAre("0|1|1|10|2|0|9|10|-|-", "0|1|2|10|1|1|b|b|-|-"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_table_stats"), ElementsAre("1|2|2|200"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_table_column_stats"),
              ElementsAre("1|1|0|-|9|10|-", "1|2|1|-|b|b|-"));
  Run(*lake, [](Transaction& transaction) {
    Insert(
        transaction, "t",
        {MakeFile("b.parquet", 1, {MakeStats(1, 0, 1), MakeStats(2, 1, 0, "c", "c")}),
         MakeFile("c.parquet", 3, {MakeStats(1, 3, 0, "-7", "8"), MakeStats(2, 3, 0, "b", "bb")})});
  });
  EXPECT_THAT(Query("SELECT data_file_id, begin_snapshot, row_id_start FROM ducklake_data_file"),
              ElementsAre("0|2|0", "1|3|2", "2|3|3"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_table_stats"), ElementsAre("1|6|6|600"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_table_column_stats"),
              ElementsAre("1|1|1|-|-7|10|-", "1|2|1|-|b|c|-"));
  EXPECT_THAT(Query("SELECT snapshot_id, schema_version, next_catalog_id, next_file_id FROM "
                    "ducklake_snapshot WHERE snapshot_id > 0"),
              ElementsAre("1|1|2|0", "2|1|2|1", "3|1|2|3"));
  EXPECT_THAT(Query("SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id > 1"),
              ElementsAre("inserted_into_table:1", "inserted_into_table:1"));
}

TEST_F(CommitRowsTest, FieldsOfVariantsHaveRowsAndMergeIntoTheTables) {
  auto lake = OpenLake();
  const auto stats = [](std::string json) {
    ColumnStats column = MakeStats(1, 5, 0);
    column.extra_stats = std::move(json);
    return column;
  };
  const std::string first =
      R"([{"field_name":"\"b\".element","shredded_type":"float64","null_count":0,"min":"1.0",)"
      R"("num_values":5,"contains_nan":true,"column_size_bytes":7,"any_valid":true},)"
      R"({"field_name":"\"a\"","shredded_type":"int64","null_count":2,"min":"9","max":"10",)"
      R"("num_values":5,"column_size_bytes":40,"any_valid":true}])";
  const std::string second =
      R"([{"field_name":"\"a\"","shredded_type":"int64","null_count":0,"min":"1","max":"2",)"
      R"("num_values":5,"column_size_bytes":40,"any_valid":true}])";
  Run(*lake, [&](Transaction& transaction) {
    transaction.CreateTable({"main", "t", {MakeColumn("v", "variant")}});
    Insert(transaction, "t", {MakeFile("a.parquet", 5, {stats(first)})});
  });
  EXPECT_THAT(Query("SELECT * FROM ducklake_file_variant_stats"),
              ElementsAre(R"(0|1|1|"b".element|float64|7|5|0|1.0|-|1|-)",
                          R"(0|1|1|"a"|int64|40|3|2|9|10|-|-)"));
  EXPECT_THAT(Query("SELECT extra_stats FROM ducklake_file_column_stats"), ElementsAre(first));
  EXPECT_THAT(Query("SELECT extra_stats FROM ducklake_table_column_stats"), ElementsAre(first));

  Run(*lake, [&](Transaction& transaction) {
    Insert(transaction, "t", {MakeFile("b.parquet", 5, {stats(second)})});
  });
  EXPECT_THAT(
      Query("SELECT extra_stats FROM ducklake_table_column_stats"),
      ElementsAre(
          R"([{"field_name":"\"a\"","shredded_type":"int64","null_count":2,"min":"1","max":"10",)"
          R"("num_values":10,"column_size_bytes":80,"any_valid":true}])"));

  // Neither a text of an unknown kind nor a file without statistics leaves them standing.
  Run(*lake, [&](Transaction& transaction) {
    Insert(transaction, "t", {MakeFile("c.parquet", 5, {stats("[{}]")})});
  });
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_file_variant_stats"), ElementsAre("3"));
  EXPECT_THAT(Query("SELECT extra_stats FROM ducklake_table_column_stats"), ElementsAre("-"));
}

TEST_F(CommitRowsTest, AFileWithoutStatisticsSpoilsThoseOfFields) {
  auto lake = OpenLake();
  ColumnStats column = MakeStats(1, 5, 0);
  column.extra_stats =
      R"([{"field_name":"root","shredded_type":"int64","null_count":0,"num_values":5,)"
      R"("column_size_bytes":40,"any_valid":true}])";
  Run(*lake, [&](Transaction& transaction) {
    transaction.CreateTable({"main", "t", {MakeColumn("v", "variant")}});
    Insert(transaction, "t", {MakeFile("a.parquet", 5), MakeFile("b.parquet", 5, {column})});
  });
  EXPECT_THAT(Query("SELECT extra_stats FROM ducklake_table_column_stats"), ElementsAre("-"));
}

TEST_F(CommitRowsTest, BoundsAfterOnlyNullsAreTheNewOnesAndSpoiltOnesStayAway) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) {
    AddTable(transaction, "t");
    // Column 1: only NULLs. Column 2: NULLs, and values without bounds.
    Insert(transaction, "t", {MakeFile("a.parquet", 2, {MakeStats(1, 0, 2), MakeStats(2, 1, 1)})});
  });
  EXPECT_THAT(Query("SELECT * FROM ducklake_table_column_stats"),
              ElementsAre("1|1|1|-|-|-|-", "1|2|1|-|-|-|-"));
  Run(*lake, [](Transaction& transaction) {
    Insert(
        transaction, "t",
        {MakeFile("b.parquet", 1, {MakeStats(1, 1, 0, "5", "5"), MakeStats(2, 1, 0, "x", "x")})});
  });
  EXPECT_THAT(Query("SELECT * FROM ducklake_table_column_stats"),
              ElementsAre("1|1|1|-|5|5|-", "1|2|1|-|-|-|-"));
}

TEST_F(CommitRowsTest, WideTablesWidenInOneStatement) {
  auto lake = OpenLake();
  constexpr int kColumns = 250;
  auto file = [](const std::string& path, const std::string& value) {
    std::vector<ColumnStats> stats;
    for (int i = 1; i <= kColumns; ++i) stats.push_back(MakeStats(i, 1, 0, value, value));
    return MakeFile(path, 1, std::move(stats));
  };
  Run(*lake, [&](Transaction& transaction) {
    std::vector<Column> columns;
    for (int i = 1; i <= kColumns; ++i)
      columns.push_back(MakeColumn("c" + std::to_string(i), "int64"));
    transaction.CreateTable({"main", "wide", columns});
    Insert(transaction, "wide", {file("a.parquet", "3")});
  });
  Run(*lake,
      [&](Transaction& transaction) { Insert(transaction, "wide", {file("b.parquet", "20")}); });
  EXPECT_THAT(
      Query("SELECT DISTINCT contains_null, min_value, max_value FROM ducklake_table_column_stats"),
      ElementsAre("0|3|20"));
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_table_column_stats"),
              ElementsAre(std::to_string(kColumns)));
}

TEST_F(CommitRowsTest, DropEndsAllLiveRowsOfATable) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) {
    AddTable(transaction, "t");
    Insert(transaction, "t", {MakeFile("a.parquet", 2)});
  });
  Run(*lake, [](Transaction& transaction) {
    transaction.DropTable(transaction.view()->FindTable("main", "t")->ref);
  });
  EXPECT_THAT(Query("SELECT end_snapshot FROM ducklake_table"), ElementsAre("2"));
  EXPECT_THAT(Query("SELECT end_snapshot FROM ducklake_column"), ElementsAre("2", "2"));
  EXPECT_THAT(Query("SELECT end_snapshot FROM ducklake_data_file"), ElementsAre("2"));
  EXPECT_THAT(Query("SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = 2"),
              ElementsAre("dropped_table:1"));
  EXPECT_THAT(Query("SELECT schema_version, next_catalog_id, next_file_id FROM ducklake_snapshot "
                    "WHERE snapshot_id = 2"),
              ElementsAre("2|2|1"));
}

TEST_F(CommitRowsTest, DropAndCreateOfOneNameIsAnotherTable) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) { AddTable(transaction, "t"); });
  Run(*lake, [](Transaction& transaction) {
    transaction.DropTable(transaction.view()->FindTable("main", "T")->ref);
    AddTable(transaction, "T");
    transaction.CreateTable({"main", "gone", {MakeColumn("x", "int8")}});
    transaction.DropTable(transaction.view()->FindTable("main", "gone")->ref);
  });
  EXPECT_THAT(
      Query("SELECT table_id, begin_snapshot, end_snapshot, table_name FROM ducklake_table"),
      ElementsAre("1|1|2|t", "2|2|-|T"));
  EXPECT_THAT(Query("SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = 2"),
              ElementsAre("dropped_table:1,created_table:\"main\".\"T\""));
  EXPECT_THAT(Query("SELECT next_catalog_id FROM ducklake_snapshot WHERE snapshot_id = 2"),
              ElementsAre("3"));
}

TEST_F(CommitRowsTest, WhatIsCreatedAndDroppedLeavesNoSnapshot) {
  auto lake = OpenLake();
  auto snapshot = Run(*lake, [](Transaction& transaction) {
    auto schema = transaction.CreateSchema("s");
    AddTable(transaction, "t", "s");
    Insert(transaction, "t", {MakeFile("a.parquet", 1)}, "s");
    transaction.SetCommitMessage({"me", "nothing", {}});
    transaction.DropSchema(schema->ref, true);
    EXPECT_FALSE(transaction.has_changes());
  });
  EXPECT_EQ(snapshot, std::nullopt);
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"), ElementsAre("1"));
}

TEST_F(CommitRowsTest, OneTransactionOneSnapshotWithWordsInOrder) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) {
    AddTable(transaction, "old");
    transaction.CreateView({"main", "v", "SELECT 1", ""});
  });
  Run(*lake, [](Transaction& transaction) {
    Insert(transaction, "old", {MakeFile("o.parquet", 1)});
    AddTable(transaction, "z");
    transaction.DropView(transaction.view()->FindView("main", "v")->ref);
    transaction.CreateSchema("we ird");
    AddTable(transaction, "n", "we ird");
    Insert(transaction, "n", {MakeFile("n.parquet", 1)}, "we ird");
    transaction.CreateView({"main", "a\"b", "SELECT 2", "(x)"});
    transaction.SetCommitMessage({"me", "", "{}"});
  });
  EXPECT_THAT(
      Query("SELECT * FROM ducklake_snapshot_changes WHERE snapshot_id = 2"),
      ElementsAre(
          "2|dropped_view:2,created_schema:\"we "
          "ird\",created_view:\"main\".\"a\"\"b\",created_table:\"main\".\"z\","
          "created_table:\"we ird\".\"n\",inserted_into_table:1,inserted_into_table:5|me||{}"));
  EXPECT_THAT(Query("SELECT schema_id, schema_name, path = schema_uuid || '/' FROM ducklake_schema "
                    "WHERE schema_id > 0"),
              ElementsAre("3|we ird|1"));
  EXPECT_THAT(Query("SELECT view_id, begin_snapshot, end_snapshot, schema_id, view_name, dialect, "
                    "sql, column_aliases FROM ducklake_view"),
              ElementsAre("2|1|2|0|v|duckdb|SELECT 1|", "6|2|-|0|a\"b|duckdb|SELECT 2|(x)"));
  EXPECT_THAT(Query("SELECT data_file_id, table_id, path FROM ducklake_data_file"),
              ElementsAre("0|1|o.parquet", "1|5|n.parquet"));
}

TEST_F(CommitRowsTest, OptionsMakeNoSnapshot) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) { AddTable(transaction, "t"); });
  auto set = [&](const std::string& value, OptionScope scope) {
    EXPECT_EQ(Run(*lake,
                  [&](Transaction& transaction) {
                    transaction.SetOption("target_file_size", value, scope);
                  }),
              std::nullopt);
  };
  set("1", {});
  set("2", {SchemaRef(SchemaId(0)), {}});
  set("3", {{}, TableRef(TableId(1))});
  set("4", {});
  EXPECT_THAT(Query("SELECT * FROM ducklake_metadata WHERE key = 'target_file_size'"),
              ElementsAre("target_file_size|4|-|-", "target_file_size|2|schema|0",
                          "target_file_size|3|table|1"));
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"), ElementsAre("2"));
  auto transaction = lake->Begin();
  EXPECT_EQ(transaction->options().Find("target_file_size"), "4");
  EXPECT_EQ(
      transaction->options().Find("target_file_size", SchemaRef(SchemaId(0)), TableRef(TableId(9))),
      "2");
  EXPECT_EQ(
      transaction->options().Find("target_file_size", SchemaRef(SchemaId(0)), TableRef(TableId(1))),
      "3");
}

TEST_F(CommitRowsTest, OptionsOfANewTableFollowItsId) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) {
    auto table = AddTable(transaction, "t");
    transaction.SetOption("target_file_size", "7", {{}, table->ref});
    EXPECT_EQ(transaction.options().Find("target_file_size", {}, table->ref), "7");
    auto gone = AddTable(transaction, "gone");
    transaction.SetOption("target_file_size", "8", {{}, gone->ref});
    transaction.DropTable(gone->ref);
  });
  EXPECT_THAT(Query("SELECT * FROM ducklake_metadata WHERE key = 'target_file_size'"),
              ElementsAre("target_file_size|7|table|1"));
}

TEST_F(CommitRowsTest, RollbackLeavesNothing) {
  auto lake = OpenLake();
  auto transaction = lake->Begin();
  AddTable(*transaction, "t");
  transaction->SetOption("target_file_size", "7", {});
  transaction->Rollback();
  EXPECT_FALSE(transaction->has_changes());
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"), ElementsAre("1"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_table"), IsEmpty());
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_metadata"), ElementsAre("4"));
}

TEST_F(CommitRowsTest, SnapshotTimeNeverGoesBack) {
  LakeOptions options = Options();
  auto now = std::make_shared<int64_t>(1'000'000'000'000'000);
  options.environment.now = [now] { return Timestamp(std::chrono::microseconds(*now)); };
  auto lake = Lake::Open(options);
  Run(*lake, [](Transaction& transaction) { AddTable(transaction, "a"); });
  *now -= 3'600'000'000;
  Run(*lake, [](Transaction& transaction) { AddTable(transaction, "b"); });
  EXPECT_THAT(Query("SELECT snapshot_time FROM ducklake_snapshot"),
              ElementsAre("2001-09-09 01:46:40+00", "2001-09-09 01:46:40.000001+00",
                          "2001-09-09 01:46:40.000002+00"));
}

TEST_F(CommitRowsTest, ThousandsOfFilesInOneCommit) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) {
    AddTable(transaction, "t");
    std::vector<DataFile> files;
    for (int i = 0; i < 5000; ++i) {
      std::string value = std::to_string(i);
      files.push_back(MakeFile(value + ".parquet", 10,
                               {MakeStats(1, 10, 0, value, value), MakeStats(2, 10, 0, "x", "y")}));
    }
    Insert(transaction, "t", std::move(files));
  });
  EXPECT_THAT(
      Query("SELECT count(*), max(data_file_id), max(row_id_start) FROM ducklake_data_file"),
      ElementsAre("5000|4999|49990"));
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_file_column_stats"), ElementsAre("10000"));
  EXPECT_THAT(Query("SELECT min_value, max_value FROM ducklake_table_column_stats"),
              ElementsAre("0|4999", "x|y"));
  EXPECT_THAT(Query("SELECT next_file_id FROM ducklake_snapshot WHERE snapshot_id = 1"),
              ElementsAre("5000"));
}

}  // namespace
}  // namespace tarn::test
