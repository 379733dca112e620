// A sound lake has no findings; each kind of damage has its own, and the sentence names what is
// damaged.
#include "catalog/check.h"

#include <fstream>

#include <gmock/gmock.h>

#include "tarn/error.h"
#include "unit/catalog/catalog_fixture.h"

namespace tarn {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

/// Files that exist only by their sizes.
class SizesOnly final : public FileSystem {
 public:
  std::map<std::string, int64_t> sizes;
  std::optional<FileInfo> Stat(const std::string& path) override {
    auto found = sizes.find(path);
    return found == sizes.end() ? std::nullopt : std::optional(FileInfo{path, found->second, {}});
  }
  std::unique_ptr<RandomAccessFile> Open(const std::string& path) override {
    throw Error(ErrorCode::kUnavailable, "cannot open " + path);
  }
  void CreateDirectories(const std::string&) override {}
  bool Remove(const std::string&) override { return false; }
  void List(const std::string& folder, const std::function<void(const FileInfo&)>& visit) override {
    for (const auto& [path, size] : sizes) {
      if (path.starts_with(folder)) visit({path, size, {}});
    }
  }
};

class CheckTest : public test::CatalogFixture {
 protected:
  // Schema main with table t (id 1) of two columns; data files 10 (5 rows), 11 (7 rows, deletes in
  // file 20) and inlined rows.
  void SetUp() override {
    CatalogFixture::SetUp();
    Write([this] { Fill(); });
  }
  void Fill() {
    for (auto [key, value] :
         {std::pair{"version", "1.0"}, {"data_path", "data/"}, {"encrypted", "false"}}) {
      Add("ducklake_metadata", {{"key", T(key)}, {"value", T(value)}});
    }
    for (int64_t id = 0; id <= 5; ++id) {
      AddSnapshot(id, id == 0 ? 0 : 1);
      Add("ducklake_snapshot_changes", {{"snapshot_id", I(id)},
                                        {"changes_made", T(id == 1 ? "created_table:\"main\".\"t\""
                                                                   : "inserted_into_table:1")}});
    }
    Add("ducklake_schema", {{"schema_id", I(0)},
                            {"begin_snapshot", I(0)},
                            {"schema_name", T("main")},
                            {"path", T("main/")},
                            {"path_is_relative", true}});
    AddTableRow(1, "t");
    AddColumn(1, 1, "a", "int64", 1);
    AddColumn(1, 2, "s", "struct", 1);
    AddColumn(1, 3, "x", "varchar", 1, {}, {{"parent_column", I(2)}});
    Add("ducklake_schema_versions",
        {{"begin_snapshot", I(1)}, {"schema_version", I(1)}, {"table_id", I(1)}});
    AddDataFile(10, 5, 0);
    AddDataFile(11, 7, 5);
    AddDeleteFile(20, 1, 11, 3, 2);
    AddFileStats(10, 1, 1, T("1"), T("5"), 5);
    AddFileStats(11, 1, 1, T("6"), T("10"), 6, 1);
    AddFileStats(11, 1, 3, T("p"), T("q"), 6, 1);
    Add("ducklake_table_stats", {{"table_id", I(1)},
                                 {"record_count", I(14)},
                                 {"next_row_id", I(14)},
                                 {"file_size_bytes", I(2021)}});
    Add("ducklake_table_column_stats", {{"table_id", I(1)},
                                        {"column_id", I(1)},
                                        {"contains_null", true},
                                        {"min_value", T("1")},
                                        {"max_value", T("10")}});
    Add("ducklake_inlined_data_tables", {{"table_id", I(1)},
                                         {"table_name", T("ducklake_inlined_data_1_1")},
                                         {"schema_version", I(1)}});
    Sql("CREATE TABLE ducklake_inlined_data_1_1 (row_id BIGINT, begin_snapshot BIGINT, "
        "end_snapshot BIGINT, a BIGINT, s VARCHAR)");
    Sql("INSERT INTO ducklake_inlined_data_1_1 VALUES (12, 4, NULL, 3, NULL), (13, 4, 5, 4, NULL)");
    Sql("CREATE TABLE ducklake_inlined_delete_1 (file_id BIGINT, row_id BIGINT, begin_snapshot "
        "BIGINT)");
    Sql("INSERT INTO ducklake_inlined_delete_1 VALUES (10, 4, 4)");
    files_.sizes["data/main/t/d20.parquet"] = 10;
  }

