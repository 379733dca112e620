// What a check finds and can be repaired is told by a dry run, which changes nothing, and gone
// after the repair; what would need guessing stays and keeps nothing else from being repaired.
#include "catalog/repair.h"

#include "unit/catalog/check_fixture.h"
#include "unit/catalog/fake_delete_writer.h"
#include "unit/catalog/faulty_store.h"

namespace tarn::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// All rows of all tables, to see whether anything has changed.
std::string Dump(StoreConnection& connection) {
  std::string text;
  for (const std::string& table : connection.ListTables()) {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT * FROM ").Table(table);
    std::vector<std::string> lines;
    const auto rows = connection.Query(sql.Build());
    while (rows->Next()) {
      std::string& line = lines.emplace_back(table);
      for (int i = 0; i < rows->column_count(); ++i) line += "|" + rows->OptText(i).value_or("-");
    }
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) text += line + "\n";
  }
  return text;
}

template <class Base>
class Repairing : public Base {
 protected:
  RepairReport Repair(bool dry_run, FileSystem& files, const std::string& data_path,
                      RepairOptions options = {}) {
    options.dry_run = dry_run;
    return RepairCatalog({*this->store_, data_path, files, {}}, options);
  }
  std::string Ask(const std::string& sql) {
    const auto rows = this->connection_->Query(Statement{sql, {}});
    std::string text;
    while (rows->Next()) {
      if (!text.empty()) text += ";";
      for (int i = 0; i < rows->column_count(); ++i)
        text += (i == 0 ? "" : "|") + rows->OptText(i).value_or("-");
    }
    return text;
  }
};

class RepairTest : public Repairing<CheckTest> {
 protected:
  RepairReport Repair(bool dry_run = false) { return Repairing::Repair(dry_run, files_, "data/"); }
};

struct Damage {
  const char* sql;
  std::vector<std::string> steps;
};

TEST_F(RepairTest, ASoundLakeIsLeftAlone) {
  const std::string before = Dump(*connection_);
  const RepairReport report = Repair();
  EXPECT_THAT(report.steps, IsEmpty());
  EXPECT_FALSE(report.snapshot);
  EXPECT_EQ(Dump(*connection_), before);
}

