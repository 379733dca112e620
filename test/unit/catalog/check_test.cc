// A sound lake has no findings; each kind of damage has its own, and the sentence names what is
// damaged.
#include "catalog/check.h"

#include <fstream>

#include <gmock/gmock.h>

#include "tarn/error.h"
#include "unit/catalog/check_fixture.h"

namespace tarn::test {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(CheckTest, DeleteFilesAndTheirDataFiles) {
  Sql("UPDATE ducklake_data_file SET end_snapshot = 5 WHERE data_file_id = 11");
  CheckReport report = Check();
  EXPECT_TRUE(report.clean()) << "the reference leaves it so";
  EXPECT_THAT(report.findings, Contains(Field(&CheckFinding::what,
                                              HasSubstr("alive though its data file has ended"))));
  Sql("UPDATE ducklake_delete_file SET format = 'puffin', partial_max = 4, end_snapshot = 5");
  ExpectErrors({"is a deletion vector, but should tell rows of several snapshots"});
}

TEST_F(CheckTest, ASoundLakeIsClean) {
  CheckReport report = Check();
  EXPECT_TRUE(report.clean());
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.snapshots, 6);
  EXPECT_EQ(report.tables, 1);
  EXPECT_EQ(report.data_files, 2);
  EXPECT_EQ(report.delete_files, 1);
  EXPECT_EQ(report.rows, 5 - 1 + 7 - 2 + 1);
  EXPECT_FALSE(connection_->in_transaction());
}

TEST_F(CheckTest, NoSnapshot) {
  Sql("DELETE FROM ducklake_snapshot");
  EXPECT_THAT(Check().findings, Contains(Field(&CheckFinding::what, HasSubstr("no snapshot"))));
}

// Each damage and what is said of it. Names of tests would only repeat the sentences.
struct Damage {
  const char* sql;
  std::vector<std::string> found;
};

