// Expired snapshots, files that wait for their deletion, and files that nobody knows: what goes,
// and above all what stays.
#include <filesystem>
#include <fstream>
#include <set>

#include "gmock/gmock.h"
#include "tarn/check.h"
#include "tarn/maintenance.h"
#include "unit/catalog/fake_staged_rows.h"
#include "unit/catalog/faulty_file_system.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr const char* kScheduled =
    "SELECT path, path_is_relative FROM ducklake_files_scheduled_for_deletion ORDER BY path";

class ExpiryTest : public LakeTest {
 protected:
  void SetUp() override { lake_ = OpenLake(); }

  void Commit(const std::function<void(Transaction&)>& work) { Run(*lake_, work); }
  void Make(const std::string& table, std::vector<DataFile> files) {
    Commit([&](Transaction& transaction) {
      AddTable(transaction, table);
      Insert(transaction, table, std::move(files));
    });
  }
  void Drop(const std::string& table) {
    Commit([&](Transaction& transaction) {
      transaction.DropTable(transaction.view()->FindTable("main", table)->ref);
    });
  }
  std::vector<int64_t> Expire(ExpiryRequest request) {
    std::vector<int64_t> ids;
    Commit([&](Transaction& transaction) {
      for (const SnapshotInfo& info : transaction.ExpireSnapshots(request, false))
        ids.push_back(info.snapshot.id.value);
    });
    return ids;
  }
  std::vector<int64_t> ExpireAll() {
    return Expire({.versions = {}, .older_than = Timestamp::max()});
  }
  /// A file on disk; returns its path.
  std::string Touch(const std::string& path) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << "rows";
    return path;
  }
  static DataFile At(const std::string& path) {
    DataFile file = MakeFile(path, 10);
    file.path_is_relative = false;
    return file;
  }
  static std::string NameOf(const std::string& path) { return fs::path(path).filename(); }

  std::shared_ptr<Lake> lake_;
};

TEST_F(ExpiryTest, TheNewestSnapshotStays) {
  Make("t", {MakeFile("a.parquet", 10)});
  EXPECT_THAT(Expire({.versions = {SnapshotId(1), SnapshotId(7)}, .older_than = {}}), IsEmpty());
  EXPECT_THAT(ExpireAll(), ElementsAre(0));
  EXPECT_THAT(Query("SELECT snapshot_id FROM ducklake_snapshot_changes"), ElementsAre("1"));
}

TEST_F(ExpiryTest, WhatWasCommittedSinceTheCallIsNotExpired) {
  Make("t", {MakeFile("a.parquet", 10)});
  auto expiring = lake_->Begin();
  expiring->ExpireSnapshots({.versions = {}, .older_than = Timestamp::max()}, false);
  Make("u", {MakeFile("b.parquet", 10)});
  expiring->Commit();
  EXPECT_THAT(Query("SELECT snapshot_id FROM ducklake_snapshot"), ElementsAre("1", "2"));
}

TEST_F(ExpiryTest, TwoExpiriesAtOnceDoItOnce) {
  Make("t", {MakeFile("a.parquet", 10)});
  Drop("t");
  Make("u", {MakeFile("b.parquet", 10)});
  auto first = lake_->Begin();
  auto second = lake_->Begin();
  const ExpiryRequest all{.versions = {}, .older_than = Timestamp::max()};
  EXPECT_EQ(first->ExpireSnapshots(all, false).size(), 3);
  EXPECT_EQ(second->ExpireSnapshots(all, false).size(), 3);
  first->Commit();
  second->Commit();
  EXPECT_THAT(Query("SELECT snapshot_id FROM ducklake_snapshot"), ElementsAre("3"));
  EXPECT_THAT(Query(kScheduled), ElementsAre("main/t/a.parquet|1"));
}

