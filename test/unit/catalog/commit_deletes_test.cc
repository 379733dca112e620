// The rows that commits with deletes write (format page, section 6), and what they do when others
// were faster.
#include "catalog/delete_files.h"
#include "gmock/gmock.h"
#include "tarn/check.h"
#include "unit/catalog/fake_delete_writer.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kDeleteFiles =
    "SELECT delete_file_id, begin_snapshot, end_snapshot, data_file_id, path, format, "
    "delete_count, partial_max FROM ducklake_delete_file ORDER BY 1";
constexpr const char* kDataFiles =
    "SELECT data_file_id, begin_snapshot, end_snapshot, path, row_id_start FROM ducklake_data_file "
    "ORDER BY 1";
constexpr const char* kWords =
    "SELECT changes_made FROM ducklake_snapshot_changes ORDER BY snapshot_id DESC LIMIT 1";

class CommitDeletesTest : public LakeTest {
 protected:
  void SetUp() override {
    lake_ = OpenLake();
    Run(*lake_, [](Transaction& transaction) {
      AddTable(transaction, "t");
      Insert(transaction, "t", {MakeFile("a", 10), MakeFile("b", 5)});
    });
  }
  static TableRef Ref(Transaction& transaction, const std::string& table = "t") {
    return transaction.view()->FindTable("main", table)->ref;
  }
  static int64_t Delete(Transaction& transaction, int64_t file, std::vector<int64_t> positions) {
    RowRemoval rows;
    rows.files.push_back({DataFileId(file), {}, std::move(positions)});
    return transaction.DeleteRows(Ref(transaction), rows);
  }
  static void DeleteStaged(Transaction& transaction, size_t index, std::vector<int64_t> positions) {
    RowRemoval rows;
    rows.files.push_back({{}, index, std::move(positions)});
    transaction.DeleteRows(Ref(transaction), rows);
  }
  static void DeleteInlined(Transaction& transaction, const std::string& table,
                            std::vector<int64_t> row_ids) {
    RowRemoval rows;
    rows.inlined.push_back({table, std::move(row_ids)});
    transaction.DeleteRows(Ref(transaction), rows);
  }
  std::optional<SnapshotId> Commit(Transaction& transaction) {
    return transaction.Commit(&writer_);
  }
  std::optional<SnapshotId> DeleteAndCommit(int64_t file, std::vector<int64_t> positions) {
    auto transaction = lake_->Begin();
    Delete(*transaction, file, std::move(positions));
    return Commit(*transaction);
  }
  std::string Content(const std::string& name) const {
    return FakeDeleteWriter::Text(Path("data/main/t/" + name));
  }
  std::optional<int64_t> CountAt(int64_t snapshot) {
    auto transaction = lake_->Begin();
    TableScan scan;
    scan.table = transaction->view()->FindTable("main", "t");
    scan.at = lake_->FindSnapshot({.version = SnapshotId(snapshot), .time = {}});
    return transaction->PlanScan(scan).row_count;
  }
  void Execute(const std::string& sql) {
    auto connection = lake_->store().Connect();
    connection->Begin(TransactionMode::kWrite);
    connection->Execute(Statement{sql, {}});
    connection->Commit();
  }
  /// As the reference keeps few rows: row ids 100, 101, … of one snapshot, which is the newest.
  void AddInlinedRows(int64_t rows) {
    Execute(
        "CREATE TABLE IF NOT EXISTS ducklake_inlined_data_1_1 (row_id BIGINT, begin_snapshot "
        "BIGINT, end_snapshot BIGINT, i BIGINT, v VARCHAR)");
    Execute("INSERT INTO ducklake_inlined_data_tables VALUES (1, 'ducklake_inlined_data_1_1', 1)");
    for (int64_t i = 0; i < rows; ++i) {
      Execute("INSERT INTO ducklake_inlined_data_1_1 VALUES (" + std::to_string(100 + i) +
              ", (SELECT max(snapshot_id) FROM ducklake_snapshot), NULL, 1, 'x')");
    }
  }
  void AddInlinedDelete(int64_t file, int64_t position, int64_t snapshot) {
    Execute(
        "CREATE TABLE IF NOT EXISTS ducklake_inlined_delete_1 (file_id BIGINT, row_id BIGINT, "
        "begin_snapshot BIGINT)");
    Execute("INSERT INTO ducklake_inlined_delete_1 VALUES (" + std::to_string(file) + ", " +
            std::to_string(position) + ", " + std::to_string(snapshot) + ")");
  }