TEST_F(RepairTest, EachDamageIsRepaired) {
  const std::vector<Damage> damages = {
      {"UPDATE ducklake_snapshot SET next_file_id = 190 WHERE snapshot_id = 3",
       {"the next object gets the id 100, the next file 190"}},
      {"INSERT INTO ducklake_view VALUES (500, 'u', 3, NULL, 0, 'v', 'duckdb', 'SELECT 1', '')",
       {"the next object gets the id 501, the next file 100"}},
      {"UPDATE ducklake_snapshot SET next_file_id = 11", {"the next file 21"}},
      {"INSERT INTO ducklake_snapshot_changes VALUES (77, 'x', NULL, NULL, NULL)",
       {"Removes the changes of snapshot 77"}},
      {"INSERT INTO ducklake_snapshot_changes VALUES (6, 'x', NULL, NULL, NULL)",
       {"Removes the changes of snapshot 6"}},
      {"UPDATE ducklake_metadata SET value = 'data' WHERE \"key\" = 'data_path'",
       {"Ends the stored data path \"data\" with a slash."}},
      {"INSERT INTO ducklake_metadata VALUES ('version', '1.0', NULL, NULL)",
       {"Sets the option \"version\" once instead of 2 times."}},
      {"INSERT INTO ducklake_partition_column VALUES (5, 1, 0, 1, 'identity')",
       {"Removes the keys of partition spec 5"}},
      {"INSERT INTO ducklake_sort_expression VALUES (5, 1, 0, 'a', 'duckdb', 'ASC', 'NULLS_LAST')",
       {"Removes the keys of sort order 5"}},
      {"INSERT INTO ducklake_tag VALUES (44, 2, NULL, 'comment', 'x')",
       {"Removes the tags of object 44"}},
      {"INSERT INTO ducklake_column_tag VALUES (1, 44, 2, NULL, 'comment', 'x')",
       {"Removes the tags of column 44 of table \"main\".\"t\""}},
      {"INSERT INTO ducklake_file_partition_value VALUES (99, 1, 0, 'x')",
       {"Removes the partition values of data file 99"}},
      {"INSERT INTO ducklake_files_scheduled_for_deletion VALUES (10, 'main//t/f10.parquet', 1, "
       "'2020-01-01 00:00:00+00')",
       {"Takes \"data/main/t/f10.parquet\" off the list"}},
      {"UPDATE ducklake_delete_file SET data_file_id = 99",
       {"Removes delete file 20 (\"d20.parquet\") of table \"main\".\"t\", whose data file does "
        "not exist"}},
      {"UPDATE ducklake_data_file SET end_snapshot = 5 WHERE data_file_id = 11",
       {"Ends delete file 20 (\"d20.parquet\") of table \"main\".\"t\" at snapshot 5"}},
      {"INSERT INTO ducklake_inlined_delete_1 VALUES (10, 4, 5), (10, 4, 4)",
       {"Keeps the first of several inlined deletes"}},
      {"INSERT INTO ducklake_inlined_delete_1 VALUES (99, 0, 5)",
       {"Removes inlined deletes of table \"main\".\"t\" from data file 99"}},
      {"INSERT INTO ducklake_inlined_data_tables VALUES (1, 'ducklake_inlined_data_1_1', 1)",
       {"Registers the table of inlined rows \"ducklake_inlined_data_1_1\" once"}},
      {"INSERT INTO ducklake_file_column_stats VALUES (99, 1, 1, 1, 1, 0, NULL, NULL, NULL, NULL)",
       {"Removes the statistics of data file 99"}},
      {"INSERT INTO ducklake_file_column_stats VALUES (10, 1, 9, 1, 5, 0, NULL, NULL, NULL, NULL)",
       {"Removes the statistics of column 9 in data file 10"}},
      {"INSERT INTO ducklake_file_variant_stats VALUES (99, 1, 1, 'root', 'int64', 1, 5, 0, NULL, "
       "NULL, NULL, NULL)",
       {"Removes the statistics of fields in data file 99"}},
      {"INSERT INTO ducklake_file_variant_stats VALUES (10, 1, 9, 'root', 'int64', 1, 5, 0, NULL, "
       "NULL, NULL, NULL)",
       {"Removes the statistics of fields of column 9"}},
      {"INSERT INTO ducklake_file_variant_stats VALUES (10, 2, 1, 'root', 'int64', 1, 5, 0, NULL, "
       "NULL, NULL, NULL)",
       {"Names its own table in the statistics of fields of column 1"}},
      {"UPDATE ducklake_table_column_stats SET min_value = '2'",
       {"Widens the statistics of column 1 of table \"main\".\"t\""}},
      {"UPDATE ducklake_table_column_stats SET max_value = '9', contains_null = 0",
       {"Widens the statistics of column 1 of table \"main\".\"t\""}},
      {"INSERT INTO ducklake_table_column_stats VALUES (1, 1, 0, NULL, '4', '5', NULL)",
       {"Widens the statistics of column 1"}},
      {"INSERT INTO ducklake_table_column_stats VALUES (1, 9, 0, NULL, '4', '5', NULL)",
       {"Removes the statistics of column 9 of table \"main\".\"t\""}},
      {"UPDATE ducklake_snapshot SET next_file_id = NULL, next_catalog_id = NULL WHERE snapshot_id "
       "= "
       "3",
       {"the next object gets the id 100, the next file 100"}},
      {"UPDATE ducklake_table_stats SET next_row_id = NULL",
       {"Raises the next row id of table \"main\".\"t\" from -1 to 14."}},
      {"DELETE FROM ducklake_table_stats", {"Makes statistics of table \"main\".\"t\" anew"}},
      {"INSERT INTO ducklake_table_stats VALUES (1, 1, 14, 1)",
       {"Makes one row of the 2 rows of statistics"}},
      {"INSERT INTO ducklake_table_stats VALUES (77, 1, 1, 1)",
       {"Removes the statistics of table 77"}},
      {"UPDATE ducklake_table_stats SET next_row_id = 3",
       {"Raises the next row id of table \"main\".\"t\" from 3 to 14."}},
      {"UPDATE ducklake_data_file SET end_snapshot = 4 WHERE data_file_id = 10;"
       "DELETE FROM ducklake_snapshot WHERE snapshot_id IN (2, 3);"
       "DELETE FROM ducklake_snapshot_changes WHERE snapshot_id IN (2, 3)",
       {"Removes the rows of files that no snapshot sees any more"}},
  };
  const std::string catalog = (folder_ / "lake.db").string();
  const std::string sound = (folder_ / "sound.db").string();
  connection_.reset();
  store_.reset();
  std::filesystem::copy_file(catalog, sound);
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.sql);
    std::filesystem::copy_file(sound, catalog, std::filesystem::copy_options::overwrite_existing);
    StoreOptions options;
    options.location = catalog;
    store_ = OpenSqliteStore(options);
    connection_ = store_->Connect();
    std::istringstream statements(damage.sql);
    for (std::string one; std::getline(statements, one, ';');) Sql(one);
    const std::string before = Dump(*connection_);
    const RepairReport dry = Repair(true);
    EXPECT_EQ(Dump(*connection_), before) << "a dry run only tells";
    EXPECT_FALSE(dry.snapshot);
    std::vector<testing::Matcher<std::string>> steps;
    for (const std::string& step : damage.steps) steps.push_back(HasSubstr(step));
    EXPECT_THAT(dry.steps, testing::ElementsAreArray(steps));
    const RepairReport report = Repair();
    EXPECT_EQ(report.steps, dry.steps);
    EXPECT_EQ(report.snapshot, SnapshotId(6));
    EXPECT_THAT(Check().findings, IsEmpty());
    EXPECT_THAT(Repair().steps, IsEmpty());
    EXPECT_EQ(Ask("SELECT commit_message FROM ducklake_snapshot_changes WHERE snapshot_id = 6"),
              "tarn check --repair");
    connection_.reset();
    store_.reset();
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(catalog + suffix);
  }
}

