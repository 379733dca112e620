// Restores: which rows of the catalog they become. Files are names here; what lies in them is for
// the SQL corpus.
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

constexpr const char* kFiles =
    "SELECT data_file_id, begin_snapshot, end_snapshot, path, row_id_start FROM ducklake_data_file "
    "ORDER BY data_file_id";
constexpr const char* kTables =
    "SELECT table_id, table_name, begin_snapshot, end_snapshot FROM ducklake_table ORDER BY "
    "begin_snapshot, table_id";
constexpr const char* kWords =
    "SELECT changes_made FROM ducklake_snapshot_changes ORDER BY snapshot_id DESC LIMIT 1";
constexpr const char* kStats =
    "SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats";

class CommitRestoreTest : public LakeTest {
 protected:
  void SetUp() override {
    lake_ = OpenLake();
    Commit([](Transaction& t) { AddTable(t, "t"); });
    for (const char* path : {"a", "b"}) {
      Commit([&](Transaction& t) { Insert(t, "t", {MakeFile(path, 10, {MakeStats(1, 10, 0)})}); });
    }
  }
  std::optional<SnapshotId> Commit(const std::function<void(Transaction&)>& work) {
    auto transaction = lake_->Begin();
    work(*transaction);
    return transaction->Commit(&writer_);
  }
  static TableRef TableOf(Transaction& t) { return t.view()->FindTable("main", "t")->ref; }
  static void Delete(Transaction& t, int64_t file, std::vector<int64_t> positions) {
    RowRemoval rows;
    rows.files.push_back({DataFileId(file), {}, std::move(positions)});
    t.DeleteRows(TableOf(t), rows);
  }
  static RestoreRequest To(int64_t version, std::optional<std::string> table = {}) {
    RestoreRequest request;
    request.at.version = SnapshotId(version);
    request.table = std::move(table);
    return request;
  }
  /// As the engine does it, with names in place of files. Returns how many came back.
  size_t Restore(Transaction& t, const RestoreRequest& request) {
    RestorePlan plan = t.PlanRestore(request);
    size_t count = 0;
    for (RestoredTable& table : plan.tables) {
      for (RevivedFile& file : table.files) {
        file.path = "again" + std::to_string(++count);
        file.dead = file.source.deleted_positions;
        for (const ScanDelete& deletion : file.source.deletes) {
          for (auto [position, by] : FakeDeleteWriter::Read(deletion.path)) {
            if (!deletion.snapshot_limit || by <= deletion.snapshot_limit->value)
              file.dead.push_back(position);
          }
        }
      }
    }
    t.StageRestore(std::move(plan));
    return count;
  }

  std::shared_ptr<Lake> lake_;
  FakeDeleteWriter writer_;
};

TEST_F(CommitRestoreTest, FilesStayEndAndComeBack) {
  Commit([](Transaction& t) { Delete(t, 0, {1}); });
  Commit([](Transaction& t) { Insert(t, "t", {MakeFile("c", 5, {MakeStats(1, 5, 0)})}); });
  EXPECT_EQ(Commit([&](Transaction& t) { EXPECT_EQ(Restore(t, To(3)), 1u); }), SnapshotId(6));
  EXPECT_THAT(Query(kFiles),
              ElementsAre("0|2|6|a|0", "1|3|-|b|10", "3|5|6|c|20", "4|6|-|again1|0"));
  EXPECT_THAT(Query(kWords), ElementsAre("inserted_into_table:1,deleted_from_table:1"));
  // Row ids go on from where they were.
  EXPECT_THAT(Query(kStats), ElementsAre("35|25|3500"));
  EXPECT_THAT(Query("SELECT data_file_id, record_count FROM ducklake_file_column_stats s JOIN "
                    "ducklake_data_file USING (data_file_id) WHERE data_file_id = 4"),
              ElementsAre("4|10"));
}

TEST_F(CommitRestoreTest, DeletesOfThenComeBackAsDeletesOfTheNewFile) {
  Commit([](Transaction& t) { Delete(t, 0, {1}); });
  Commit([](Transaction& t) { Delete(t, 0, {2, 3}); });
  Commit([&](Transaction& t) { Restore(t, To(4)); });
  EXPECT_THAT(Query("SELECT data_file_id, begin_snapshot, end_snapshot, delete_count FROM "
                    "ducklake_delete_file WHERE end_snapshot IS NULL"),
              ElementsAre("4|6|-|1"));
  auto t = lake_->Begin();
  TableScan scan;
  scan.table = t->view()->FindTable("main", "t");
  EXPECT_EQ(t->PlanScan(scan).row_count, 19);
}

