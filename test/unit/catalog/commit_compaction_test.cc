// Merges and rewrites: which files are taken, which rows of the catalog they become, and what
// becomes of them beside other writers.
#include "gmock/gmock.h"
#include "tarn/check.h"
#include "unit/catalog/fake_delete_writer.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kFiles =
    "SELECT data_file_id, begin_snapshot, end_snapshot, record_count, row_id_start, partial_max "
    "FROM ducklake_data_file ORDER BY data_file_id";
constexpr const char* kWords =
    "SELECT changes_made FROM ducklake_snapshot_changes ORDER BY snapshot_id DESC LIMIT 1";
constexpr const char* kScheduled =
    "SELECT data_file_id, path, path_is_relative FROM ducklake_files_scheduled_for_deletion "
    "ORDER BY data_file_id";

class CommitCompactionTest : public LakeTest {
 protected:
  void SetUp() override {
    lake_ = OpenLake();
    Commit([](Transaction& t) { AddTable(t, "t"); });
    for (const char* path : {"a", "b", "c"}) {
      Commit([&](Transaction& t) { Insert(t, "t", {MakeFile(path, 10, {MakeStats(1, 10, 0)})}); });
    }
  }
  std::optional<SnapshotId> Commit(const std::function<void(Transaction&)>& work) {
    auto transaction = lake_->Begin();
    work(*transaction);
    return transaction->Commit(&writer_);
  }
  static std::shared_ptr<const Table> TableOf(Transaction& transaction) {
    return transaction.view()->FindTable("main", "t");
  }
  static void Delete(Transaction& transaction, int64_t file, std::vector<int64_t> positions) {
    RowRemoval rows;
    rows.files.push_back({DataFileId(file), {}, std::move(positions)});
    transaction.DeleteRows(TableOf(transaction)->ref, rows);
  }
  static std::vector<CompactionUnit> Plan(Transaction& transaction, CompactionKind kind,
                                          double threshold = 0) {
    CompactionRequest request;
    request.table = TableOf(transaction);
    request.kind = kind;
    request.target_file_size = 1'000'000;
    request.delete_threshold = threshold;
    return transaction.PlanCompaction({request});
  }
  /// As the engine does it, without files. Returns how many files each unit takes.
  std::vector<size_t> Compact(Transaction& transaction, CompactionKind kind, int64_t rows) {
    std::vector<size_t> taken;
    for (const CompactionUnit& unit : Plan(transaction, kind)) {
      taken.push_back(unit.sources.size());
      std::optional<DataFile> file;
      if (rows > 0) {
        file = MakeFile("new" + std::to_string(++files_), rows, {MakeStats(1, rows, 0)});
        if (kind == CompactionKind::kMerge) {
          file->begin_snapshot = unit.sources.front().file.begin_snapshot;
          if (unit.needs_snapshots) file->partial_max = unit.sources.back().file.begin_snapshot;
          file->row_id_start = unit.first_row_id;
        }
      }
      transaction.StageCompaction(unit, std::move(file));
    }
    return taken;
  }
  std::vector<size_t> Merge(Transaction& transaction) {
    return Compact(transaction, CompactionKind::kMerge, 30);
  }
  std::vector<size_t> Rewrite(Transaction& transaction, int64_t rows = 9) {
    return Compact(transaction, CompactionKind::kRewrite, rows);
  }
  std::string Conflict(Transaction& transaction) {
    return ErrorOf(ErrorCode::kConflict, [&] { transaction.Commit(&writer_); });
  }

  std::shared_ptr<Lake> lake_;
  FakeDeleteWriter writer_;
  int files_ = 0;
};

TEST_F(CommitCompactionTest, AMergeTakesThePlaceOfItsSources) {
  EXPECT_EQ(Commit([&](Transaction& t) { EXPECT_THAT(Merge(t), ElementsAre(3)); }), SnapshotId(5));
  EXPECT_THAT(Query(kFiles), ElementsAre("3|2|-|30|0|4"));
  EXPECT_THAT(Query(kWords), ElementsAre("merge_adjacent:1"));
  EXPECT_THAT(Query(kScheduled), ElementsAre("0|main/t/a|1", "1|main/t/b|1", "2|main/t/c|1"));
  EXPECT_THAT(Query("SELECT DISTINCT data_file_id FROM ducklake_file_column_stats"),
              ElementsAre("3"));
  EXPECT_THAT(Query("SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats"),
              ElementsAre("30|30|3000"));
  EXPECT_EQ(Commit([&](Transaction& t) { EXPECT_THAT(Merge(t), IsEmpty()); }), std::nullopt);
}