TEST_F(RepairTest, UnseenFilesAreScheduledAndTheirRowsGo) {
  Sql("UPDATE ducklake_data_file SET end_snapshot = 4 WHERE data_file_id = 10");
  Sql("DELETE FROM ducklake_snapshot WHERE snapshot_id IN (2, 3)");
  Sql("DELETE FROM ducklake_snapshot_changes WHERE snapshot_id IN (2, 3)");
  Repair();
  EXPECT_EQ(Ask("SELECT data_file_id FROM ducklake_data_file"), "11");
  EXPECT_EQ(Ask("SELECT data_file_id, path FROM ducklake_files_scheduled_for_deletion"),
            "10|main/t/f10.parquet");
}

TEST_F(RepairTest, StatisticsCountWhatTheCatalogKeeps) {
  Sql("DELETE FROM ducklake_table_stats");
  Repair();
  EXPECT_EQ(Ask("SELECT record_count, next_row_id FROM ducklake_table_stats"), "13|14");
}

TEST_F(RepairTest, WhatIsKnownOfALostFileStaysWhileTheFileMayBeThere) {
  Sql("DELETE FROM ducklake_data_file WHERE data_file_id = 11");
  Sql("INSERT INTO ducklake_inlined_delete_1 VALUES (11, 0, 5)");
  Sql("INSERT INTO ducklake_file_partition_value VALUES (11, 1, 0, 'x')");
  const std::string before = Dump(*connection_);
  const RepairReport report = Repair();
  EXPECT_THAT(report.steps, IsEmpty());
  EXPECT_THAT(report.refusals,
              testing::ElementsAre(testing::AllOf(HasSubstr("Of data file 11"),
                                                  HasSubstr("\"data/main/t/f11.parquet\""))));
  EXPECT_EQ(Dump(*connection_), before);
  files_.sizes.erase("data/main/t/f11.parquet");
  EXPECT_THAT(Repair().refusals, IsEmpty());
  EXPECT_TRUE(Check().clean());
}

TEST_F(RepairTest, WhatWouldNeedGuessingStaysAndHoldsNothingUp) {
  Sql("INSERT INTO ducklake_metadata VALUES ('version', '0.9', NULL, NULL)");
  Sql("UPDATE ducklake_data_file SET file_size_bytes = 5 WHERE data_file_id = 10");
  Sql("UPDATE ducklake_table_stats SET next_row_id = 3");
  const RepairReport report = Repair();
  EXPECT_THAT(report.steps, testing::ElementsAre(HasSubstr("Raises the next row id")));
  EXPECT_THAT(
      report.refusals,
      testing::UnorderedElementsAre(
          HasSubstr("\"version\" is set to several values"),
          HasSubstr("Data file 10 (\"f10.parquet\") of table \"main\".\"t\" cannot be read")));
  EXPECT_THAT(Check().findings, SizeIs(2));
}