  std::shared_ptr<Lake> lake_;
  FakeDeleteWriter writer_;
};

TEST_F(CommitDeletesTest, FirstDeleteIsAPlainFile) {
  EXPECT_EQ(DeleteAndCommit(0, {3, 1}), SnapshotId(2));
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("2|2|-|0|d1-delete.parquet|parquet|2|-"));
  EXPECT_EQ(Content("d1-delete.parquet"), "1:-1 3:-1 ");
  EXPECT_THAT(Query(kWords), ElementsAre("deleted_from_table:1"));
  EXPECT_THAT(Query("SELECT next_file_id, schema_version FROM ducklake_snapshot WHERE snapshot_id "
                    "= 2"),
              ElementsAre("3|1"));
  EXPECT_THAT(Query("SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats"),
              ElementsAre("15|15|1500"))
      << "deletes do not lower statistics";
  EXPECT_EQ(CountAt(2), 13);
}

TEST_F(CommitDeletesTest, LaterDeletesArePartialFilesThatReplaceTheOld) {
  DeleteAndCommit(0, {3});
  DeleteAndCommit(0, {5, 4});
  EXPECT_EQ(DeleteAndCommit(0, {0}), SnapshotId(4));
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("4|2|-|0|d3-delete.parquet|parquet|4|4"));
  EXPECT_EQ(Content("d3-delete.parquet"), "0:4 3:2 4:3 5:3 ");
  EXPECT_THAT(Query("SELECT data_file_id, path, path_is_relative, schedule_start = snapshot_time "
                    "FROM ducklake_files_scheduled_for_deletion, ducklake_snapshot "
                    "WHERE snapshot_id = data_file_id + 1 ORDER BY 1"),
              ElementsAre("2|main/t/d1-delete.parquet|1|1", "3|main/t/d2-delete.parquet|1|1"));
  EXPECT_EQ(CountAt(4), 11);
  EXPECT_EQ(writer_.discards, 0);
}

TEST_F(CommitDeletesTest, DeletionVectorsKeepTheirHistory) {
  writer_.vectors = true;
  DeleteAndCommit(0, {3});
  DeleteAndCommit(0, {5});
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("2|2|3|0|d1-delete.puffin|puffin|1|-",
                                               "3|3|-|0|d2-delete.puffin|puffin|2|-"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_files_scheduled_for_deletion"), IsEmpty());
  EXPECT_EQ(CountAt(2), 14);
  EXPECT_EQ(CountAt(3), 13);
}

TEST_F(CommitDeletesTest, TheOptionOfATableChoosesTheForm) {
  Run(*lake_, [](Transaction& transaction) {
    transaction.SetOption("write_deletion_vectors", "true", {{}, Ref(transaction)});
  });
  DeleteAndCommit(0, {3});
  Run(*lake_, [](Transaction& transaction) {
    transaction.SetOption("write_deletion_vectors", "false", {{}, Ref(transaction)});
  });
  writer_.vectors = true;
  DeleteAndCommit(0, {5});
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("3|2|-|0|d2-delete.parquet|parquet|2|3"));
  EXPECT_EQ(Content("d2-delete.parquet"), "3:2 5:3 ");
}