  void AddTableRow(int64_t id, const std::string& name, int64_t begin = 1, Value end = {},
                   int64_t schema = 0) {
    Add("ducklake_table", {{"table_id", I(id)},
                           {"begin_snapshot", I(begin)},
                           {"end_snapshot", end},
                           {"schema_id", I(schema)},
                           {"table_name", T(name)},
                           {"path", T(name + "/")},
                           {"path_is_relative", true}});
  }
  void AddDataFile(int64_t id, int64_t rows, int64_t row_id_start, Fields more = {}) {
    more.insert({"row_id_start", I(row_id_start)});
    AddFile(id, 1, 2, rows, more);
    files_.sizes["data/main/t/f" + std::to_string(id) + ".parquet"] = 1000 + id;
  }

  CheckReport Check(CheckOptions options = {}) {
    return CheckCatalog(*connection_, "data/", files_, options);
  }

  /// Expects exactly these errors; what is merely worth knowing may come besides.
  void ExpectErrors(const std::vector<std::string>& parts) {
    CheckReport report = Check();
    EXPECT_FALSE(report.clean());
    std::vector<std::string> errors;
    for (const CheckFinding& finding : report.findings) {
      if (finding.is_error) errors.push_back(finding.what);
    }
    std::vector<testing::Matcher<std::string>> matchers;
    for (const std::string& part : parts) matchers.push_back(HasSubstr(part));
    EXPECT_THAT(errors, testing::UnorderedElementsAreArray(matchers));
  }

  SizesOnly files_;
};

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
      {"INSERT INTO ducklake_inlined_delete_1 VALUES (99, 0, 5)",
       {"name a data file that does not exist (99)"}},
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
  Add("ducklake_files_scheduled_for_deletion",
      {{"data_file_id", I(1)}, {"path", T("main/t/old.puffin")}, {"path_is_relative", true}});
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

// With real files
// ------------------------------------------------------------------------------------------------------------

class DeepCheckTest : public CheckTest {
 protected:
  // Another table, n, in the shape of nested.parquet, with that file.
  void SetUp() override {
    CheckTest::SetUp();
    Write([this] { Refill(); });
  }
  void Refill() {
    Sql("DELETE FROM ducklake_data_file");
    Sql("DELETE FROM ducklake_delete_file");
    Sql("DELETE FROM ducklake_file_column_stats");
    Sql("DELETE FROM ducklake_inlined_delete_1");
    Sql("DELETE FROM ducklake_column");
    const std::vector<std::tuple<int64_t, const char*, const char*, int64_t>> columns = {
        {1, "a", "int32", 0},   {2, "s", "struct", 0},    {3, "x", "int64", 2},
        {4, "y", "varchar", 2}, {5, "l", "list", 0},      {6, "element", "int32", 5},
        {7, "m", "map", 0},     {8, "key", "varchar", 7}, {9, "value", "float64", 7}};
    for (auto [id, name, type, parent] : columns) {
      AddColumn(1, id, name, type, 1, {},
                parent == 0 ? Fields{} : Fields{{"parent_column", I(parent)}});
    }
    std::filesystem::create_directories(folder_ / "main" / "t");
    std::filesystem::copy_file(TARN_TEST_FILES "nested.parquet",
                               folder_ / "main" / "t" / "n.parquet");
    auto size =
        static_cast<int64_t>(std::filesystem::file_size(folder_ / "main" / "t" / "n.parquet"));
    footer_size_ = ReadFooterSize();
    AddFile(10, 1, 2, 5000,
            {{"path", T("n.parquet")},
             {"file_size_bytes", I(size)},
             {"footer_size", I(footer_size_)},
             {"row_id_start", I(0)}});
    AddFileStats(10, 1, 1, T("0"), T("99"), 5000);
    AddFileStats(10, 1, 3, T("0"), T("49"), 4500, 500);
    Sql("DROP TABLE ducklake_inlined_data_1_1");
    Sql("DELETE FROM ducklake_inlined_data_tables");
    Sql("UPDATE ducklake_table_stats SET next_row_id = 5000");
    Sql("DELETE FROM ducklake_table_column_stats");
  }
  int64_t ReadFooterSize() {
    std::ifstream in(TARN_TEST_FILES "nested.parquet", std::ios::binary);
    in.seekg(-8, std::ios::end);
    uint32_t size = 0;
    in.read(reinterpret_cast<char*>(&size), 4);
    return size;
  }
  CheckReport DeepCheck(CheckOptions options = {}) {
    options.deep = true;
    return CheckCatalog(*connection_, folder_.string() + "/", *LocalFileSystem(), options);
  }
  void ExpectDeepError(const std::string& part) {
    CheckReport report = DeepCheck();
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_THAT(report.findings[0].what,
                AllOf(HasSubstr("Data file 10 (\"n.parquet\")"), HasSubstr(part)));
  }

  int64_t footer_size_ = 0;
};

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
}  // namespace tarn
