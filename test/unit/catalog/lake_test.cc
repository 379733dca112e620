// Opening lakes: making new ones, refusing what is none or of another version, data paths, time
// travel, views.
#include <sqlite3.h>

#include <thread>

#include "base/time.h"
#include "gmock/gmock.h"
#include "tarn/maintenance.h"
#include "unit/catalog/faulty_store.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class LakeOpenTest : public LakeTest {
 protected:
  void Change(const std::string& sql) {
    sqlite3* db = nullptr;
    sqlite3_open(Path("lake.db").c_str(), &db);
    ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  std::string OpenError(
      ErrorCode code, const std::function<void(LakeOptions&)>& change = [](LakeOptions&) {}) {
    LakeOptions options = Options();
    options.data_path.clear();
    change(options);
    return ErrorOf(code, [&] { Lake::Open(options); });
  }
};

TEST_F(LakeOpenTest, NewLakeNeedsADataPath) {
  EXPECT_THAT(OpenError(ErrorCode::kInvalid),
              HasSubstr("Attempting to create a new ducklake instance but data_path is not set"));
  EXPECT_FALSE(std::filesystem::exists(Path("lake.db")));
}

TEST_F(LakeOpenTest, AbsentLakeIsNotCreatedAgainstTheUsersWish) {
  for (bool read_only : {false, true}) {
    std::string message = OpenError(ErrorCode::kNotFound, [&](LakeOptions& options) {
      options.data_path = "x";
      options.read_only = read_only;
      options.create_if_absent = false;
    });
    EXPECT_EQ(message,
              "Existing DuckLake at metadata catalog \"sqlite:" + Path("lake.db") +
                  "\" does not exist - and creating a new DuckLake is explicitly disabled");
  }
  EXPECT_FALSE(std::filesystem::exists(Path("lake.db")));
}

TEST_F(LakeOpenTest, DataPathMustAgreeOrBeOverridden) {
  OpenLake();
  EXPECT_EQ(Lake::Open(Options())->data_path(), Path("data") + "/");
  EXPECT_THAT(
      OpenError(ErrorCode::kInvalid, [](LakeOptions& options) { options.data_path = "other"; }),
      HasSubstr(
          "DATA_PATH parameter \"other/\" does not match existing data path in the catalog \"" +
          Path("data") + "/\".\nLeave DATA_PATH out: the lake knows its folder."));
  LakeOptions options = Options();
  options.data_path = "other";
  options.override_data_path = true;
  EXPECT_EQ(Lake::Open(options)->data_path(), "other/");
  options = Options();
  options.data_path = Path("./data//");
  EXPECT_EQ(Lake::Open(options)->data_path(), Path("data") + "/")
      << "another spelling of the same place";
}

/// Runs in another folder as long as it lives.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
  }
  ~WorkingFolder() { std::filesystem::current_path(before_); }

 private:
  const std::filesystem::path before_;
};

TEST_F(LakeOpenTest, ARelativeDataPathIsNotSplitOverTwoFolders) {
  LakeOptions options = Options();
  options.data_path = "shop.files/";
  {
    const WorkingFolder home(Path("home"));
    auto lake = Lake::Open(options);
    Run(*lake, [&](Transaction& transaction) {
      AddTable(transaction, "t");
      Insert(transaction, "t", {MakeFile("a.parquet", 1)});
    });
    std::filesystem::create_directories("shop.files");
    EXPECT_EQ(Lake::Open(options)->data_path(), "shop.files/");
  }
  options.data_path.clear();
  const WorkingFolder elsewhere(Path("elsewhere"));
  {
    auto lake = Lake::Open(options);
    EXPECT_THAT(
        ErrorOf(ErrorCode::kInvalid, [&] { lake->Begin()->CreateSchema("s"); }),
        HasSubstr("The data path \"shop.files/\" is relative: it is looked for in the working "
                  "folder \"" +
                  std::filesystem::current_path().string() +
                  "\" and beside the catalog, and is in neither."));
    EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { CleanUpOldFiles(*lake, {}); }),
                HasSubstr("is in neither"));
    EXPECT_EQ(lake->Begin()->view()->schemas().size(), 1u) << "it can be read";
  }
  options.data_path = Path("home/shop.files");
  EXPECT_EQ(Lake::Open(options)->data_path(), Path("home/shop.files") + "/");
  options.data_path = Path("home/absent/shop.files");
  ErrorOf(ErrorCode::kInvalid, [&] { Lake::Open(options); });
  options.data_path.clear();
  std::filesystem::create_directories(Path("shop.files"));
  EXPECT_EQ(Lake::Open(options)->data_path(), Path("shop.files/")) << "beside the catalog";
}