TEST_F(ExpiryTest, AFileThatAnotherRowNamesIsNotScheduled) {
  Make("t", {MakeFile("a.parquet", 10), MakeFile("b.parquet", 10)});
  Make("u", {At(Path("data") + "//main/./t/a.parquet")});
  Drop("t");
  ExpireAll();
  EXPECT_THAT(Query(kScheduled), ElementsAre("main/t/b.parquet|1"));
  Drop("u");
  ExpireAll();
  EXPECT_THAT(Query(kScheduled),
              ElementsAre(Path("data") + "//main/./t/a.parquet|0", "main/t/b.parquet|1"));
}

TEST_F(ExpiryTest, AFileBehindASymbolicLinkIsTheSameFile) {
  fs::create_directories(Path("data"));
  fs::create_directory_symlink(Path("data"), Path("link"));
  Make("t", {MakeFile("a.parquet", 10)});
  Make("u", {At(Path("link/main/t/a.parquet"))});
  Touch(Path("data/main/t/a.parquet"));
  Drop("t");
  ExpireAll();
  EXPECT_THAT(Query(kScheduled), IsEmpty());
}

TEST_F(ExpiryTest, RowsOfOneFileThatGoTogetherScheduleItOnce) {
  Make("t", {MakeFile("a.parquet", 10), MakeFile("a.parquet", 10)});
  Drop("t");
  ExpireAll();
  EXPECT_THAT(Query(kScheduled), ElementsAre("main/t/a.parquet|1"));
}

TEST_F(ExpiryTest, NothingIsLeftOfADroppedTable) {
  Commit([](Transaction& transaction) {
    auto table = AddTable(transaction, "t");
    transaction.SetInliningDefault(10);
    transaction.StageRows(table->ref,
                          std::make_shared<FakeStagedRows>(table, std::vector<int64_t>{1, 2}));
  });
  Make("u", {MakeFile("b.parquet", 10, {MakeStats(1, 10, 0, "1", "5")})});
  Drop("t");
  Drop("u");
  ExpireAll();
  for (const char* table : {"table", "column", "data_file", "file_column_stats", "table_stats",
                            "table_column_stats", "inlined_data_tables", "schema_versions"}) {
    EXPECT_THAT(Query(std::string("SELECT * FROM ducklake_") + table), IsEmpty()) << table;
  }
  EXPECT_THAT(Query("SELECT name FROM sqlite_master WHERE name LIKE 'ducklake_inlined_data_1%'"),
              IsEmpty());
}

TEST_F(ExpiryTest, AReaderOfAnExpiredSnapshotIsTold) {
  Make("t", {MakeFile("a.parquet", 10)});
  auto reader = lake_->Begin();
  TableScan scan;
  scan.table = reader->view()->FindTable("main", "t");
  EXPECT_EQ(reader->PlanScan(scan).files.size(), 1);
  Drop("t");
  EXPECT_EQ(reader->PlanScan(scan).files.size(), 1);
  ExpireAll();
  EXPECT_THAT(ErrorOf(ErrorCode::kNotFound, [&] { reader->PlanScan(scan); }),
              HasSubstr("Snapshot 1 is being read, but it has been expired"));
}

TEST_F(ExpiryTest, AnInsertWhoseBaseWentButWhichCanBeCheckedCommits) {
  Make("t", {MakeFile("a.parquet", 10)});
  auto writer = lake_->Begin();
  Insert(*writer, "t", {MakeFile("b.parquet", 10)});
  Make("u", {});
  Expire({.versions = {SnapshotId(0), SnapshotId(1)}, .older_than = {}});
  EXPECT_EQ(writer->Commit(), SnapshotId(3));
  EXPECT_THAT(Query("SELECT path FROM ducklake_data_file"), ElementsAre("a.parquet", "b.parquet"));
}

// --- clean-up ---

class CleanUpTest : public ExpiryTest {
 protected:
  void SetUp() override {
    ExpiryTest::SetUp();
    a_ = Touch(Path("data/main/t/a.parquet"));
    b_ = Touch(Path("data/main/t/b.parquet"));
    Make("t", {MakeFile("a.parquet", 10), MakeFile("b.parquet", 10)});
    Drop("t");
    ExpireAll();
  }
  std::string a_, b_;
};