TEST_F(CommitDeletesTest, FilesWithoutLiveRowsEndWithTheirDeleteFiles) {
  DeleteAndCommit(1, {0, 1});
  DeleteAndCommit(1, {2, 3, 4});
  EXPECT_THAT(Query(kDataFiles), ElementsAre("0|1|-|a|0", "1|1|3|b|10"));
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("2|2|3|1|d1-delete.parquet|parquet|2|-"));
  EXPECT_EQ(writer_.writes, 1);
  EXPECT_THAT(Query("SELECT next_file_id FROM ducklake_snapshot WHERE snapshot_id = 3"),
              ElementsAre("3"));
  EXPECT_EQ(CountAt(2), 13);
  EXPECT_EQ(CountAt(3), 10);
}

TEST_F(CommitDeletesTest, AllRowsGoWithoutAFile) {
  AddInlinedRows(2);
  DeleteAndCommit(0, {3});
  auto transaction = lake_->Begin();
  Insert(*transaction, "t", {MakeFile("c", 3)});
  EXPECT_EQ(transaction->DeleteAllRows(Ref(*transaction)), 9 + 5 + 2 + 3);
  EXPECT_EQ(transaction->Commit(), SnapshotId(3)) << "without a writer";
  EXPECT_THAT(Query(kDataFiles), ElementsAre("0|1|3|a|0", "1|1|3|b|10"));
  EXPECT_THAT(Query("SELECT row_id, end_snapshot FROM ducklake_inlined_data_1_1"),
              ElementsAre("100|3", "101|3"));
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("2|2|3|0|d1-delete.parquet|parquet|1|-"));
  EXPECT_THAT(Query(kWords), ElementsAre("deleted_from_table:1,inlined_delete:1"));
  EXPECT_EQ(CountAt(3), 0);
  EXPECT_EQ(CountAt(2), 16);
}

TEST_F(CommitDeletesTest, UpdateIsADeleteAndAnInsert) {
  auto transaction = lake_->Begin();
  Delete(*transaction, 0, {7});
  DataFile updated = MakeFile("c", 1);
  updated.embeds_row_ids = true;
  Insert(*transaction, "t", {updated});
  Commit(*transaction);
  EXPECT_THAT(Query(kDataFiles), ElementsAre("0|1|-|a|0", "1|1|-|b|10", "2|2|-|c|15"));
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("3|2|-|0|d1-delete.parquet|parquet|1|-"));
  EXPECT_THAT(Query(kWords), ElementsAre("inserted_into_table:1,deleted_from_table:1"));
  EXPECT_THAT(Query("SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats"),
              ElementsAre("16|16|1600"));
}

TEST_F(CommitDeletesTest, DeletesFromOwnFilesComeWithThem) {
  auto transaction = lake_->Begin();
  Insert(*transaction, "t", {MakeFile("gone", 2), MakeFile("c", 3)});
  DeleteStaged(*transaction, 0, {0, 1});
  DeleteStaged(*transaction, 1, {2});
  Delete(*transaction, 1, {0});
  Commit(*transaction);
  EXPECT_THAT(Query(kDataFiles), ElementsAre("0|1|-|a|0", "1|1|-|b|10", "2|2|-|c|15"));
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("3|2|-|1|d1-delete.parquet|parquet|1|-",
                                               "4|2|-|2|d2-delete.parquet|parquet|1|-"));
  EXPECT_EQ(CountAt(2), 15 - 1 + 2);
}

TEST_F(CommitDeletesTest, BothFormsOfDeletesStayDisjoint) {
  AddInlinedDelete(0, 4, 1);
  DeleteAndCommit(0, {4, 5});
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("2|2|-|0|d1-delete.parquet|parquet|1|-"));
  EXPECT_EQ(Content("d1-delete.parquet"), "5:-1 ");
  AddInlinedDelete(1, 0, 1);
  DeleteAndCommit(1, {1, 2, 3, 4});
  EXPECT_THAT(Query(kDataFiles), ElementsAre("0|1|-|a|0", "1|1|-|b|10"))
      << "no row is left, but deletes of it are inlined";
}