TEST_F(CheckTest, EachDamageHasItsFinding) {
  const std::vector<Damage> damages = {
      // Snapshots.
      {"UPDATE ducklake_snapshot SET snapshot_time = '2001-01-01 00:00:00+00' WHERE snapshot_id = "
       "3",
       {"Snapshot 3 is older than snapshot 2"}},
      {"UPDATE ducklake_snapshot SET schema_version = 0 WHERE snapshot_id = 3",
       {"schema version goes back from snapshot 2 to 3"}},
      {"UPDATE ducklake_snapshot SET next_file_id = 90 WHERE snapshot_id = 3",
       {"counter of ids goes back from snapshot 2 to 3"}},
      {"DELETE FROM ducklake_snapshot_changes WHERE snapshot_id = 3",
       {"Snapshot 3 has no row of changes"}},
      {"INSERT INTO ducklake_snapshot_changes VALUES (77, 'inserted_into_table:1', NULL, NULL, "
       "NULL)",
       {"changes of snapshot 77, but no such snapshot"}},
      {"UPDATE ducklake_snapshot_changes SET changes_made = 'juggled:1' WHERE snapshot_id = 3",
       {"it did \"juggled:1\", which is no change"}},
      {"UPDATE ducklake_snapshot_changes SET changes_made = 'altered_table:500' WHERE snapshot_id "
       "= 3",
       {"\"altered_table:500\", an id that was never given out"}},
      {"INSERT INTO ducklake_schema_versions VALUES (9, 2, 1)",
       {"Schema version 2 of snapshot 9 is newer than the newest snapshot"}},
      // Options.
      {"UPDATE ducklake_metadata SET value = '0.9' WHERE \"key\" = 'version'",
       {"version \"0.9\" where 1.0 belongs"}},
      {"UPDATE ducklake_metadata SET value = 'data' WHERE \"key\" = 'data_path'",
       {"data path \"data\" does not end in a slash"}},
      {"INSERT INTO ducklake_metadata VALUES ('version', '1.0', NULL, NULL)",
       {"The option \"version\" is set 2 times"}},
      // Objects.
      {"UPDATE ducklake_table SET begin_snapshot = 9",
       {"Table \"main\".\"t\" begins at snapshot 9", "is alive when its table is not",
        "is alive when its table is not", "is alive when its table is not",
        "is alive when its table is not", "is alive when its table is not"}},
      {"UPDATE ducklake_schema SET end_snapshot = 4",
       {"Table \"main\".\"t\" is alive when its schema \"main\" is not"}},
      {"UPDATE ducklake_table SET schema_id = 50",
       {"Table \"t\" belongs to a schema that does not exist (50)"}},
      {"INSERT INTO ducklake_table VALUES (1, 'u', 3, NULL, 0, 'other', 't/', 1)",
       {"Two rows of table \"main\".\"other\" are alive at snapshot 3"}},
      {"INSERT INTO ducklake_view VALUES (1, 'u', 3, NULL, 0, 'v', 'duckdb', 'SELECT 1', '')",
       {"The id 1 belongs to both table \"main\".\"t\" and view \"main\".\"v\""}},
      {"INSERT INTO ducklake_view VALUES (5, 'u', 3, NULL, 0, 'T', 'duckdb', 'SELECT 1', '')",
       {"have one name at snapshot 3"}},
      {"INSERT INTO ducklake_view VALUES (500, 'u', 3, NULL, 0, 'v', 'duckdb', 'SELECT 1', '')",
       {"View \"main\".\"v\" has the id 500, but the newest snapshot would give out 100"}},
      {"INSERT INTO ducklake_view VALUES (5, 'u', 3, 3, 0, 'v', 'duckdb', 'SELECT 1', '')",
       {"View \"main\".\"v\" ends at snapshot 3, not after it begins"}},
      {"INSERT INTO ducklake_macro VALUES (0, 5, 'm', 3, NULL)",
       {"Macro \"main\".\"m\" has no implementation"}},
      {"INSERT INTO ducklake_table VALUES (5, 'u', 3, NULL, 0, 'empty', 'e/', 1)",
       {"Table \"main\".\"empty\" has no columns"}},
      // Columns.
      {"UPDATE ducklake_column SET column_type = 'int65' WHERE column_id = 1",
       {"has the type \"int65\""}},
      {"UPDATE ducklake_column SET column_name = 'S' WHERE column_id = 1",
       {"have one name at snapshot 1", "lack the column \"S\""}},
      {"UPDATE ducklake_column SET parent_column = 40 WHERE column_id = 3",
       {"lies in a column that does not exist (40)", "is a struct with 0 children"}},
      {"UPDATE ducklake_column SET end_snapshot = 3 WHERE column_id = 2",
       {"alive when the column that it lies in (2) is not"}},
      {"UPDATE ducklake_column SET column_type = 'list' WHERE column_id = 1",
       {"Column \"a\" (id 1) of table \"main\".\"t\" is a list with 0 children"}},
      {"INSERT INTO ducklake_column (column_id, begin_snapshot, table_id, column_order, "
       "column_name, column_type) VALUES (1, 2, 77, 1, 'z', 'int32')",
       {"columns of a table that does not exist (77)"}},
      {"INSERT INTO ducklake_column (column_id, begin_snapshot, table_id, column_order, "
       "column_name, column_type) VALUES (1, 3, 1, 1, 'a', 'int64')",
       {"Two rows of Column \"a\" (id 1) of table \"main\".\"t\" are alive at snapshot 3"}},
      // Specs and tags.
      {"INSERT INTO ducklake_partition_info VALUES (5, 1, 2, NULL), (6, 1, 3, NULL)",
       {"are both alive at snapshot 3"}},
      {"INSERT INTO ducklake_partition_column VALUES (5, 1, 0, 1, 'identity')",
       {"partition spec that does not exist (5)"}},
      {"INSERT INTO ducklake_sort_expression VALUES (5, 1, 0, 'a', 'duckdb', 'ASC', 'NULLS_LAST')",
       {"sort order that does not exist (5)"}},
      {"INSERT INTO ducklake_tag VALUES (44, 2, NULL, 'comment', 'x')",
       {"The tag \"comment\" of object 44 has no owner"}},
      {"INSERT INTO ducklake_column_tag VALUES (1, 44, 2, NULL, 'comment', 'x')",
       {"The tag \"comment\" of column 44 of table \"main\".\"t\" has no owner"}},
      {"INSERT INTO ducklake_tag VALUES (1, 2, NULL, 'comment', 'x'), (1, 3, NULL, 'comment', 'y')",
       {"has two values at snapshot 3"}},
      // Data files.
      {"UPDATE ducklake_data_file SET file_size_bytes = 5 WHERE data_file_id = 10",
       {"Data file 10 (\"f10.parquet\") of table \"main\".\"t\" should have 5 bytes"}},
      {"UPDATE ducklake_data_file SET path = 'gone.parquet' WHERE data_file_id = 10",
       {"there is no file \"data/main/t/gone.parquet\""}},
      {"UPDATE ducklake_data_file SET begin_snapshot = 8 WHERE data_file_id = 10",
       {"begins at snapshot 8", "outside of its life"}},
      {"UPDATE ducklake_data_file SET end_snapshot = 1 WHERE data_file_id = 10",
       {"ends at snapshot 1, not after it begins"}},
      {"UPDATE ducklake_data_file SET partial_max = 9 WHERE data_file_id = 10",
       {"holds rows up to snapshot 9"}},
      {"UPDATE ducklake_data_file SET mapping_id = 30 WHERE data_file_id = 10",
       {"read by the name mapping 30, which does not exist"}},
      {"UPDATE ducklake_data_file SET partition_id = 30 WHERE data_file_id = 10",
       {"written under a partition spec that does not exist (30)"}},
      {"INSERT INTO ducklake_file_partition_value VALUES (10, 1, 0, 'x')",
       {"has partition values but no partition spec"}},
      {"INSERT INTO ducklake_file_partition_value VALUES (99, 1, 0, 'x')",
       {"partition values of a data file that does not exist (99)"}},
      {"UPDATE ducklake_snapshot SET next_file_id = 11",
       {"has the id 11, but the newest snapshot would give out 11",
        "has the id 20, but the newest snapshot would give out 11"}},
      {"UPDATE ducklake_data_file SET file_format = 'orc' WHERE data_file_id = 10",
       {"has the format \"orc\""}},
      {"INSERT INTO ducklake_files_scheduled_for_deletion VALUES (10, 'main/t/f10.parquet', 1, "
       "'2020-01-01 00:00:00+00')",
       {"is scheduled for deletion, but the catalog still uses it"}},
      // Delete files.
      {"UPDATE ducklake_delete_file SET data_file_id = 99",
       {"is for a data file that does not exist (99)"}},
      {"UPDATE ducklake_delete_file SET delete_count = 8", {"has 7 rows, but 8 are deleted"}},
      {"UPDATE ducklake_delete_file SET begin_snapshot = 1", {"begins before its data file does"}},
      {"UPDATE ducklake_delete_file SET format = 'avro'",
       {"Delete file 20 (\"d20.parquet\") of table \"main\".\"t\" has the format \"avro\""}},
      {"INSERT INTO ducklake_delete_file SELECT 21, table_id, 4, NULL, data_file_id, path, 1, "
       "format, 1, 10, 5, NULL, NULL FROM ducklake_delete_file",
       {"has two live delete files (20 and 21) at snapshot 4"}},
      {"INSERT INTO ducklake_inlined_delete_1 VALUES (10, 4, 5)",
       {"A row of data file 10 (\"f10.parquet\") of table \"main\".\"t\" is deleted twice"}},
      {"INSERT INTO ducklake_inlined_delete_1 VALUES (10, 5, 5)",
       {"Inlined deletes name row 5 of data file 10"}},
      {"INSERT INTO ducklake_inlined_delete_1 VALUES (100, 0, 5)",
       {"name a data file that does not exist (100)"}},
      // Statistics.
      {"INSERT INTO ducklake_file_column_stats VALUES (99, 1, 1, 1, 1, 0, NULL, NULL, NULL, NULL)",
       {"statistics of a data file that does not exist (99)"}},
      {"INSERT INTO ducklake_file_column_stats VALUES (10, 1, 9, 1, 5, 0, NULL, NULL, NULL, NULL)",
       {"are of a column that the table never had"}},
      {"INSERT INTO ducklake_file_column_stats SELECT * FROM ducklake_file_column_stats WHERE "
       "data_file_id = 10",
       {"are there twice"}},
      {"INSERT INTO ducklake_file_variant_stats VALUES (99, 1, 1, 'root', 'int64', 1, 5, 0, NULL, "
       "NULL, NULL, NULL)",
       {"statistics of fields in a data file that does not exist (99)"}},
      {"INSERT INTO ducklake_file_variant_stats VALUES (10, 1, 9, 'root', 'int64', 1, 5, 0, NULL, "
       "NULL, NULL, NULL)",
       {"field root of column 9 in data file 10 (\"f10.parquet\") of table \"main\".\"t\" are of a "
        "column that the table never had"}},
      {"INSERT INTO ducklake_file_variant_stats VALUES (10, 2, 1, 'root', 'int64', 1, 5, 0, NULL, "
       "NULL, NULL, NULL)",
       {"name another table (2)"}},
      {"INSERT INTO ducklake_file_variant_stats SELECT 10, 1, 1, 'root', 'int64', 1, 5, 0, NULL, "
       "NULL, NULL, NULL FROM ducklake_data_file",
       {"The statistics of the field root of column 1 in data file 10 (\"f10.parquet\") of table "
        "\"main\".\"t\" are there twice"}},
      {"UPDATE ducklake_file_column_stats SET value_count = 4 WHERE data_file_id = 10",
       {"count 4 values and 0 NULLs, the file has 5 rows"}},
      {"UPDATE ducklake_file_column_stats SET min_value = '8' WHERE data_file_id = 10",
       {"a minimum (\"8\") above the maximum (\"5\")"}},
      {"UPDATE ducklake_file_column_stats SET min_value = 'eight' WHERE data_file_id = 10",
       {"which are no values of int64"}},
      {"UPDATE ducklake_table_column_stats SET min_value = '2'",
       {"The minimum of column 1 in the statistics of table \"main\".\"t\" (\"2\") does not cover "
        "data file 10"}},
      {"UPDATE ducklake_table_column_stats SET max_value = '9'", {"The maximum of column 1"}},
      {"UPDATE ducklake_table_column_stats SET contains_null = 0",
       {"say that column 1 has no NULLs, but data file 11"}},
      {"UPDATE ducklake_table_column_stats SET column_id = 9",
       {"has statistics of column 9, which it never had"}},
      {"DELETE FROM ducklake_table_stats",
       {"has data files but no statistics", "has inlined rows but no statistics"}},
      {"INSERT INTO ducklake_table_stats VALUES (1, 1, 14, 1)", {"has two rows of statistics"}},
      {"INSERT INTO ducklake_table_stats VALUES (77, 1, 1, 1)",
       {"statistics of a table that does not exist (77)"}},
      // Inlined rows.
      {"DROP TABLE ducklake_inlined_data_1_1",
       {"should be in \"ducklake_inlined_data_1_1\", but there is no such table"}},
      {"UPDATE ducklake_inlined_data_1_1 SET row_id = 14 WHERE row_id = 13",
       {"have row ids up to 14, but the table would give out 14 next"}},
      {"UPDATE ducklake_inlined_data_1_1 SET end_snapshot = 4 WHERE row_id = 13",
       {"end before they begin (1 of them)"}},
      {"UPDATE ducklake_inlined_data_1_1 SET begin_snapshot = 9 WHERE row_id = 12",
       {"begin or end at snapshot 9"}},
      {"INSERT INTO ducklake_inlined_data_1_1 VALUES (12, 5, NULL, 3, NULL)",
       {"The row 12 of table \"main\".\"t\" is alive twice"}},
      {"ALTER TABLE ducklake_inlined_data_1_1 RENAME COLUMN a TO b", {"lack the column \"a\""}},
      {"ALTER TABLE ducklake_inlined_data_1_1 RENAME COLUMN row_id TO r",
       {"cannot be read: it lacks"}},
      {"ALTER TABLE ducklake_inlined_data_1_1 RENAME COLUMN end_snapshot TO e",
       {"cannot be read: it lacks"}},
      {"UPDATE ducklake_inlined_data_1_1 SET row_id = NULL WHERE row_id = 12",
       {"have no row id (1 of them)"}},
      {"UPDATE ducklake_inlined_data_1_1 SET begin_snapshot = NULL WHERE row_id = 12",
       {"do not say since when they are there"}},
      {"INSERT INTO ducklake_inlined_delete_1 VALUES (10, NULL, 5)",
       {"Inlined deletes of data file 10 (\"f10.parquet\") of table \"main\".\"t\" do not say of "
        "which row, or since when"}},
      {"INSERT INTO ducklake_inlined_data_tables VALUES (1, 'ducklake_inlined_data_1_1', 1)",
       {"is registered twice"}},
  };
  // Each damage is undone by the file as it was.
  std::string catalog = (folder_ / "lake.db").string();
  connection_.reset();
  store_.reset();
  std::string sound = (folder_ / "sound.db").string();
  std::filesystem::copy_file(catalog, sound);
  ASSERT_FALSE(std::filesystem::exists(catalog + "-wal")) << "the copy would be incomplete";
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.sql);
    std::filesystem::copy_file(sound, catalog, std::filesystem::copy_options::overwrite_existing);
    StoreOptions options;
    options.location = catalog;
    store_ = OpenSqliteStore(options);
    connection_ = store_->Connect();
    Sql(damage.sql);
    ExpectErrors(damage.found);
    connection_.reset();
    store_.reset();
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(catalog + suffix);
  }
}

