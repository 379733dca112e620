// The rows that commits keep in the catalog (format page, section 7), and deletes of few rows of a
// file, alone and beside other writers.
#include <fstream>

#include "gmock/gmock.h"
#include "tarn/check.h"
#include "unit/catalog/fake_delete_writer.h"
#include "unit/catalog/fake_staged_rows.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kRows =
    "SELECT row_id, begin_snapshot, end_snapshot, i FROM ducklake_inlined_data_1_1 ORDER BY "
    "begin_snapshot, row_id";
constexpr const char* kDeletes =
    "SELECT file_id, row_id, begin_snapshot FROM ducklake_inlined_delete_1 ORDER BY 1, 2";
constexpr const char* kWords =
    "SELECT changes_made FROM ducklake_snapshot_changes ORDER BY snapshot_id DESC LIMIT 1";
constexpr const char* kStats =
    "SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats";
constexpr const char* kTables =
    "SELECT table_id, table_name, schema_version FROM ducklake_inlined_data_tables ORDER BY 3";
constexpr const char* kNextFile =
    "SELECT next_file_id FROM ducklake_snapshot ORDER BY snapshot_id DESC LIMIT 1";

class CommitInlinedTest : public LakeTest {
 protected:
  void SetUp() override {
    lake_ = OpenLake();
    Commit([](Transaction& transaction) { AddTable(transaction, "t"); });
  }
  std::optional<SnapshotId> Commit(const std::function<void(Transaction&)>& work,
                                   int64_t limit = 3) {
    auto transaction = lake_->Begin();
    work(*transaction);
    return Commit(*transaction, limit);
  }
  std::optional<SnapshotId> Commit(Transaction& transaction, int64_t limit = 3) {
    transaction.SetInliningDefault(limit);
    return transaction.Commit(&writer_);
  }
  static std::shared_ptr<const Table> TableOf(Transaction& transaction) {
    return transaction.view()->FindTable("main", "t");
  }
  static void Stage(Transaction& transaction, std::vector<int64_t> values,
                    std::vector<int64_t> row_ids = {}) {
    auto table = TableOf(transaction);
    transaction.StageRows(
        table->ref, std::make_shared<FakeStagedRows>(table, std::move(values), std::move(row_ids)));
  }
  static int64_t Delete(Transaction& transaction, int64_t file, std::vector<int64_t> positions) {
    RowRemoval rows;
    rows.files.push_back({DataFileId(file), {}, std::move(positions)});
    return transaction.DeleteRows(TableOf(transaction)->ref, rows);
  }
  static int64_t DeleteStaged(Transaction& transaction, size_t batch, std::vector<int64_t> rows) {
    RowRemoval removal;
    removal.staged.push_back({batch, std::move(rows)});
    return transaction.DeleteRows(TableOf(transaction)->ref, removal);
  }
  static void DeleteInlined(Transaction& transaction, std::vector<int64_t> row_ids) {
    RowRemoval rows;
    rows.inlined.push_back({"ducklake_inlined_data_1_1", std::move(row_ids)});
    transaction.DeleteRows(TableOf(transaction)->ref, rows);
  }
  static ScanPlan Plan(Transaction& transaction) {
    TableScan scan;
    scan.table = TableOf(transaction);
    return transaction.PlanScan(scan);
  }
  int64_t Count() {
    auto transaction = lake_->Begin();
    return transaction->RowCounts().at(TableOf(*transaction)->ref);
  }
  void ExpectWhole() {
    for (const CheckFinding& finding : CheckLake(*lake_).findings)
      EXPECT_FALSE(finding.is_error) << finding.what;
  }
  void Execute(const std::string& sql) {
    auto connection = lake_->store().Connect();
    connection->Begin(TransactionMode::kWrite);
    connection->Execute(Statement{sql, {}});
    connection->Commit();
  }
  /// The file 0, of ten rows, in snapshot 2.
  void AddFile(const std::string& name = "a") {
    std::filesystem::create_directories(Path("data/main/t"));
    std::ofstream(Path("data/main/t/" + name)) << std::string(1000, 'x');
    Commit([&](Transaction& transaction) { Insert(transaction, "t", {MakeFile(name, 10)}); });
  }

  std::shared_ptr<Lake> lake_;
  FakeDeleteWriter writer_;
};