TEST_F(CommitDeletesTest, ListLeavesWithoutCountedValuesKeepTheirBoundsSpoilt) {
  // A leaf inside lists may count no values and have bounds: then not every row was NULL, and
  // bounds that are lost stay lost.
  Run(*lake_, [](Transaction& t) {
    AddTable(t, "u");
    Insert(t, "u", {MakeFile("x", 2, {MakeStats(1, 0, 2, "1", "9")})});
  });
  Execute("UPDATE ducklake_table_column_stats SET min_value = NULL, max_value = NULL");
  Run(*lake_,
      [](Transaction& t) { Insert(t, "u", {MakeFile("y", 1, {MakeStats(1, 1, 0, "5", "5")})}); });
  EXPECT_THAT(Query("SELECT min_value, max_value FROM ducklake_table_column_stats WHERE table_id "
                    "= 2 AND column_id = 1"),
              ElementsAre("-|-"));
}

// --- two writers ---

TEST_F(CommitDeletesTest, PartialFilesAreWrittenAgainForAnotherSnapshot) {
  DeleteAndCommit(0, {3});
  auto transaction = lake_->Begin();
  Delete(*transaction, 0, {5});
  Delete(*transaction, 1, {0});
  writer_.on_write = [&](const PendingDelete&) {
    writer_.on_write = nullptr;  // between writing and the attempt
    Run(*OpenLake(), [](Transaction& t) { Insert(t, "t", {MakeFile("theirs", 1)}); });
  };
  EXPECT_EQ(Commit(*transaction), SnapshotId(4));
  EXPECT_THAT(Query(kDeleteFiles), ElementsAre("4|2|-|0|d4-delete.parquet|parquet|2|4",
                                               "5|4|-|1|d3-delete.parquet|parquet|1|-"))
      << "the plain file fits any snapshot";
  EXPECT_EQ(Content("d4-delete.parquet"), "3:2 5:4 ");
  EXPECT_EQ(writer_.discards, 1);
  EXPECT_EQ(Content("d2-delete.parquet"), "");
}

TEST_F(CommitDeletesTest, TwoDeletesOfOneFileConflictInAnyForm) {
  const std::string message =
      "Failed to commit DuckLake transaction. Transaction conflict - attempting to delete from "
      "table \"main\".\"t\" - but another transaction has deleted from it (snapshot 3)";
  for (bool has_delete_file : {false, true}) {
    for (bool ends_file : {false, true}) {
      folder_ /= "x";  // another lake
      std::filesystem::create_directories(folder_);
      lake_ = OpenLake();
      Run(*lake_, [](Transaction& t) {
        AddTable(t, "t");
        Insert(t, "t", {MakeFile("a", 10), MakeFile("b", 5)});
      });
      DeleteAndCommit(has_delete_file ? 0 : 1, {0});
      auto mine = lake_->Begin();
      Delete(*mine, 0, {1});
      auto other = lake_->Begin();
      if (ends_file)
        other->DeleteAllRows(Ref(*other));
      else
        Delete(*other, 0, {2});
      Commit(*other);
      const int64_t discards = writer_.discards;
      const int64_t writes = writer_.writes;
      EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { Commit(*mine); }), HasSubstr(message));
      EXPECT_EQ(writer_.discards - discards, writer_.writes - writes) << "nothing is left behind";
    }
  }
}

TEST_F(CommitDeletesTest, DeletesOfDifferentFilesCommute) {
  auto mine = lake_->Begin();
  Delete(*mine, 0, {1});
  auto other = lake_->Begin();
  Delete(*other, 1, {2});
  EXPECT_EQ(Commit(*other), SnapshotId(2));
  EXPECT_EQ(Commit(*mine), SnapshotId(3));
  EXPECT_EQ(CountAt(3), 13);
}

