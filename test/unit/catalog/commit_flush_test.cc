// Flushes: which rows leave the catalog, what their files and delete files are said to be, and what
// becomes of a flush beside other writers.
#include <fstream>
#include <sstream>

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
    "SELECT row_id, begin_snapshot, end_snapshot FROM ducklake_inlined_data_1_1 ORDER BY "
    "begin_snapshot, row_id";
constexpr const char* kFiles =
    "SELECT begin_snapshot, end_snapshot, record_count, row_id_start, partial_max FROM "
    "ducklake_data_file ORDER BY data_file_id";
constexpr const char* kDeleteFiles =
    "SELECT data_file_id, begin_snapshot, end_snapshot, delete_count, partial_max FROM "
    "ducklake_delete_file ORDER BY delete_file_id";
constexpr const char* kWords =
    "SELECT changes_made FROM ducklake_snapshot_changes ORDER BY snapshot_id DESC LIMIT 1";

class CommitFlushTest : public LakeTest {
 protected:
  void SetUp() override {
    lake_ = OpenLake();
    Commit([](Transaction& transaction) { AddTable(transaction, "t"); });
    Commit([](Transaction& transaction) { Stage(transaction, {10, 11, 12}); });
  }
  std::optional<SnapshotId> Commit(const std::function<void(Transaction&)>& work) {
    auto transaction = lake_->Begin();
    work(*transaction);
    return Commit(*transaction);
  }
  std::optional<SnapshotId> Commit(Transaction& transaction) {
    transaction.SetInliningDefault(3);
    return transaction.Commit(&writer_);
  }
  static std::shared_ptr<const Table> TableOf(Transaction& transaction) {
    return transaction.view()->FindTable("main", "t");
  }
  static void Stage(Transaction& transaction, std::vector<int64_t> values) {
    auto table = TableOf(transaction);
    transaction.StageRows(table->ref, std::make_shared<FakeStagedRows>(table, std::move(values),
                                                                       std::vector<int64_t>()));
  }
  static void Delete(Transaction& transaction, int64_t file, std::vector<int64_t> positions) {
    RowRemoval rows;
    rows.files.push_back({DataFileId(file), {}, std::move(positions)});
    transaction.DeleteRows(TableOf(transaction)->ref, rows);
  }
  static void DeleteInlined(Transaction& transaction, std::vector<int64_t> row_ids) {
    RowRemoval rows;
    rows.inlined.push_back({"ducklake_inlined_data_1_1", std::move(row_ids)});
    transaction.DeleteRows(TableOf(transaction)->ref, rows);
  }
  /// Of ten rows, two of which are deleted in the catalog; the table keeps no rows there any more.
  int64_t FileWithInlinedDeletes() {
    std::filesystem::create_directories(Path("data/main/t"));
    std::ofstream(Path("data/main/t/a")) << std::string(1000, 'x');
    Commit([&](Transaction& t) { Flush(t); });
    Commit([](Transaction& t) { Insert(t, "t", {MakeFile("a", 10)}); });
    const int64_t file = std::stoll(Query("SELECT max(data_file_id) FROM ducklake_data_file")[0]);
    Commit([&](Transaction& t) { Delete(t, file, {1, 2}); });
    return file;
  }
  /// As the engine does it; a file has one line per row. Returns how many rows that were.
  int64_t Flush(Transaction& transaction) {
    auto table = TableOf(transaction);
    auto plans = transaction.PlanFlush({table});
    if (plans.empty()) return -1;
    const FlushPlan& plan = plans.at(table->ref);
    std::vector<FlushedTable> flushed;
    int64_t count = 0;
    for (const InlinedScan& inlined : plan.inlined) {
      std::ostringstream text;
      FlushedTable& to = flushed.emplace_back();
      to.table_name = inlined.table_name;
      DataFile file = MakeFile("f" + std::to_string(++files_), 0);
      file.row_id_start = 1000;
      for (const std::string& row :
           Query("SELECT row_id, begin_snapshot FROM " + inlined.table_name +
                 " WHERE begin_snapshot <= " + std::to_string(transaction.base().id.value) +
                 " ORDER BY 1, 2")) {
        const int64_t row_id = std::stoll(row.substr(0, row.find('|')));
        const SnapshotId begin(std::stoll(row.substr(row.find('|') + 1)));
        text << row_id << ":" << begin.value << "\n";
        if (!file.begin_snapshot.valid() || begin < file.begin_snapshot)
          file.begin_snapshot = begin;
        file.partial_max = std::max(file.partial_max.value_or(begin), begin);
        file.row_id_start = std::min(*file.row_id_start, row_id);
        ++file.record_count;
      }
      std::filesystem::create_directories(Path("data/main/t"));
      std::ofstream(Path("data/main/t/" + file.path)) << text.str();
      file.file_size_bytes = static_cast<int64_t>(text.str().size());
      to.row_count = file.record_count;
      count += to.row_count;
      to.files.push_back(std::move(file));
    }
    transaction.StageFlush(table->ref, std::move(flushed), plan.has_deletes);
    return count;
  }
  std::string Conflict(Transaction& transaction) {
    try {
      Commit(transaction);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kConflict);
      return error.message();
    }
    return "committed";
  }

  std::shared_ptr<Lake> lake_;
  FakeDeleteWriter writer_;
  int files_ = 0;
};