TEST_F(CleanUpTest, FilesGoAndThenTheirRows) {
  EXPECT_THAT(CleanUpOldFiles(*lake_, {.older_than = Timestamp::min()}), IsEmpty());
  EXPECT_THAT(CleanUpOldFiles(*lake_, {.dry_run = true}), UnorderedElementsAre(a_, b_));
  EXPECT_TRUE(fs::exists(a_));
  EXPECT_THAT(CleanUpOldFiles(*lake_, {}), UnorderedElementsAre(a_, b_));
  EXPECT_FALSE(fs::exists(a_) || fs::exists(b_));
  EXPECT_THAT(Query(kScheduled), IsEmpty());
}

TEST_F(CleanUpTest, AFileThatIsGoneIsDoneWith) {
  fs::remove(a_);  // as after a crash
  EXPECT_THAT(CleanUpOldFiles(*lake_, {}), UnorderedElementsAre(a_, b_));
  EXPECT_THAT(Query(kScheduled), IsEmpty());
}

TEST_F(CleanUpTest, AFileThatIsNamedAgainStays) {
  Make("u", {At(a_)});
  EXPECT_THAT(CleanUpOldFiles(*lake_, {.dry_run = true}), ElementsAre(b_));
  EXPECT_THAT(Query(kScheduled), testing::SizeIs(2));
  EXPECT_THAT(CleanUpOldFiles(*lake_, {}), ElementsAre(b_));
  EXPECT_TRUE(fs::exists(a_));
  EXPECT_THAT(Query(kScheduled), IsEmpty());
}

TEST_F(CleanUpTest, WhatCannotBeRemovedStaysScheduled) {
  auto fault = std::make_shared<Fault>();
  fault->at = 0;
  fault->code = ErrorCode::kUnavailable;
  LakeOptions options = Options();
  options.file_system = std::make_shared<FaultyFileSystem>(LocalFileSystem(), fault);
  auto faulty = Lake::Open(std::move(options));
  EXPECT_THAT(ErrorOf(ErrorCode::kUnavailable, [&] { CleanUpOldFiles(*faulty, {}); }),
              HasSubstr("1 of the files could not be removed; the others are."));
  EXPECT_EQ(fs::exists(a_) + fs::exists(b_), 1);
  EXPECT_THAT(Query(kScheduled), testing::SizeIs(1));
  EXPECT_THAT(CleanUpOldFiles(*lake_, {}), testing::SizeIs(1));
  EXPECT_THAT(Query(kScheduled), IsEmpty());
}

TEST_F(CleanUpTest, AnInterruptLeavesTheRest) {
  int asked = 0;
  ErrorOf(ErrorCode::kInterrupted,
          [&] { CleanUpOldFiles(*lake_, {.interrupted = [&] { return ++asked > 1; }}); });
  EXPECT_THAT(Query(kScheduled), testing::SizeIs(2));
  EXPECT_THAT(CleanUpOldFiles(*lake_, {}), testing::SizeIs(2));
}

// --- orphans ---

class OrphansTest : public ExpiryTest {
 protected:
  std::set<std::string> Orphans(FileRemoval removal = {}) {
    removal.dry_run = true;
    std::set<std::string> names;
    for (const std::string& path : DeleteOrphanedFiles(*lake_, removal)) names.insert(NameOf(path));
    const std::vector<std::string> again =
        DeleteOrphanedFiles(*lake_, {.older_than = removal.older_than, .pending = removal.pending});
    EXPECT_EQ(again.size(), names.size());
    for (const std::string& path : again) EXPECT_FALSE(fs::exists(path)) << path;
    return names;
  }
};