TEST_F(CheckTest, OverlappingRowIds) {
  AddDataFile(12, 5, 9);
  files_.sizes["data/main/t/f12.parquet"] = 1012;
  // Its footer cannot be read, so it may carry its own row ids: nothing is said.
  EXPECT_TRUE(Check().clean());
}

TEST_F(CheckTest, UnreferencedFilesAreWorthKnowing) {
  files_.sizes["data/main/t/orphan.parquet"] = 3;
  files_.sizes["data/main/t/old.puffin"] = 3;
  files_.sizes["data/main/t/notes.txt"] = 3;
  files_.sizes["elsewhere/x.parquet"] = 3;
  Add("ducklake_files_scheduled_for_deletion", {{"data_file_id", I(1)},
                                                {"path", T("main/t/old.puffin")},
                                                {"path_is_relative", true},
                                                {"schedule_start", T("2026-01-01 00:00:00+00")}});
  CheckReport report = Check();
  EXPECT_TRUE(report.clean()) << "the lake is whole";
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].what, HasSubstr("orphan.parquet"));
}

TEST_F(CheckTest, OneFileRegisteredTwiceIsWorthKnowing) {
  AddDataFile(12, 2, 100, {{"path", T("./f10.parquet")}, {"file_size_bytes", I(1010)}});
  files_.sizes["data/main/t/./f10.parquet"] = 1010;
  files_.sizes.erase("data/main/t/f12.parquet");
  Sql("UPDATE ducklake_table_stats SET next_row_id = 200");
  CheckReport report = Check();
  EXPECT_TRUE(report.clean());
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].what, HasSubstr("is the same physical file as data file 10"));
}