TEST_F(LakeOpenTest, EncryptionMustAgree) {
  LakeOptions options = Options();
  options.encrypted = true;
  auto lake = Lake::Open(options);
  EXPECT_TRUE(lake->encrypted());
  EXPECT_TRUE(OpenLake()->encrypted());
  EXPECT_EQ(OpenError(ErrorCode::kInvalid, [](LakeOptions& o) { o.encrypted = false; }),
            "Failed to set encryption - the database is encrypted but we requested an unencrypted "
            "database");
  auto transaction = lake->Begin();
  AddTable(*transaction, "t");
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid,
                      [&] { Insert(*transaction, "t", {MakeFile("plain.parquet", 1)}); }),
              HasSubstr("plain.parquet"));
}

TEST_F(LakeOpenTest, OtherVersionsAreRefusedWithAdvice) {
  OpenLake();
  Change("UPDATE ducklake_metadata SET value = '0.3' WHERE key = 'version'");
  EXPECT_EQ(
      OpenError(ErrorCode::kUnsupported),
      "DuckLake catalog version mismatch: catalog version is 0.3, but the extension requires "
      "version 1.0. To automatically migrate, "
      "set AUTOMATIC_MIGRATION to TRUE when attaching. From the command line: tarn -c \"ATTACH "
      "'ducklake:sqlite:" +
          Path("lake.db") + "' AS l (AUTOMATIC_MIGRATION)\"");
  EXPECT_EQ(OpenError(ErrorCode::kInvalid,
                      [](LakeOptions& o) { o.automatic_migration = o.read_only = true; }),
            "Failed to migrate DuckLake from v0.3 to v1.0: the lake is open read-only. Attach it "
            "once for writing, with AUTOMATIC_MIGRATION.");
  Change("UPDATE ducklake_metadata SET value = '1.1-dev.1' WHERE key = 'version'");
  EXPECT_THAT(OpenError(ErrorCode::kUnsupported), HasSubstr("catalog version is 1.1-dev.1"));
  EXPECT_THAT(
      OpenError(ErrorCode::kUnsupported, [](LakeOptions& o) { o.automatic_migration = true; }),
      HasSubstr("Only DuckLake versions 0.1"));
}

TEST_F(LakeOpenTest, DamagedCatalogsAreNamed) {
  OpenLake();
  Change("DELETE FROM ducklake_snapshot");
  EXPECT_THAT(OpenError(ErrorCode::kCorrupt), HasSubstr("ducklake_snapshot"));
  Change("DELETE FROM ducklake_metadata");
  EXPECT_THAT(OpenError(ErrorCode::kCorrupt), HasSubstr("version"));
}

TEST_F(LakeOpenTest, ManyCreatorsMakeOneLake) {
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<Lake>> lakes(6);
  for (auto& lake : lakes) {
    threads.emplace_back([&] { lake = Lake::Open(Options()); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& lake : lakes) ASSERT_NE(lake, nullptr);
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"), ElementsAre("1"));
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_schema"), ElementsAre("1"));
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_metadata"), ElementsAre("4"));
}

TEST_F(LakeOpenTest, OtherTablesMayLiveBeside) {
  Change("CREATE TABLE mine (x INTEGER)");
  auto lake = OpenLake();
  EXPECT_EQ(lake->Begin()->view()->schemas().size(), 1u);
}

TEST_F(LakeOpenTest, ReadOnlyLakesAreNotWritten) {
  OpenLake();
  LakeOptions options = Options();
  options.read_only = true;
  auto lake = Lake::Open(options);
  EXPECT_TRUE(lake->read_only());
  auto transaction = lake->Begin();
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { AddTable(*transaction, "t"); }),
              HasSubstr("read-only"));
}

class TimeTravelTest : public LakeTest {};