TEST_F(OrphansTest, OnlyUnknownFilesOfTheLakesKindGo) {
  for (const char* name : {"known", "ended", "stray", "deletes"})
    Touch(Path(std::string("data/main/t/") + name + ".parquet"));
  Touch(Path("data/main/t/stray.puffin"));
  Touch(Path("data/main/t/stray.csv"));
  Touch(Path("data/main/t/stray.parquet.tmp"));
  Touch(Path("data/top.parquet"));
  Touch(Path("beside.parquet"));
  Make("t", {MakeFile("known.parquet", 10), At(Path("data/./main//t/deletes.parquet"))});
  Make("u", {At(Path("data/main/t/ended.parquet"))});
  Drop("u");
  EXPECT_THAT(Orphans(), UnorderedElementsAre("stray.parquet", "stray.puffin", "top.parquet"));
  ExpireAll();
  EXPECT_THAT(Orphans(), IsEmpty());  // scheduled now
  EXPECT_TRUE(fs::exists(Path("beside.parquet")));
}

TEST_F(OrphansTest, YoungFilesStay) {
  Touch(Path("data/young.parquet"));
  const auto hour_ago = std::chrono::time_point_cast<std::chrono::microseconds>(
      std::chrono::system_clock::now() - std::chrono::hours(1));
  EXPECT_THAT(Orphans({.older_than = Timestamp(hour_ago.time_since_epoch())}), IsEmpty());
  EXPECT_THAT(Orphans(), ElementsAre("young.parquet"));
}

TEST_F(OrphansTest, PendingFilesStay) {
  Touch(Path("data/main/t/mine.parquet"));
  auto pending = [&] { return std::vector<std::string>{Path("data//main/t/mine.parquet")}; };
  EXPECT_THAT(Orphans({.pending = pending}), IsEmpty());
}

TEST_F(OrphansTest, AFileThatIsCommittedMeanwhileStays) {
  Touch(Path("data/main/t/a.parquet"));
  auto pending = [&] {  // asked for after the listing
    if (Query("SELECT 1 FROM ducklake_data_file").empty()) Make("t", {MakeFile("a.parquet", 10)});
    return std::vector<std::string>();
  };
  EXPECT_THAT(Orphans({.pending = pending}), IsEmpty());
}

TEST_F(OrphansTest, SymbolicLinksAreNotFollowed) {
  Touch(Path("elsewhere/precious.parquet"));
  Touch(Path("data/stray.parquet"));
  fs::create_directory_symlink(Path("elsewhere"), Path("data/link"));
  fs::create_symlink(Path("elsewhere/precious.parquet"), Path("data/link.parquet"));
  EXPECT_THAT(Orphans(), ElementsAre("stray.parquet"));
  EXPECT_TRUE(fs::exists(Path("elsewhere/precious.parquet")));
  EXPECT_TRUE(fs::exists(Path("data/link.parquet")));
}

TEST_F(OrphansTest, FilesThatAreNamedThroughLinksAreKnown) {
  Touch(Path("data/real/a.parquet"));
  fs::create_directories(Path("data/main"));
  fs::create_directory_symlink(Path("data/real"), Path("data/main/t"));
  Make("t", {MakeFile("a.parquet", 10)});
  EXPECT_THAT(Orphans(), IsEmpty());
}

TEST_F(OrphansTest, AnotherLakeBelowIsLeftAlone) {
  Touch(Path("data/main/t/a.parquet"));
  Touch(Path("data/inner/main/t/b.parquet"));
  Touch(Path("data/inner/s/t/c.parquet"));
  Touch(Path("data/dropped/t/d.parquet"));
  Touch(Path("data/main/main/e.parquet"));
  Make("t", {MakeFile("a.parquet", 10)});
  EXPECT_THAT(Orphans(), UnorderedElementsAre("d.parquet", "e.parquet"));
  EXPECT_TRUE(fs::exists(Path("data/inner/s/t/c.parquet")));
}

}  // namespace
}  // namespace tarn::test