TEST_F(CommitRestoreTest, ADroppedTableComesBackAsItself) {
  Commit([](Transaction& t) { t.DropTable(TableOf(t)); });
  RestoreRequest request;
  request.table = "T";
  request.dropped = true;
  EXPECT_EQ(Commit([&](Transaction& t) { EXPECT_EQ(Restore(t, request), 2u); }), SnapshotId(5));
  EXPECT_THAT(Query(kTables), ElementsAre("1|t|1|4", "1|t|5|-"));
  EXPECT_THAT(Query(kWords), ElementsAre("created_table:\"main\".\"t\",inserted_into_table:1"));
  EXPECT_THAT(Query("SELECT count(DISTINCT table_uuid) FROM ducklake_table"), ElementsAre("1"));
  EXPECT_THAT(Query(kStats), ElementsAre("40|20|4000"));
  EXPECT_THAT(ErrorOf(ErrorCode::kNotFound, [&] { lake_->Begin()->PlanRestore(request); }),
              HasSubstr("has been dropped from schema"));
}

TEST_F(CommitRestoreTest, AFormerSpecComesBackUnderANewId) {
  const auto partition = [](std::vector<SetPartitioning::Key> keys) {
    return [keys](Transaction& t) { t.AlterTable(TableOf(t), SetPartitioning{keys}); };
  };
  Commit(partition({{"i", "identity"}}));
  Commit([](Transaction& t) {
    DataFile file = MakeFile("p", 5, {MakeStats(1, 5, 0)});
    file.partition_id = t.view()->FindTable("main", "t")->partition->ref;
    file.partition_values = {"7"};
    Insert(t, "t", {file});
  });
  Commit([](Transaction& t) { Delete(t, 2, {1}); });
  Commit(partition({}));
  Commit([&](Transaction& t) { EXPECT_EQ(Restore(t, To(5)), 1u); });
  EXPECT_THAT(
      Query("SELECT partition_id, begin_snapshot, end_snapshot FROM ducklake_partition_info "
            "ORDER BY 1"),
      ElementsAre("2|4|7", "3|8|-"));
  EXPECT_THAT(Query("SELECT partition_id, partition_key_index FROM ducklake_partition_column ORDER "
                    "BY 1"),
              ElementsAre("2|0", "3|0"));
  EXPECT_THAT(Query("SELECT f.partition_id, v.partition_value FROM ducklake_data_file f JOIN "
                    "ducklake_file_partition_value v USING (data_file_id) WHERE path = 'again1'"),
              ElementsAre("3|7"));
}

TEST_F(CommitRestoreTest, NothingToDoMakesNoSnapshot) {
  EXPECT_EQ(Commit([&](Transaction& t) { EXPECT_EQ(Restore(t, To(3)), 0u); }), std::nullopt);
  auto t = lake_->Begin();
  EXPECT_THAT(t->PlanRestore(To(3)).tables, IsEmpty());
  EXPECT_THAT(t->PlanRestore(To(3, "t")).tables, IsEmpty());
}

TEST_F(CommitRestoreTest, ChangesOfOthersAreNotOverwritten) {
  for (const std::optional<std::string>& table : {std::optional<std::string>("t"), {}}) {
    auto t = lake_->Begin();
    Restore(*t, To(2, table));
    Commit([&](Transaction& other) {
      Insert(other, "t", {MakeFile(table ? "x" : "y", 5, {MakeStats(1, 5, 0)})});
    });
    EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { t->Commit(&writer_); }),
                HasSubstr(table ? "restore table \"main\".\"t\"" : "restore the lake"));
  }
}

TEST_F(CommitRestoreTest, AVersionThatExpiresMeanwhileIsNotRestored) {
  Commit([](Transaction& t) { t.DropTable(TableOf(t)); });
  RestoreRequest undrop;
  undrop.table = "t";
  undrop.dropped = true;
  std::vector<std::shared_ptr<Transaction>> open;
  for (const RestoreRequest& request : {undrop, To(3, "t"), To(3)}) {
    open.push_back(lake_->Begin());
    EXPECT_EQ(Restore(*open.back(), request), 2u);
  }
  Commit([](Transaction& other) {
    other.ExpireSnapshots({.versions = {SnapshotId(3)}, .older_than = {}}, false);
  });
  for (const auto& t : open) {
    EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { t->Commit(&writer_); }),
                HasSubstr("restore version 3 - but it has been expired meanwhile"));
  }
}

TEST_F(CommitRestoreTest, ATransactionWithChangesCannotGoBack) {
  auto t = lake_->Begin();
  Insert(*t, "t", {MakeFile("c", 5)});
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { t->PlanRestore(To(2)); }),
              HasSubstr("has made changes"));
}

TEST_F(CommitRestoreTest, UnknownVersionsAndNamesAreSaid) {
  auto t = lake_->Begin();
  EXPECT_THAT(ErrorOf(ErrorCode::kNotFound, [&] { t->PlanRestore(To(9)); }),
              HasSubstr("No snapshot found at version 9: the oldest that is kept is 0 of "));
  EXPECT_THAT(ErrorOf(ErrorCode::kNotFound, [&] { t->PlanRestore(To(2, "u")); }),
              HasSubstr("There was no table \"u\""));
}

}  // namespace
}  // namespace tarn::test