// A change feed of one snapshot must not read those of years.
TEST_F(CommitInlinedTest, ChangesOfASnapshotAreFoundByAnIndex) {
  Commit([](Transaction& transaction) { Stage(transaction, {1, 2}); });
  for (const std::string column : {"begin_snapshot", "end_snapshot"}) {
    const auto plan = Query("EXPLAIN QUERY PLAN SELECT * FROM ducklake_inlined_data_1_1 WHERE " +
                            column + " >= 2 AND " + column + " <= 2");
    ASSERT_FALSE(plan.empty());
    EXPECT_THAT(plan.front(), HasSubstr("SEARCH ducklake_inlined_data_1_1 USING INDEX"));
  }
}

TEST_F(CommitInlinedTest, ATableComesWithOneForItsRows) {
  EXPECT_THAT(Query(kTables), ElementsAre("1|ducklake_inlined_data_1_1|1"));
  EXPECT_THAT(Query(kRows), IsEmpty());
  Commit([](Transaction& t) { AddTable(t, "never"); }, 0);
  EXPECT_THAT(Query(kTables), ElementsAre("1|ducklake_inlined_data_1_1|1"));
}

TEST_F(CommitInlinedTest, RowsAreNumberedAndCountedLikeThoseOfAFile) {
  EXPECT_EQ(Commit([](Transaction& t) { Stage(t, {7, 5}); }), SnapshotId(2));
  EXPECT_THAT(Query(kRows), ElementsAre("0|2|-|7", "1|2|-|5"));
  EXPECT_THAT(Query(kStats), ElementsAre("2|2|0"));
  EXPECT_THAT(Query("SELECT column_id, contains_null, min_value, max_value FROM "
                    "ducklake_table_column_stats ORDER BY 1"),
              ElementsAre("1|0|5|7", "2|1|-|-"));
  EXPECT_THAT(Query(kWords), ElementsAre("inlined_insert:1"));
  EXPECT_THAT(Query(kNextFile), ElementsAre("1")) << "a file's number is used up";
  EXPECT_EQ(Count(), 2);
  ExpectWhole();
}

TEST_F(CommitInlinedTest, FilesOfTheSameTransactionAreNumberedFirst) {
  Commit([](Transaction& t) {
    Stage(t, {1});
    Insert(t, "t", {MakeFile("a", 10)});
    Stage(t, {2});
  });
  EXPECT_THAT(Query(kRows), ElementsAre("10|2|-|1", "11|2|-|2"));
  EXPECT_THAT(Query(kStats), ElementsAre("12|12|1000"));
  EXPECT_THAT(Query(kWords), ElementsAre("inserted_into_table:1,inlined_insert:1"));
  EXPECT_THAT(Query(kNextFile), ElementsAre("1"));
}

TEST_F(CommitInlinedTest, SmallInsertsOfOneTransactionAreOneBatch) {
  auto transaction = lake_->Begin();
  Stage(*transaction, {1});
  Stage(*transaction, {2, 3});
  EXPECT_EQ(DeleteStaged(*transaction, 0, {1}), 1);
  Stage(*transaction, {4});
  ScanPlan plan = Plan(*transaction);
  ASSERT_EQ(plan.staged_rows.size(), 1u);
  EXPECT_THAT(plan.staged_rows[0].removed, ElementsAre(1));
  EXPECT_EQ(plan.row_count, 3);
  EXPECT_EQ(transaction->RowCounts().at(TableOf(*transaction)->ref), 3);
  EXPECT_EQ(transaction->Stats(TableOf(*transaction)->ref)->record_count, 3);
  Commit(*transaction);
  EXPECT_THAT(Query(kRows), ElementsAre("0|2|-|1", "1|2|-|3", "2|2|-|4"));
  EXPECT_THAT(Query(kStats), ElementsAre("3|3|0"));
}

TEST_F(CommitInlinedTest, WhatIsGoneBeforeTheCommitIsNothing) {
  auto transaction = lake_->Begin();
  Stage(*transaction, {1, 2});
  EXPECT_EQ(DeleteStaged(*transaction, 0, {0, 1}), 2);
  EXPECT_TRUE(Plan(*transaction).staged_rows.empty());
  EXPECT_EQ(Commit(*transaction), std::nullopt);
  auto all = lake_->Begin();
  Stage(*all, {1, 2});
  EXPECT_EQ(all->DeleteAllRows(TableOf(*all)->ref), 2);
  EXPECT_EQ(Commit(*all), std::nullopt);
}