TEST_F(RepairTest, SomebodyElsesCommitIsWaitedForAndSeen) {
  Sql("UPDATE ducklake_table_stats SET next_row_id = 3");
  const auto fault = std::make_shared<Fault>();
  fault->only = "begin";
  fault->at = 1;  // the transaction that writes
  fault->code = ErrorCode::kConflict;
  fault->on_hit = [] {};
  bool committed = false;
  RepairOptions options;
  // Between the look and the write.
  options.check.progress = [&](double) {
    if (std::exchange(committed, true)) return;
    AddSnapshot(6);
    Add("ducklake_snapshot_changes",
        {{"snapshot_id", I(6)}, {"changes_made", T("inserted_into_table:1")}});
    Sql("UPDATE ducklake_table_stats SET next_row_id = 4");
  };
  const RepairReport report = Repairing::Repair(false, files_, "data/", options);
  EXPECT_THAT(report.steps,
              testing::ElementsAre("Raises the next row id of table \"main\".\"t\" from 4 to 14."));
  EXPECT_EQ(report.snapshot, SnapshotId(7));
  EXPECT_THAT(Check().findings, IsEmpty());
}

TEST_F(RepairTest, AFaultAtAnyCallLeavesTheLakeAsItWas) {
  Sql("UPDATE ducklake_table_stats SET next_row_id = 3");
  Sql("INSERT INTO ducklake_table_stats VALUES (77, 1, 1, 1)");
  Sql("INSERT INTO ducklake_inlined_delete_1 VALUES (10, 4, 5)");
  const std::string before = Dump(*connection_);
  int64_t faults = 0;
  for (;; ++faults) {
    const auto fault = std::make_shared<Fault>();
    fault->at = faults;
    FaultyStore faulty(store_, fault);
    try {
      RepairCatalog({faulty, "data/", files_, {}}, {});
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::kUnavailable ||
                  error.code() == ErrorCode::kUnknownOutcome)
          << error.message();
    }
    if (!fault->hit) break;
    ASSERT_EQ(Dump(*connection_), before) << fault->where;
    ASSERT_LT(faults, 200);
  }
  EXPECT_GT(faults, 30);
  EXPECT_THAT(Check().findings, IsEmpty());
}