TEST_F(CommitDeletesTest, InlinedDeletesOfOthersCountAsDeletesOfTheFile) {
  auto mine = lake_->Begin();
  Delete(*mine, 0, {1});
  auto far = lake_->Begin();
  Delete(*far, 1, {1});
  Run(*lake_, [](Transaction& t) { Insert(t, "t", {MakeFile("c", 1)}); });
  AddInlinedDelete(0, 1, 2);
  Execute(
      "UPDATE ducklake_snapshot_changes SET changes_made = 'inlined_delete:1' WHERE "
      "snapshot_id = 2");
  EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { Commit(*mine); }),
              HasSubstr("has deleted from it (snapshot 2)"));
  EXPECT_EQ(Commit(*far), SnapshotId(3));
}

TEST_F(CommitDeletesTest, AMergeOfTheFileConflicts) {
  auto mine = lake_->Begin();
  Delete(*mine, 0, {1});
  Run(*lake_, [](Transaction& t) { Insert(t, "t", {MakeFile("c", 1)}); });
  Execute("DELETE FROM ducklake_data_file WHERE data_file_id = 0");
  Execute(
      "UPDATE ducklake_snapshot_changes SET changes_made = 'merge_adjacent:1' WHERE "
      "snapshot_id = 2");
  EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { Commit(*mine); }),
              HasSubstr("has merged its files (snapshot 2)"));
}

TEST_F(CommitDeletesTest, AFlushOfInlinedDeletesIsTakenIn) {
  AddInlinedDelete(0, 4, 1);
  auto mine = lake_->Begin();
  Delete(*mine, 0, {5});
  writer_.on_write = [&](const PendingDelete&) {
    writer_.on_write = nullptr;
    // What a flush leaves: the delete file begins where the inlined delete did.
    Run(*lake_, [](Transaction& t) { Insert(t, "t", {MakeFile("c", 1)}); });
    Execute("DELETE FROM ducklake_inlined_delete_1");
    Execute(
        "INSERT INTO ducklake_delete_file VALUES (50, 1, 1, NULL, 0, 'flushed', 1, 'parquet', 1, "
        "10, 5, NULL, NULL)");
    Execute(
        "UPDATE ducklake_snapshot_changes SET changes_made = "
        "'inline_flush:1,deleted_from_table:1' WHERE snapshot_id = 2");
    std::filesystem::create_directories(Path("data/main/t"));
    std::ofstream(Path("data/main/t/flushed")) << "4:-1\n";
  };
  EXPECT_EQ(Commit(*mine), SnapshotId(3));
  EXPECT_THAT(Query("SELECT begin_snapshot, partial_max, delete_count FROM ducklake_delete_file"),
              ElementsAre("1|3|2"));
  EXPECT_EQ(Content("d2-delete.parquet"), "4:1 5:3 ");
}

TEST_F(CommitDeletesTest, InlinedRowsEndOnce) {
  AddInlinedRows(3);
  auto mine = lake_->Begin();
  DeleteInlined(*mine, "ducklake_inlined_data_1_1", {100, 101});
  auto late = lake_->Begin();
  DeleteInlined(*late, "ducklake_inlined_data_1_1", {101, 102});
  EXPECT_EQ(Commit(*mine), SnapshotId(2));
  EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { Commit(*late); }),
              HasSubstr("attempting to delete from table \"main\".\"t\" - but another transaction "
                        "has deleted from it (snapshot 2)"));
  EXPECT_THAT(Query("SELECT row_id, end_snapshot FROM ducklake_inlined_data_1_1"),
              ElementsAre("100|2", "101|2", "102|-"));
  EXPECT_THAT(Query("SELECT max(snapshot_id) FROM ducklake_snapshot"), ElementsAre("2"));
  EXPECT_THAT(Query(kWords), ElementsAre("inlined_delete:1"));
}

TEST_F(CommitDeletesTest, DeletesOfDifferentInlinedRowsCommute) {
  AddInlinedRows(3);
  auto mine = lake_->Begin();
  DeleteInlined(*mine, "ducklake_inlined_data_1_1", {100});
  auto late = lake_->Begin();
  DeleteInlined(*late, "ducklake_inlined_data_1_1", {102});
  EXPECT_EQ(Commit(*mine), SnapshotId(2));
  EXPECT_EQ(Commit(*late), SnapshotId(3));
}