TEST_F(CommitCompactionTest, AMergeIsReadAtEachSnapshot) {
  Commit([&](Transaction& t) { Merge(t); });
  auto transaction = lake_->Begin();
  TableScan scan;
  scan.table = TableOf(*transaction);
  EXPECT_EQ(transaction->PlanScan(scan).files.front().row_snapshot_limit, std::nullopt);
  SnapshotSelector at;
  at.version = SnapshotId(3);
  scan.at = lake_->FindSnapshot(at);
  ASSERT_EQ(transaction->PlanScan(scan).files.size(), 1u);
  EXPECT_EQ(transaction->PlanScan(scan).files.front().row_snapshot_limit, SnapshotId(3));
}

TEST_F(CommitCompactionTest, PlansThatAreHeldTogetherNumberFilesAlike) {
  auto transaction = lake_->Begin();
  TableScan scan;
  scan.table = TableOf(*transaction);
  TableScan past = scan;
  past.at = transaction->base();
  const auto ids = [&](const TableScan& question) {
    std::vector<int64_t> found;
    for (const ScanFile& file : transaction->PlanScan(question).files)
      found.push_back(file.file.id.value);
    return found;
  };
  std::optional<ScanPlan> held = transaction->PlanScan(scan);
  Commit([&](Transaction& t) { Merge(t); });
  EXPECT_THAT(ids(scan), ElementsAre(0, 1, 2));
  EXPECT_THAT(ids(past), ElementsAre(0, 1, 2));
  TableScan anew = scan;
  anew.anew = true;
  EXPECT_THAT(ids(anew), ElementsAre(3));
  held.reset();
  EXPECT_THAT(ids(scan), ElementsAre(3));
}

TEST_F(CommitCompactionTest, WhatRowsWereRemovedFromStays) {
  auto transaction = lake_->Begin();
  TableScan scan;
  scan.table = TableOf(*transaction);
  std::optional<ScanPlan> held = transaction->PlanScan(scan);
  Delete(*transaction, 1, {0, 1});
  held.reset();
  Commit([&](Transaction& t) { Merge(t); });
  const ScanPlan plan = transaction->PlanScan(scan);
  ASSERT_EQ(plan.files.size(), 3u);
  EXPECT_EQ(plan.row_count, 28);
  EXPECT_THAT(plan.files[1].deleted_positions, ElementsAre(0, 1));
}

TEST_F(CommitCompactionTest, FilesWithDeletesAreNotMerged) {
  Commit([](Transaction& t) { Delete(t, 1, {0}); });
  Commit([&](Transaction& t) { EXPECT_THAT(Merge(t), ElementsAre(2)); });
  EXPECT_THAT(Query(kFiles), ElementsAre("1|3|-|10|10|-", "4|2|-|30|-|4"));
}

TEST_F(CommitCompactionTest, ARewriteLeavesThePast) {
  Commit([](Transaction& t) { Delete(t, 1, {0}); });
  Commit([&](Transaction& t) { EXPECT_THAT(Rewrite(t), ElementsAre(1)); });
  EXPECT_THAT(Query(kFiles),
              ElementsAre("0|2|-|10|0|-", "1|3|6|10|10|-", "2|4|-|10|20|-", "4|6|-|9|-|-"));
  EXPECT_THAT(Query("SELECT begin_snapshot, end_snapshot FROM ducklake_delete_file"),
              ElementsAre("5|6"));
  EXPECT_THAT(Query(kWords), ElementsAre("rewrite_delete:1"));
  EXPECT_THAT(Query(kScheduled), IsEmpty());
  EXPECT_THAT(Query("SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats"),
              ElementsAre("29|30|2900"));
}

TEST_F(CommitCompactionTest, ARewriteOfNoRowsMakesNoFile) {
  Commit([](Transaction& t) { Delete(t, 1, {0}); });
  Commit([&](Transaction& t) { Rewrite(t, 0); });
  EXPECT_THAT(Query(kFiles), ElementsAre("0|2|-|10|0|-", "1|3|6|10|10|-", "2|4|-|10|20|-"));
}