// The reference's expiry leaves them behind.
TEST_F(CheckTest, InlinedDeletesOfFilesThatAreGoneAreWorthKnowing) {
  Sql("INSERT INTO ducklake_inlined_delete_1 VALUES (9, 0, 5)");
  const CheckReport report = Check();
  EXPECT_TRUE(report.clean());
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].what,
            "Inlined deletes of table \"main\".\"t\" are left of a data file "
            "that is gone (9).");
}

// With real files
// ------------------------------------------------------------------------------------------------------------

TEST_F(DeepCheckTest, ASoundFileIsClean) {
  double last = 0;
  CheckOptions options;
  options.progress = [&](double fraction) { last = fraction; };
  EXPECT_THAT(DeepCheck(options).findings, IsEmpty());
  EXPECT_EQ(last, 1.0);
}

TEST_F(DeepCheckTest, RowsThatAreNotThere) {
  Sql("UPDATE ducklake_data_file SET record_count = 4999");
  Sql("UPDATE ducklake_file_column_stats SET value_count = 4999 WHERE column_id = 1");
  ExpectDeepError("the catalog says it has 4999 rows, it has 5000");
}

TEST_F(DeepCheckTest, AnotherFooterSize) {
  Sql("UPDATE ducklake_data_file SET footer_size = 7");
  ExpectDeepError("its footer has 7 bytes");
}