TEST_F(CommitDeletesTest, AnUpdateOfAnInlinedRowIsNotUndone) {
  AddInlinedRows(1);
  auto mine = lake_->Begin();
  DeleteInlined(*mine, "ducklake_inlined_data_1_1", {100});
  // Another client updates the row: the old version ends, a new one has the same row id.
  Run(*lake_, [](Transaction& t) { Insert(t, "t", {MakeFile("c", 1)}); });
  Execute("UPDATE ducklake_inlined_data_1_1 SET end_snapshot = 2");
  Execute("INSERT INTO ducklake_inlined_data_1_1 VALUES (100, 2, NULL, 7, 'y')");
  Execute(
      "UPDATE ducklake_snapshot_changes SET changes_made = "
      "'inlined_insert:1,inlined_delete:1' WHERE snapshot_id = 2");
  EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { Commit(*mine); }), HasSubstr("snapshot 2"));
  EXPECT_THAT(Query("SELECT end_snapshot FROM ducklake_inlined_data_1_1 WHERE i = 7"),
              ElementsAre("-"));
}

TEST_F(CommitDeletesTest, InsertsCommuteWithDeletesAndTruncates) {
  auto mine = lake_->Begin();
  mine->DeleteAllRows(Ref(*mine));
  Run(*lake_, [](Transaction& t) { Insert(t, "t", {MakeFile("c", 4)}); });
  EXPECT_EQ(Commit(*mine), SnapshotId(3));
  EXPECT_EQ(CountAt(3), 4);
}

// --- serialisable ---

Predicate Between(const char* low, const char* high) {
  Predicate both;
  both.kind = Predicate::Kind::kAnd;
  for (auto [compare, constant] : {std::pair(Predicate::Compare::kGreaterOrEqual, low),
                                   std::pair(Predicate::Compare::kLessOrEqual, high)}) {
    Predicate one;
    one.kind = Predicate::Kind::kCompare;
    one.field = FieldId(1);
    one.compare = compare;
    one.constants = {constant};
    both.children.push_back(one);
  }
  return both;
}

TEST_F(CommitDeletesTest, ReadsConflictWithRowsThatTheyMayMatch) {
  for (bool matches : {false, true}) {
    auto mine = lake_->Begin();
    mine->RecordRead(Ref(*mine), Between("100", "200"));
    Insert(*mine, "t", {MakeFile("mine", 1)});
    Run(*lake_, [&](Transaction& t) {
      const char* bound = matches ? "150" : "250";
      Insert(t, "t", {MakeFile("theirs", 1, {MakeStats(1, 1, 0, bound, bound)})});
    });
    if (matches) {
      EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { Commit(*mine); }),
                  HasSubstr("attempting to commit what was read from table \"main\".\"t\" - but "
                            "another transaction has inserted into it (snapshot 4)"));
    } else {
      EXPECT_EQ(Commit(*mine), SnapshotId(3));
    }
  }
}

TEST_F(CommitDeletesTest, ReadsConflictWithDeletes) {
  auto mine = lake_->Begin();
  mine->RecordRead(Ref(*mine), Between("100", "200"));
  Run(*mine->lake().shared_from_this(), [](Transaction& t) { AddTable(t, "u"); });
  AddTable(*mine, "n");
  DeleteAndCommit(0, {1});
  EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { Commit(*mine); }),
              HasSubstr("has deleted from it (snapshot 3)"));
}

TEST_F(CommitDeletesTest, WithoutRecordedReadsThereIsSnapshotIsolation) {
  auto mine = lake_->Begin();
  AddTable(*mine, "n");
  DeleteAndCommit(0, {1});
  EXPECT_EQ(Commit(*mine), SnapshotId(3));
}

}  // namespace
}  // namespace tarn::test