TEST_F(CommitCompactionTest, TheThresholdIsAShareOfRows) {
  Commit([](Transaction& t) { Delete(t, 1, {0, 1, 2}); });
  auto transaction = lake_->Begin();
  EXPECT_EQ(Plan(*transaction, CompactionKind::kRewrite, 0.3).size(), 1u);
  EXPECT_EQ(Plan(*transaction, CompactionKind::kRewrite, 0.31).size(), 0u);
}

TEST_F(CommitCompactionTest, InsertsAndDeletesOfOtherFilesCommute) {
  Commit([](Transaction& t) { Delete(t, 1, {0}); });
  auto mine = lake_->Begin();
  Merge(*mine);
  Commit([](Transaction& t) { Insert(t, "t", {MakeFile("d", 10)}); });
  Commit([](Transaction& t) { Delete(t, 1, {5}); });
  EXPECT_EQ(mine->Commit(&writer_), SnapshotId(8));
}

TEST_F(CommitCompactionTest, ADeleteOfASourceConflictsInBothOrders) {
  auto merge = lake_->Begin();
  Merge(*merge);
  Commit([](Transaction& t) { Delete(t, 1, {0}); });
  EXPECT_THAT(Conflict(*merge), HasSubstr("merge files of table"));
  auto deletion = lake_->Begin();
  Delete(*deletion, 0, {0});
  Commit([&](Transaction& t) { EXPECT_THAT(Merge(t), ElementsAre(2)); });
  EXPECT_THAT(Conflict(*deletion), HasSubstr("has merged its files"));
}

TEST_F(CommitCompactionTest, ADeleteFromAFileThatIsRewrittenConflictsInBothOrders) {
  Commit([](Transaction& t) { Delete(t, 1, {0}); });
  auto rewrite = lake_->Begin();
  Rewrite(*rewrite);
  Commit([](Transaction& t) { Delete(t, 1, {1}); });
  EXPECT_THAT(Conflict(*rewrite), HasSubstr("rewrite files of table"));
  auto deletion = lake_->Begin();
  Delete(*deletion, 1, {2});
  Commit([&](Transaction& t) { Rewrite(t, 8); });
  EXPECT_THAT(Conflict(*deletion), HasSubstr("has rewritten its files"));
}

TEST_F(CommitCompactionTest, OfTwoCompactionsOneWins) {
  auto mine = lake_->Begin();
  Merge(*mine);
  Commit([&](Transaction& t) { Merge(t); });
  EXPECT_THAT(Conflict(*mine), HasSubstr("has merged its files"));
  EXPECT_THAT(Query(kFiles), ElementsAre("3|2|-|30|0|4"));
}

TEST_F(CommitCompactionTest, ADropConflictsAndAlterationsDoNot) {
  auto dropped = lake_->Begin();
  Merge(*dropped);
  auto altered = lake_->Begin();
  Merge(*altered);
  Commit([](Transaction& t) { t.AlterTable(TableOf(t)->ref, RenameTable{"u"}); });
  EXPECT_EQ(altered->Commit(&writer_), SnapshotId(6));
  Commit([](Transaction& t) { t.DropTable(t.view()->FindTable("main", "u")->ref); });
  EXPECT_THAT(Conflict(*dropped), HasSubstr("has dropped it"));
}

TEST_F(CommitCompactionTest, ATransactionMakesChangesOrCompacts) {
  auto changes = lake_->Begin();
  Insert(*changes, "t", {MakeFile("d", 10)});
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { Plan(*changes, CompactionKind::kMerge); }),
              HasSubstr("not both"));
  auto compaction = lake_->Begin();
  Merge(*compaction);
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { Insert(*compaction, "t", {MakeFile("d", 10)}); }),
              HasSubstr("not both"));
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { AddTable(*compaction, "u"); }),
              HasSubstr("not both"));
  EXPECT_THAT(Plan(*compaction, CompactionKind::kMerge), IsEmpty());
  EXPECT_EQ(compaction->Commit(&writer_), SnapshotId(5));
}

TEST_F(CommitCompactionTest, FilesOfOthersThatHoldLaterRowsAreNotTaken) {
  auto mine = lake_->Begin();
  Commit([](Transaction& t) { Insert(t, "t", {MakeFile("d", 10)}); });
  Commit(
      [&](Transaction& t) { EXPECT_THAT(Compact(t, CompactionKind::kMerge, 40), ElementsAre(4)); });
  Commit([](Transaction& t) { Insert(t, "t", {MakeFile("e", 10)}); });
  EXPECT_THAT(Plan(*mine, CompactionKind::kMerge), IsEmpty());
}

}  // namespace
}  // namespace tarn::test