TEST_F(DeepCheckTest, BoundsThatLeaveRowsOut) {
  Sql("UPDATE ducklake_file_column_stats SET max_value = '98' WHERE column_id = 1");
  ExpectDeepError("the maximum of column 1 is \"98\" in the catalog and \"99\" in its footer");
}

TEST_F(DeepCheckTest, NullsThatAreNotCounted) {
  Sql("UPDATE ducklake_file_column_stats SET null_count = 0 WHERE column_id = 3");
  ExpectDeepError("counts 0 NULLs in column 3, its footer 500");
}

TEST_F(DeepCheckTest, ColumnsThatNobodyKnows) {
  Sql("DELETE FROM ducklake_column WHERE column_id = 4");
  ExpectDeepError("its column \"y\" has the field id 4, which the table never had");
}

TEST_F(DeepCheckTest, AFileThatIsNoParquet) {
  std::string bytes(std::filesystem::file_size(folder_ / "main" / "t" / "n.parquet"), 'x');
  std::ofstream(folder_ / "main" / "t" / "n.parquet", std::ios::binary) << bytes;
  ExpectDeepError("is not a sound Parquet file");
}

TEST_F(DeepCheckTest, OverlappingRowIdsAreFoundWhereFilesCarryNone) {
  std::filesystem::copy_file(TARN_TEST_FILES "nested.parquet",
                             folder_ / "main" / "t" / "o.parquet");
  Sql("INSERT INTO ducklake_data_file SELECT 11, table_id, begin_snapshot, end_snapshot, "
      "file_order, 'o.parquet', 1, file_format,"
      " record_count, file_size_bytes, footer_size, 4999, NULL, NULL, NULL, NULL FROM "
      "ducklake_data_file");
  CheckReport report = DeepCheck();
  EXPECT_THAT(report.findings,
              Contains(Field(&CheckFinding::what,
                             HasSubstr("have row ids in common (from 0 and from 4999)"))));
  EXPECT_THAT(
      report.findings,
      Contains(Field(&CheckFinding::what,
                     HasSubstr("has row ids up to 9998, but the table would give out 5000"))));
}