TEST_F(TimeTravelTest, SnapshotsAreFoundByVersionAndTime) {
  auto lake = OpenLake();
  for (const char* name : {"a", "b", "c"})
    Run(*lake, [&](Transaction& transaction) { AddTable(transaction, name); });
  auto snapshots = lake->ListSnapshots();
  ASSERT_EQ(snapshots.size(), 4u);
  EXPECT_EQ(snapshots[3].changes_made, "created_table:\"main\".\"c\"");
  EXPECT_EQ(lake->FindSnapshot({SnapshotId(2), {}}).time, snapshots[2].snapshot.time);
  EXPECT_EQ(lake->FindSnapshot({{}, snapshots[2].snapshot.time}).id, SnapshotId(2));
  EXPECT_EQ(lake->FindSnapshot({{}, snapshots[2].snapshot.time + std::chrono::microseconds(1)}).id,
            SnapshotId(2));
  EXPECT_EQ(lake->FindSnapshot({}).id, SnapshotId(3));
  const std::string kept = ": the oldest that is kept is 0 of " +
                           FormatTimestampTz(snapshots[0].snapshot.time) + ", the newest 3 of " +
                           FormatTimestampTz(snapshots[3].snapshot.time) + ".";
  EXPECT_EQ(ErrorOf(ErrorCode::kNotFound,
                    [&] {
                      lake->FindSnapshot({SnapshotId(9), {}});
                    }),
            "No snapshot found at version 9" + kept);
  EXPECT_EQ(ErrorOf(ErrorCode::kNotFound,
                    [&] {
                      lake->FindSnapshot({{}, Timestamp()});
                    }),
            "No snapshot found at timestamp 1970-01-01 00:00:00+00" + kept);
  EXPECT_EQ(lake->last_committed(), SnapshotId(3));
  EXPECT_EQ(OpenLake()->last_committed(), std::nullopt);
}

TEST_F(TimeTravelTest, ViewsShowWhatWasAliveThen) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) { AddTable(transaction, "a"); });
  Run(*lake, [](Transaction& transaction) {
    transaction.DropTable(transaction.view()->FindTable("main", "a")->ref);
    transaction.CreateView({"main", "a", "SELECT 1", ""});
  });
  Run(*lake, [](Transaction& transaction) {
    transaction.DropSchema(transaction.view()->FindSchema("main")->schema->ref, true);
  });
  // The same answers with a warm cache and with none.
  for (const auto& some_lake : {lake, OpenLake()}) {
    auto at = [&](int64_t id) {
      return some_lake->ViewAt(some_lake->FindSnapshot({SnapshotId(id), {}}));
    };
    EXPECT_EQ(at(0)->FindTable("main", "a"), nullptr);
    ASSERT_NE(at(1)->FindTable("main", "a"), nullptr);
    EXPECT_EQ(at(1)->FindTable("main", "A")->columns.size(), 2u);
    EXPECT_EQ(at(2)->FindTable("main", "a"), nullptr);
    EXPECT_NE(at(2)->FindView("main", "a"), nullptr);
    EXPECT_TRUE(at(3)->schemas().empty());
  }
  auto pinned = lake->Begin({SnapshotId(1), {}});
  EXPECT_EQ(pinned->base().id, SnapshotId(1));
  EXPECT_NE(pinned->view()->FindTable("main", "a"), nullptr);
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { pinned->CreateSchema("s"); }),
              HasSubstr("read-only"));
}

TEST_F(TimeTravelTest, BeginningCostsOneQueryUnlessOthersChangedObjects) {
  auto counter = std::make_shared<Fault>();
  LakeOptions options = Options();
  options.store = std::make_shared<FaultyStore>(options.store, counter);
  auto lake = Lake::Open(options);
  auto calls = [&] {
    const int64_t before = counter->calls;
    lake->Begin();
    return counter->calls - before;
  };
  const int64_t first = calls();
  EXPECT_GT(first, 5) << "objects are loaded";
  EXPECT_EQ(calls(), 1);
  Run(*lake, [](Transaction& transaction) { AddTable(transaction, "t"); });
  EXPECT_EQ(calls(), 1) << "what a commit made is known";
  auto other = OpenLake();
  Run(*other, [](Transaction& transaction) { Insert(transaction, "t", {MakeFile("f", 1)}); });
  EXPECT_EQ(calls(), 1) << "rows are no objects";
  for (int i = 0; i < 20; ++i)
    Run(*other, [&](Transaction& transaction) { AddTable(transaction, "n" + std::to_string(i)); });
  const int64_t refresh = calls();
  EXPECT_GT(refresh, 1);
  EXPECT_LT(refresh, 20) << "whatever the number of objects";
  EXPECT_EQ(calls(), 1);
}

class ObjectRulesTest : public LakeTest {};