TEST_F(RepairTest, AReadOnlyCatalogIsOnlyToldOf) {
  Sql("UPDATE ducklake_table_stats SET next_row_id = 3");
  StoreOptions options;
  options.location = (folder_ / "lake.db").string();
  options.read_only = true;
  const auto read_only = OpenSqliteStore(options);
  RepairOptions dry;
  dry.dry_run = true;
  EXPECT_THAT(RepairCatalog({*read_only, "data/", files_, {}}, dry).steps, SizeIs(1));
  try {
    RepairCatalog({*read_only, "data/", files_, {}}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    EXPECT_THAT(error.message(), HasSubstr("cannot be written; --dry-run tells"));
  }
}

// With real files
// ------------------------------------------------------------------------------------------------------------

class RepairFilesTest : public Repairing<DeepCheckTest> {
 protected:
  RepairReport Repair(RepairOptions options = {}) {
    options.check.deep = true;
    return Repairing::Repair(false, *LocalFileSystem(), folder_.string() + "/", options);
  }
  void ExpectMended(const std::string& step) {
    EXPECT_THAT(Repair().steps, Contains(HasSubstr(step)));
    EXPECT_THAT(DeepCheck().findings, IsEmpty());
  }
};

TEST_F(RepairFilesTest, SizesAndFooters) {
  Sql("UPDATE ducklake_data_file SET file_size_bytes = 5, footer_size = 7");
  ExpectMended("Notes what data file 10 (\"n.parquet\") of table \"main\".\"t\" has: 5000 rows");
  EXPECT_EQ(Ask("SELECT footer_size FROM ducklake_data_file"), std::to_string(footer_size_));
}

TEST_F(RepairFilesTest, RowsThatWereNotCounted) {
  Sql("UPDATE ducklake_data_file SET record_count = 4999");
  Sql("UPDATE ducklake_file_column_stats SET value_count = 4999 WHERE column_id = 1");
  Sql("UPDATE ducklake_table_stats SET next_row_id = 4999");
  ExpectMended("5000 rows");
  EXPECT_EQ(Ask("SELECT value_count FROM ducklake_file_column_stats ORDER BY column_id"),
            "5000;4500");
  EXPECT_EQ(Ask("SELECT next_row_id FROM ducklake_table_stats"), "5000");
}

TEST_F(RepairFilesTest, RowsThatWouldHaveOthersIds) {
  Sql("UPDATE ducklake_data_file SET record_count = 4999");
  Sql("UPDATE ducklake_file_column_stats SET value_count = 4999 WHERE column_id = 1");
  std::filesystem::copy_file(TARN_TEST_FILES "nested.parquet",
                             folder_ / "main" / "t" / "o.parquet");
  Sql("INSERT INTO ducklake_data_file SELECT 11, table_id, begin_snapshot, end_snapshot, "
      "file_order, 'o.parquet', 1, file_format, 5000, file_size_bytes, footer_size, 4999, NULL, "
      "NULL, NULL, NULL FROM ducklake_data_file");
  Sql("UPDATE ducklake_table_stats SET next_row_id = 9999");
  const RepairReport report = Repair();
  EXPECT_THAT(report.refusals, Contains(HasSubstr("its rows would have row ids of data file 11")));
  EXPECT_FALSE(DeepCheck().clean());
}

TEST_F(RepairFilesTest, AnotherFileInItsPlace) {
  Sql("UPDATE ducklake_data_file SET file_size_bytes = 5");
  Sql("UPDATE ducklake_file_column_stats SET max_value = '98' WHERE column_id = 1");
  EXPECT_THAT(Repair().refusals, Contains(HasSubstr("is not the file that was committed")));
}

TEST_F(RepairFilesTest, ATruncatedFile) {
  std::filesystem::resize_file(folder_ / "main" / "t" / "n.parquet", 100);
  const std::string before = Dump(*connection_);
  EXPECT_THAT(Repair().refusals, Contains(HasSubstr("Bring the file back from a backup")));
  EXPECT_EQ(Dump(*connection_), before);
}

TEST_F(RepairFilesTest, AMissingFileIsToldWithAdvice) {
  std::filesystem::remove(folder_ / "main" / "t" / "n.parquet");
  const CheckReport report = DeepCheck();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].advice, HasSubstr("backup"));
  EXPECT_THAT(Repair().steps, IsEmpty());
}

TEST_F(RepairFilesTest, BoundsAndCountsOfColumns) {
  Sql("UPDATE ducklake_file_column_stats SET max_value = '98', null_count = 3 WHERE column_id = 1");
  Sql("INSERT INTO ducklake_table_column_stats VALUES (1, 1, 0, NULL, '0', '98', NULL)");
  ExpectMended("Takes the statistics of column 1 in data file 10");
  EXPECT_EQ(Ask("SELECT null_count, min_value, max_value FROM ducklake_file_column_stats WHERE "
                "column_id = 1"),
            "0|0|99");
  EXPECT_EQ(Ask("SELECT min_value, max_value FROM ducklake_table_column_stats"), "0|99");
}

TEST_F(RepairFilesTest, BoundsThatTheFooterHasWrongToo) {
  Sql("INSERT INTO ducklake_table_column_stats VALUES (1, 1, 0, NULL, '0', '99', NULL)");
  RepairOptions options;
  options.check.inspect_file = [](const std::string&, const DataFile& file, const Table&) {
    for (const ColumnStats& stats : file.stats) {
      if (stats.field == FieldId(1) && stats.max_value)
        return std::vector<CheckFinding>{
            {true, "too narrow.", {RepairKind::kFileBounds, -1, 1}, {}}};
    }
    return std::vector<CheckFinding>();
  };
  EXPECT_THAT(Repair(options).steps, Contains(HasSubstr("Removes the bounds of column 1")));
  EXPECT_EQ(Ask("SELECT max_value FROM ducklake_file_column_stats WHERE column_id = 1"), "-");
  EXPECT_EQ(Ask("SELECT max_value FROM ducklake_table_column_stats"), "-");
  EXPECT_THAT(Repair(options).steps, IsEmpty());
}