TEST_F(CommitInlinedTest, NewVersionsKeepTheirRowIds) {
  Commit([](Transaction& t) { Stage(t, {1, 2}); });
  Commit([](Transaction& t) {
    DeleteInlined(t, {1});
    Stage(t, {20}, {1});
  });
  EXPECT_THAT(Query(kRows), ElementsAre("0|2|-|1", "1|2|3|2", "1|3|-|20"));
  EXPECT_THAT(Query(kStats), ElementsAre("3|2|0")) << "no new row id";
  EXPECT_THAT(Query(kWords), ElementsAre("inlined_insert:1,inlined_delete:1"));
  EXPECT_EQ(Count(), 2);
  ExpectWhole();
}

TEST_F(CommitInlinedTest, ATableMadeWithoutOneGetsItWithItsFirstRows) {
  Commit([](Transaction& t) { t.DropTable(TableOf(t)->ref); }, 0);
  Commit([](Transaction& t) { AddTable(t, "t"); }, 0);
  Commit([](Transaction& t) { Stage(t, {1}); });
  EXPECT_THAT(Query("SELECT table_name FROM ducklake_inlined_data_tables WHERE table_id = 2"),
              ElementsAre("ducklake_inlined_data_2_4"));
  EXPECT_THAT(Query("SELECT row_id, begin_snapshot, i FROM ducklake_inlined_data_2_4"),
              ElementsAre("0|4|1"));
  Commit([](Transaction& t) { Stage(t, {2}); });
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_inlined_data_2_4"), ElementsAre("2"));
  EXPECT_THAT(Query("SELECT max(schema_version) FROM ducklake_snapshot"), ElementsAre("4"))
      << "so that clients that keep their objects by the version see that there is one";
  ExpectWhole();
}

TEST_F(CommitInlinedTest, ANewTableWithRowsIsOneCommit) {
  Commit([](Transaction& t) {
    t.DropTable(TableOf(t)->ref);
    AddTable(t, "t");
    Stage(t, {4});
  });
  EXPECT_THAT(Query("SELECT row_id, begin_snapshot, i FROM ducklake_inlined_data_2_2"),
              ElementsAre("0|2|4"));
  EXPECT_THAT(Query(kWords),
              ElementsAre("dropped_table:1,created_table:\"main\".\"t\",inlined_insert:2"));
}

// --- races ---

TEST_F(CommitInlinedTest, RowsOfBothWritersGetNumbersOfTheirOwn) {
  auto one = lake_->Begin();
  auto two = lake_->Begin();
  Stage(*one, {1, 2});
  Stage(*two, {3});
  EXPECT_EQ(Commit(*one), SnapshotId(2));
  EXPECT_EQ(Commit(*two), SnapshotId(3));
  EXPECT_THAT(Query(kRows), ElementsAre("0|2|-|1", "1|2|-|2", "2|3|-|3"));
  EXPECT_THAT(Query(kStats), ElementsAre("3|3|0"));
  ExpectWhole();
}

TEST_F(CommitInlinedTest, TheSameRowChangedTwiceConflicts) {
  Commit([](Transaction& t) { Stage(t, {1, 2}); });
  auto one = lake_->Begin();
  auto two = lake_->Begin();
  auto three = lake_->Begin();
  DeleteInlined(*one, {1});
  DeleteInlined(*two, {1});
  DeleteInlined(*three, {0});
  EXPECT_EQ(Commit(*one), SnapshotId(3));
  ErrorOf(ErrorCode::kConflict, [&] { Commit(*two); });
  EXPECT_EQ(Commit(*three), SnapshotId(4)) << "another row of the same table";
  EXPECT_EQ(Count(), 0);
}

TEST_F(CommitInlinedTest, InsertsAfterADropConflict) {
  auto one = lake_->Begin();
  Stage(*one, {1});
  Commit([](Transaction& t) { t.DropTable(TableOf(t)->ref); });
  EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { Commit(*one); }),
              HasSubstr("attempting to insert into table"));
}

// --- deletes of rows in files ---