TEST_F(DeepCheckTest, WhoCanReadParquetIsAsked) {
  CheckOptions options;
  options.inspect_file = [](const std::string& path, const DataFile& file, const Table& table) {
    EXPECT_TRUE(path.ends_with("main/t/n.parquet"));
    EXPECT_EQ(file.record_count, 5000);
    EXPECT_EQ(table.columns.size(), 4u);
    return std::vector<CheckFinding>{{true, "its rows are wrong."}};
  };
  CheckReport report = DeepCheck(options);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].what,
              HasSubstr("(\"n.parquet\") of table \"main\".\"t\": its rows are wrong."));
}

TEST_F(DeepCheckTest, DeleteFiles) {
  // A deletion vector of three positions, as the reference writes it.
  const char vector[] =
      "\x00\x00\x00\x26\xd1\xd3\x39\x64\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x3a\x30\x00"
      "\x00\x01\x00\x00\x00\x00\x00\x02"
      "\x00\x10\x00\x00\x00\x01\x00\x03\x00\x04\x00\x43\x85\x6c\x78";
  std::ofstream(folder_ / "main" / "t" / "d.puffin", std::ios::binary)
      .write(vector, sizeof(vector) - 1);
  AddDeleteFile(20, 1, 10, 3, 3,
                {{"path", T("d.puffin")},
                 {"format", T("puffin")},
                 {"file_size_bytes", I(sizeof(vector) - 1)},
                 {"footer_size", I(0)}});
  EXPECT_THAT(DeepCheck().findings, IsEmpty());
  Sql("UPDATE ducklake_delete_file SET delete_count = 4");
  CheckReport report = DeepCheck();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].what,
              HasSubstr("Delete file 20 (\"d.puffin\") of table \"main\".\"t\": the catalog says "
                        "it deletes 4 rows, it names 3"));
}

}  // namespace
}  // namespace tarn::test