TEST_F(RepairFilesTest, DoubleDeleteFiles) {
  FakeDeleteWriter writer;
  const auto folder = folder_ / "main" / "t";
  std::ofstream(folder / "a.parquet") << "1:3 2:4 ";
  std::ofstream(folder / "b.parquet") << "2:5 7:5 ";
  AddDeleteFile(20, 1, 10, 3, 2,
                {{"path", T("a.parquet")}, {"file_size_bytes", I(8)}, {"partial_max", I(4)}});
  AddDeleteFile(21, 1, 10, 3, 2,
                {{"path", T("b.parquet")}, {"file_size_bytes", I(8)}, {"partial_max", I(5)}});
  RepairOptions options;
  options.writer = &writer;
  options.dry_run = true;
  const auto repair = [&](bool dry_run) {
    return Repairing::Repair(dry_run, *LocalFileSystem(), folder_.string() + "/", options);
  };
  EXPECT_THAT(repair(true).steps,
              testing::ElementsAre(HasSubstr("Merges the delete files 20 and 21 of data file 10")));
  EXPECT_EQ(writer.writes, 0);
  const RepairReport report = repair(false);
  EXPECT_EQ(report.snapshot, SnapshotId(6));
  EXPECT_EQ(Ask("SELECT delete_file_id, begin_snapshot, end_snapshot, path, delete_count, "
                "partial_max FROM ducklake_delete_file"),
            "100|3|-|d1-delete.parquet|3|5");
  EXPECT_EQ(FakeDeleteWriter::Text((folder / "d1-delete.parquet").string()), "1:3 2:4 7:5 ");
  EXPECT_EQ(Ask("SELECT data_file_id, path FROM ducklake_files_scheduled_for_deletion"),
            "20|main/t/a.parquet;21|main/t/b.parquet");
  EXPECT_EQ(Ask("SELECT next_file_id FROM ducklake_snapshot WHERE snapshot_id = 6"), "101");
  EXPECT_EQ(Ask("SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = 6"),
            "rewrite_delete:1");
  EXPECT_TRUE(CheckCatalog(*connection_, folder_.string() + "/", *LocalFileSystem()).clean());
}

TEST_F(RepairFilesTest, AMergedDeleteFileGoesWhenNothingIsCommitted) {
  FakeDeleteWriter writer;
  const auto folder = folder_ / "main" / "t";
  std::ofstream(folder / "a.parquet") << "1:3 ";
  AddDeleteFile(20, 1, 10, 3, 1, {{"path", T("a.parquet")}, {"file_size_bytes", I(4)}});
  AddDeleteFile(21, 1, 10, 3, 1, {{"path", T("a.parquet")}, {"file_size_bytes", I(4)}});
  const auto fault = std::make_shared<Fault>();
  fault->only = "insert ducklake_delete_file";
  fault->at = 0;
  FaultyStore faulty(store_, fault);
  RepairOptions options;
  options.writer = &writer;
  const std::string before = Dump(*connection_);
  EXPECT_THROW(RepairCatalog({faulty, folder_.string() + "/", *LocalFileSystem(), {}}, options),
               Error);
  EXPECT_TRUE(fault->hit);
  EXPECT_EQ(writer.discards, 1);
  EXPECT_EQ(Dump(*connection_), before);
}

TEST_F(RepairFilesTest, DeleteFilesThatWereCountedWrong) {
  const char vector[] =
      "\x00\x00\x00\x26\xd1\xd3\x39\x64\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x3a\x30\x00"
      "\x00\x01\x00\x00\x00\x00\x00\x02"
      "\x00\x10\x00\x00\x00\x01\x00\x03\x00\x04\x00\x43\x85\x6c\x78";
  std::ofstream(folder_ / "main" / "t" / "d.puffin", std::ios::binary)
      .write(vector, sizeof(vector) - 1);
  AddDeleteFile(20, 1, 10, 3, 4,
                {{"path", T("d.puffin")},
                 {"format", T("puffin")},
                 {"file_size_bytes", I(7)},
                 {"footer_size", I(0)}});
  ExpectMended("Notes what delete file 20 (\"d.puffin\") of table \"main\".\"t\" has: 3 deletes");
}

}  // namespace
}  // namespace tarn::test