TEST_F(CommitFlushTest, RowsBecomeAFileOfTheirSnapshots) {
  Commit([](Transaction& t) { Stage(t, {13}); });
  EXPECT_EQ(Commit([&](Transaction& t) { EXPECT_EQ(Flush(t), 4); }), SnapshotId(4));
  EXPECT_THAT(Query(kRows), IsEmpty());
  EXPECT_THAT(Query(kFiles), ElementsAre("2|-|4|0|3"));
  EXPECT_THAT(Query(kDeleteFiles), IsEmpty());
  EXPECT_THAT(Query(kWords), ElementsAre("inline_flush:1"));
  EXPECT_THAT(Query("SELECT record_count, next_row_id FROM ducklake_table_stats"),
              ElementsAre("4|4"));
}

TEST_F(CommitFlushTest, NothingToFlushIsNoPlan) {
  Commit([&](Transaction& t) { Flush(t); });
  EXPECT_EQ(Commit([&](Transaction& t) { EXPECT_EQ(Flush(t), -1); }), std::nullopt);
}

TEST_F(CommitFlushTest, RowsThatHaveEndedGetADeleteFile) {
  Commit([](Transaction& t) { DeleteInlined(t, {0}); });
  Commit([](Transaction& t) { DeleteInlined(t, {2}); });
  Commit([&](Transaction& t) { Flush(t); });
  EXPECT_THAT(Query(kFiles), ElementsAre("2|-|3|0|2"));
  EXPECT_THAT(Query("SELECT begin_snapshot, end_snapshot, delete_count, partial_max FROM "
                    "ducklake_delete_file"),
              ElementsAre("3|-|2|4"));
  EXPECT_EQ(FakeDeleteWriter::Text(Path("data/main/t/d1-delete.parquet")), "0:3 2:4 ");
}

TEST_F(CommitFlushTest, WithoutALiveRowTheFileEnds) {
  Commit([](Transaction& t) { DeleteInlined(t, {0, 1, 2}); });
  Commit([&](Transaction& t) { Flush(t); });
  EXPECT_THAT(Query(kFiles), ElementsAre("2|4|3|0|2"));
  EXPECT_THAT(Query("SELECT begin_snapshot, end_snapshot FROM ducklake_delete_file"),
              ElementsAre("3|4"));
}

TEST_F(CommitFlushTest, WhatOthersInsertedMeanwhileStays) {
  auto mine = lake_->Begin();
  EXPECT_EQ(Flush(*mine), 3);
  Commit([](Transaction& t) { Stage(t, {13}); });
  EXPECT_EQ(Commit(*mine), SnapshotId(4));
  EXPECT_THAT(Query(kRows), ElementsAre("3|3|-"));
}

TEST_F(CommitFlushTest, WhatOthersDeletedMeanwhileIsInTheDeleteFile) {
  auto mine = lake_->Begin();
  Flush(*mine);
  Commit([](Transaction& t) { DeleteInlined(t, {1}); });
  EXPECT_EQ(Commit(*mine), SnapshotId(4));
  EXPECT_EQ(FakeDeleteWriter::Text(Path("data/main/t/d1-delete.parquet")), "1:3 ");
}

TEST_F(CommitFlushTest, OwnDeletesEndWithTheFlush) {
  auto mine = lake_->Begin();
  DeleteInlined(*mine, {1});
  Flush(*mine);
  DeleteInlined(*mine, {2});
  EXPECT_EQ(Commit(*mine), SnapshotId(3));
  EXPECT_EQ(FakeDeleteWriter::Text(Path("data/main/t/d1-delete.parquet")), "1:3 2:3 ");
  EXPECT_THAT(Query(kWords), ElementsAre("inlined_delete:1,inline_flush:1"));
}

TEST_F(CommitFlushTest, OwnDeletesConflictWithThoseOfOthers) {
  auto mine = lake_->Begin();
  DeleteInlined(*mine, {1});
  Flush(*mine);
  Commit([](Transaction& t) { DeleteInlined(t, {1}); });
  EXPECT_THAT(Conflict(*mine), HasSubstr("has deleted from it"));
}