TEST_F(CommitInlinedTest, FewDeletesAreRows) {
  AddFile();
  EXPECT_EQ(Commit([](Transaction& t) { Delete(t, 0, {5, 1}); }), SnapshotId(3));
  EXPECT_THAT(Query(kDeletes), ElementsAre("0|1|3", "0|5|3"));
  EXPECT_THAT(Query(kWords), ElementsAre("inlined_delete:1"));
  EXPECT_THAT(Query(kNextFile), ElementsAre("1"));
  EXPECT_EQ(writer_.writes, 0);
  EXPECT_EQ(Count(), 8);
  ExpectWhole();
}

TEST_F(CommitInlinedTest, TheLimitIsOfOneFileAndOneTransaction) {
  AddFile();
  AddFile("b");
  Commit([](Transaction& t) {
    Delete(t, 0, {0, 1});
    Delete(t, 1, {0, 1});
    Delete(t, 0, {2, 3});
  });
  EXPECT_THAT(Query(kDeletes), ElementsAre("1|0|4", "1|1|4"));
  EXPECT_THAT(Query("SELECT data_file_id, delete_count FROM ducklake_delete_file"),
              ElementsAre("0|4"));
  EXPECT_THAT(Query(kWords), ElementsAre("deleted_from_table:1,inlined_delete:1"));
  EXPECT_EQ(Count(), 14);
  ExpectWhole();
}

TEST_F(CommitInlinedTest, BothFormsOnOneFileNameARowOnce) {
  AddFile();
  Commit([](Transaction& t) { Delete(t, 0, {0, 1}); });
  Commit([](Transaction& t) { Delete(t, 0, {2, 3, 4, 5}); });
  Commit([](Transaction& t) { Delete(t, 0, {6}); });
  EXPECT_THAT(Query(kDeletes), ElementsAre("0|0|3", "0|1|3", "0|6|5"));
  EXPECT_THAT(Query("SELECT delete_count FROM ducklake_delete_file"), ElementsAre("4"));
  EXPECT_EQ(Count(), 3);
  ExpectWhole();
}

// Of a file that ends, other clients' change feeds know the inlined deletes only.

TEST_F(CommitInlinedTest, AFileStaysWhileDeletesOfItAreInTheCatalog) {
  AddFile();
  Commit([](Transaction& t) { Delete(t, 0, {0, 1}); });
  Commit([](Transaction& t) { Delete(t, 0, {2, 3, 4, 5}); });
  Commit([](Transaction& t) { Delete(t, 0, {6, 7, 8, 9}); });
  EXPECT_THAT(Query("SELECT end_snapshot FROM ducklake_data_file"), ElementsAre("-"));
  EXPECT_THAT(Query("SELECT end_snapshot, delete_count FROM ducklake_delete_file"),
              ElementsAre("-|8"));
  EXPECT_THAT(Query(kWords), ElementsAre("deleted_from_table:1"));
  EXPECT_EQ(Count(), 0);
  ExpectWhole();
}

TEST_F(CommitInlinedTest, AllRowsOfATableWithDeletesInTheCatalog) {
  AddFile();
  Commit([](Transaction& t) { Delete(t, 0, {3, 4}); });
  Commit([](Transaction& t) { t.DeleteAllRows(TableOf(t)->ref); });
  EXPECT_THAT(Query("SELECT end_snapshot FROM ducklake_data_file"), ElementsAre("-"));
  EXPECT_THAT(Query("SELECT delete_count FROM ducklake_delete_file"), ElementsAre("8"));
  EXPECT_EQ(Count(), 0);
  ExpectWhole();
  Commit([](Transaction& t) { t.DeleteAllRows(TableOf(t)->ref); });
  ExpectWhole();
}

TEST_F(CommitInlinedTest, AllRowsOfAFileMayGoByTheCatalog) {
  AddFile();
  for (int64_t first : {0, 2, 4, 6, 8})
    Commit([&](Transaction& t) { Delete(t, 0, {first, first + 1}); });
  EXPECT_THAT(Query("SELECT end_snapshot FROM ducklake_data_file"), ElementsAre("-"));
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_inlined_delete_1"), ElementsAre("10"));
  EXPECT_EQ(Count(), 0);
  ExpectWhole();
}