TEST_F(ObjectRulesTest, NamesIgnoreCaseAndAreSharedByTablesAndViews) {
  auto lake = OpenLake();
  auto transaction = lake->Begin();
  AddTable(*transaction, "t");
  transaction->CreateView({"main", "v", "SELECT 1", ""});
  transaction->CreateSchema("s");
  EXPECT_EQ(ErrorOf(ErrorCode::kAlreadyExists, [&] { AddTable(*transaction, "T"); }),
            "Table with name \"T\" already exists!");
  EXPECT_EQ(ErrorOf(ErrorCode::kAlreadyExists, [&] { AddTable(*transaction, "V"); }),
            "View with name \"V\" already exists!");
  ErrorOf(ErrorCode::kAlreadyExists, [&] {
    transaction->CreateView({"MAIN", "T", "SELECT 1", ""});
  });
  EXPECT_EQ(ErrorOf(ErrorCode::kAlreadyExists, [&] { transaction->CreateSchema("S"); }),
            "Schema with name \"S\" already exists!");
  ErrorOf(ErrorCode::kNotFound, [&] { AddTable(*transaction, "t", "nowhere"); });
  AddTable(*transaction, "t", "s");
}

TEST_F(ObjectRulesTest, SchemaInUseIsNotDropped) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) {
    transaction.CreateSchema("s");
    AddTable(transaction, "t", "s");
  });
  auto transaction = lake->Begin();
  SchemaRef schema = transaction->view()->FindSchema("s")->schema->ref;
  EXPECT_THAT(ErrorOf(ErrorCode::kInvalid, [&] { transaction->DropSchema(schema, false); }),
              HasSubstr("Cannot drop schema \"s\" because there are entries that depend on "
                        "it\ntable \"t\" depends on schema \"s\"."));
  transaction->DropSchema(schema, true);
  transaction->Commit();
  EXPECT_THAT(Query("SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = 2"),
              ElementsAre("dropped_schema:1,dropped_table:2"));
  EXPECT_THAT(Query("SELECT end_snapshot FROM ducklake_table"), ElementsAre("2"));
}

TEST_F(ObjectRulesTest, ColumnsAreChecked) {
  auto lake = OpenLake();
  auto transaction = lake->Begin();
  auto create = [&](std::vector<Column> columns) {
    transaction->CreateTable({"main", "x", std::move(columns)});
  };
  EXPECT_EQ(ErrorOf(ErrorCode::kInvalid,
                    [&] {
                      create({MakeColumn("i", "int32"), MakeColumn("I", "int32")});
                    }),
            "Column with name I already exists!");
  EXPECT_THAT(ErrorOf(ErrorCode::kUnsupported, [&] { create({MakeColumn("u", "union")}); }),
              HasSubstr("union"));
  ErrorOf(ErrorCode::kInvalid, [&] { create({}); });
  ErrorOf(ErrorCode::kInvalid,
          [&] { create({MakeColumn("m", "map", {MakeColumn("key", "int32")})}); });
  ErrorOf(ErrorCode::kInvalid,
          [&] { create({MakeColumn("i", "int32", {MakeColumn("key", "int32")})}); });
  EXPECT_FALSE(transaction->has_changes());
}

TEST_F(ObjectRulesTest, CommitMessagesCanBeRequired) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& transaction) {
    transaction.SetOption("require_commit_message", "true", {});
  });
  EXPECT_THAT(
      ErrorOf(ErrorCode::kInvalid,
              [&] { Run(*lake, [](Transaction& transaction) { AddTable(transaction, "t"); }); }),
      HasSubstr("Commit Information for the snapshot is required but has not been provided"));
  Run(*lake, [](Transaction& transaction) {
    AddTable(transaction, "t");
    transaction.SetCommitMessage({"me", {}, {}});
  });
  EXPECT_THAT(
      Query("SELECT author, commit_message FROM ducklake_snapshot_changes WHERE snapshot_id = 1"),
      ElementsAre("me|-"));
}

TEST_F(ObjectRulesTest, AnEndedTransactionIsOver) {
  auto lake = OpenLake();
  auto transaction = lake->Begin();
  transaction->Commit();
  ErrorOf(ErrorCode::kInvalid, [&] { transaction->CreateSchema("s"); });
  ErrorOf(ErrorCode::kInvalid, [&] { transaction->Commit(); });
}

}  // namespace
}  // namespace tarn::test