// A flush that lost a race has nothing to say: its rows are in files, or will be by the next one.
TEST_F(CommitFlushTest, OfTwoFlushesTheSecondFindsNothingLeft) {
  auto mine = lake_->Begin();
  Flush(*mine);
  Commit([&](Transaction& t) { Flush(t); });
  EXPECT_EQ(Commit(*mine), std::nullopt) << "nothing is left to commit";
  EXPECT_THAT(Query(kFiles), ElementsAre("2|-|3|0|2"));
  EXPECT_THAT(Query("SELECT max(snapshot_id) FROM ducklake_snapshot"), ElementsAre("3"));
}

TEST_F(CommitFlushTest, AnOlderFlushTakesOnlyWhatItFound) {
  auto older = lake_->Begin();
  Flush(*older);
  Commit([](Transaction& t) { Stage(t, {13}); });
  auto mine = lake_->Begin();
  EXPECT_EQ(Flush(*mine), 4);
  EXPECT_EQ(Commit(*older), SnapshotId(4));
  EXPECT_EQ(Commit(*mine), std::nullopt);
  EXPECT_THAT(Query(kRows), ElementsAre("3|3|-")) << "left to the next flush";
  EXPECT_THAT(Query(kFiles), ElementsAre("2|-|3|0|2"));
}

TEST_F(CommitFlushTest, WhatElseATransactionDidIsCommittedWithoutALostFlush) {
  auto mine = lake_->Begin();
  Flush(*mine);
  Stage(*mine, {20});
  Commit([&](Transaction& t) { Flush(t); });
  const std::string lost = Path("data/main/t/f1");
  ASSERT_TRUE(std::filesystem::exists(lost));
  EXPECT_EQ(Commit(*mine), SnapshotId(4));
  EXPECT_THAT(Query(kRows), ElementsAre("3|4|-"));
  EXPECT_THAT(Query(kFiles), ElementsAre("2|-|3|0|2"));
  EXPECT_THAT(Query(kWords), ElementsAre("inlined_insert:1"));
  EXPECT_FALSE(std::filesystem::exists(lost));
}

TEST_F(CommitFlushTest, OwnDeletesOfRowsThatAnotherFlushTookConflict) {
  auto mine = lake_->Begin();
  DeleteInlined(*mine, {1});
  Flush(*mine);
  Commit([&](Transaction& t) { Flush(t); });
  EXPECT_THAT(Conflict(*mine), HasSubstr("has flushed its inlined data"));
}

TEST_F(CommitFlushTest, ATableThatIsGoneNeedsNoFlush) {
  auto mine = lake_->Begin();
  Flush(*mine);
  Commit([](Transaction& t) { t.DropTable(TableOf(t)->ref); });
  EXPECT_EQ(Commit(*mine), std::nullopt);
}

TEST_F(CommitFlushTest, OfTwoFlushesOfDeletesOneWritesTheDeleteFile) {
  FileWithInlinedDeletes();
  auto mine = lake_->Begin();
  EXPECT_EQ(Flush(*mine), 0);
  auto late = lake_->Begin();
  EXPECT_EQ(Flush(*late), 0);
  // The other one commits while ours writes its delete file for the head before.
  bool first = true;
  writer_.on_write = [&](const PendingDelete&) {
    if (!std::exchange(first, false)) return;
    EXPECT_EQ(Commit(*late), SnapshotId(6));
  };
  EXPECT_EQ(Commit(*mine), std::nullopt);
  EXPECT_THAT(Query("SELECT begin_snapshot, end_snapshot, delete_count, partial_max FROM "
                    "ducklake_delete_file"),
              ElementsAre("5|-|2|5"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_inlined_delete_1"), IsEmpty());
}

TEST_F(CommitFlushTest, ADeleteOfRowsThatWereFlushedConflicts) {
  auto mine = lake_->Begin();
  DeleteInlined(*mine, {1});
  Commit([&](Transaction& t) { Flush(t); });
  EXPECT_THAT(Conflict(*mine), HasSubstr("has flushed its inlined data"));
}

TEST_F(CommitFlushTest, DeletesOfFilesJoinTheDeleteFileThatIsThere) {
  const int64_t file = FileWithInlinedDeletes();
  Commit([&](Transaction& t) { Delete(t, file, {4, 5, 6, 7}); });
  Commit([&](Transaction& t) { Delete(t, file, {9}); });
  Commit([&](Transaction& t) { EXPECT_EQ(Flush(t), 0); });
  EXPECT_THAT(Query("SELECT begin_snapshot, end_snapshot, delete_count, partial_max FROM "
                    "ducklake_delete_file"),
              ElementsAre("5|-|7|7"));
  EXPECT_THAT(Query("SELECT * FROM ducklake_inlined_delete_1"), IsEmpty());
  EXPECT_THAT(Query(kWords), ElementsAre("deleted_from_table:1"));
  EXPECT_EQ(FakeDeleteWriter::Text(Path("data/main/t/d2-delete.parquet")),
            "1:5 2:5 4:6 5:6 6:6 7:6 9:7 ");
}

}  // namespace
}  // namespace tarn::test