TEST_F(CommitInlinedTest, OtherRowsOfAFileDoNotConflict) {
  AddFile();
  auto one = lake_->Begin();
  auto two = lake_->Begin();
  auto large = lake_->Begin();
  Delete(*one, 0, {1});
  Delete(*two, 0, {2});
  Delete(*large, 0, {3, 4, 5, 6});
  EXPECT_EQ(Commit(*one), SnapshotId(3));
  EXPECT_EQ(Commit(*two), SnapshotId(4));
  EXPECT_EQ(Commit(*large), SnapshotId(5));
  EXPECT_EQ(Count(), 4);
  ExpectWhole();
}

TEST_F(CommitInlinedTest, TheSameRowOfAFileConflictsInEveryForm) {
  AddFile();
  auto small = lake_->Begin();
  auto large = lake_->Begin();
  auto whole = lake_->Begin();
  Delete(*small, 0, {1, 2});
  Delete(*large, 0, {2, 3, 4, 5});
  whole->DeleteAllRows(TableOf(*whole)->ref);
  Commit([](Transaction& t) { Delete(t, 0, {2}); });
  for (Transaction* transaction : {small.get(), large.get(), whole.get()}) {
    EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { Commit(*transaction); }),
                HasSubstr("attempting to delete from table"));
  }
  EXPECT_EQ(writer_.writes, writer_.discards);
  EXPECT_EQ(Count(), 9);
}

TEST_F(CommitInlinedTest, ADeleteFileThatCameFirstConflicts) {
  AddFile();
  auto small = lake_->Begin();
  Delete(*small, 0, {9});
  Commit([](Transaction& t) { Delete(t, 0, {0, 1, 2, 3}); });
  ErrorOf(ErrorCode::kConflict, [&] { Commit(*small); });
}

TEST_F(CommitInlinedTest, LastRowsTakenByTwo) {
  AddFile();
  Commit([](Transaction& t) { Delete(t, 0, {0, 1, 2, 3, 4, 5}); });
  auto one = lake_->Begin();
  auto two = lake_->Begin();
  Delete(*one, 0, {6, 7});
  Delete(*two, 0, {8, 9});
  Commit(*one);
  Commit(*two);
  EXPECT_EQ(Count(), 0);
  ExpectWhole();
}

TEST_F(CommitInlinedTest, AMissingTableOfRowsIsSaidInOneSentence) {
  Execute("DROP TABLE ducklake_inlined_data_1_1");
  EXPECT_THAT(ErrorOf(ErrorCode::kCorrupt, [&] { Commit([](Transaction& t) { Stage(t, {1}); }); }),
              HasSubstr("should be kept in a table that the catalog lists but does not have"));
}

TEST_F(CommitInlinedTest, RowsWithoutABeginningAreSaidInOneSentence) {
  Commit([](Transaction& t) { Stage(t, {1, 2}); });
  Execute("UPDATE ducklake_inlined_data_1_1 SET begin_snapshot = NULL WHERE row_id = 0");
  auto transaction = lake_->Begin();
  EXPECT_THAT(ErrorOf(ErrorCode::kCorrupt, [&] { Plan(*transaction); }),
              HasSubstr("do not say since which snapshot they are there"));
  EXPECT_EQ(Count(), 1);  // a listing of all tables goes on
}

TEST_F(CommitInlinedTest, DeletesOfRowsThatAFileDoesNotHaveCountForNothing) {
  AddFile();
  Commit([](Transaction& t) { Delete(t, 0, {0, 1}); });
  Execute("INSERT INTO ducklake_inlined_delete_1 VALUES (0, -1, 3), (0, 10, 3), (0, 99, 3)");
  EXPECT_EQ(Count(), 8);
  EXPECT_EQ(Plan(*lake_->Begin()).row_count, 8);
  for (int64_t first : {2, 4, 6, 8})
    Commit([&](Transaction& t) { Delete(t, 0, {first, first + 1}); });
  EXPECT_EQ(Count(), 0);
}

TEST_F(CommitInlinedTest, AnOptionThatIsNoNumberIsSaid) {
  Commit([](Transaction& t) { t.SetOption("data_inlining_row_limit", "many", {}); });
  EXPECT_THAT(
      ErrorOf(ErrorCode::kCorrupt, [&] { Commit([](Transaction& t) { AddTable(t, "u"); }); }),
      HasSubstr("data_inlining_row_limit is \"many\""));
}

}  // namespace
}  // namespace tarn::test
