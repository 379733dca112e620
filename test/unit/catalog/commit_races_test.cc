// Several writers on one lake: what each committed is there once, row ids do not overlap, and
// whoever came second was told.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "catalog/commit_queue.h"
#include "gmock/gmock.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kCommits = 50;

class CommitRacesTest : public LakeTest {
 protected:
  static void InsertMany(Lake& lake, const std::string& who) {
    for (int i = 0; i < kCommits; ++i) {
      Run(lake, [&](Transaction& transaction) {
        std::string value = std::to_string(i);
        Insert(transaction, "t",
               {MakeFile(who + value + ".parquet", 1 + i % 3, {MakeStats(1, 1, 0, value, value)})});
      });
    }
  }

  void ExpectAllThere(int writers) const {
    const std::string commits = std::to_string(writers * kCommits);
    EXPECT_THAT(Query("SELECT count(*), count(DISTINCT path), count(DISTINCT data_file_id), "
                      "count(DISTINCT begin_snapshot) FROM ducklake_data_file"),
                ElementsAre(commits + "|" + commits + "|" + commits + "|" + commits));
    EXPECT_THAT(Query("SELECT a.path FROM ducklake_data_file a JOIN ducklake_data_file b ON "
                      "a.data_file_id < b.data_file_id "
                      "AND a.row_id_start < b.row_id_start + b.record_count AND b.row_id_start < "
                      "a.row_id_start + a.record_count"),
                IsEmpty())
        << "row ids overlap";
    EXPECT_EQ(
        Query("SELECT record_count, next_row_id FROM ducklake_table_stats"),
        Query(
            "SELECT sum(record_count), max(row_id_start + record_count) FROM ducklake_data_file"));
    EXPECT_THAT(Query("SELECT a.snapshot_id FROM ducklake_snapshot a JOIN ducklake_snapshot b ON "
                      "b.snapshot_id = a.snapshot_id + 1 "
                      "WHERE a.snapshot_time >= b.snapshot_time"),
                IsEmpty())
        << "time went back";
  }

  LakeOptions WriterOptions() {
    LakeOptions options = Options();
    options.environment = {};  // real time, real waiting
    options.retry = {100, 1, 1.2};
    return options;
  }
};

TEST_F(CommitRacesTest, TwoLakesInOneProcess) {
  Run(*OpenLake(), [](Transaction& transaction) { AddTable(transaction, "t"); });
  std::vector<std::thread> threads;
  for (const char* who : {"a", "b"}) {
    threads.emplace_back([this, who] { InsertMany(*Lake::Open(WriterOptions()), who); });
  }
  for (std::thread& thread : threads) thread.join();
  ExpectAllThere(2);
}

TEST_F(CommitRacesTest, ManyThreadsOfOneLake) {
  auto lake = Lake::Open(WriterOptions());
  Run(*lake, [](Transaction& transaction) { AddTable(transaction, "t"); });
  std::vector<std::thread> threads;
  for (const char* who : {"a", "b", "c"}) {
    threads.emplace_back([&lake, who] { InsertMany(*lake, who); });
  }
  for (std::thread& thread : threads) thread.join();
  ExpectAllThere(3);
}

TEST_F(CommitRacesTest, TwoProcesses) {
  Run(*OpenLake(), [](Transaction& transaction) { AddTable(transaction, "t"); });
  std::vector<pid_t> children;
  for (const char* who : {"a", "b"}) {
    pid_t child = fork();
    if (child == 0) {
      int status = 0;
      try {
        InsertMany(*Lake::Open(WriterOptions()), who);
      } catch (const std::exception& error) {
        fprintf(stderr, "%s: %s\n", who, error.what());
        status = 1;
      }
      _exit(status);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  ExpectAllThere(2);
}

TEST(CommitQueueTest, LetsInOneAtATimeAndForgetsThoseWhoGaveUp) {
  CommitQueue queue;
  auto first = queue.Wait({});
  ErrorOf(ErrorCode::kInterrupted, [&] { queue.Wait([] { return true; }); });
  std::atomic<int> inside{0}, done{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      auto turn = queue.Wait({});
      EXPECT_EQ(++inside, 1);
      std::this_thread::yield();
      --inside;
      ++done;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(done, 0);
  first.reset();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 4);
}

class CommitConflictsTest : public LakeTest {
 protected:
  /// Both begin on one snapshot, `first` commits, then `second`.
  std::string SecondFails(const std::function<void(Transaction&)>& first,
                          const std::function<void(Transaction&)>& second) {
    auto [lake, mine, theirs] = BothBegin(first, second);
    theirs->Commit();
    return ErrorOf(ErrorCode::kConflict, [&] { mine->Commit(); });
  }
  void SecondCommits(const std::function<void(Transaction&)>& first,
                     const std::function<void(Transaction&)>& second) {
    auto [lake, mine, theirs] = BothBegin(first, second);
    auto expected = SnapshotId(theirs->Commit()->value + 1);
    EXPECT_EQ(mine->Commit(), expected);
  }

 private:
  struct Both {
    std::shared_ptr<Lake> lake;
    std::unique_ptr<Transaction> mine, theirs;
  };
  Both BothBegin(const std::function<void(Transaction&)>& first,
                 const std::function<void(Transaction&)>& second) {
    for (const char* suffix : {"", "-wal", "-shm"})
      std::filesystem::remove(Path("lake.db") + suffix);
    Both both{OpenLake(), nullptr, nullptr};
    Run(*both.lake, [](Transaction& transaction) {
      transaction.CreateSchema("s");
      AddTable(transaction, "t");
      AddTable(transaction, "u", "s");
    });
    both.theirs = OpenLake()->Begin();
    both.mine = both.lake->Begin();
    first(*both.theirs);
    second(*both.mine);
    return both;
  }
};

std::function<void(Transaction&)> Drop(const std::string& schema, const std::string& name) {
  return [=](Transaction& transaction) {
    transaction.DropTable(transaction.view()->FindTable(schema, name)->ref);
  };
}

TEST_F(CommitConflictsTest, TwoInsertsRebase) {
  auto insert = [](const char* path) {
    return [path](Transaction& transaction) {
      Insert(transaction, "t", {MakeFile(path, 2, {MakeStats(1, 2, 0, path, path)})});
      AddTable(transaction, path);
    };
  };
  SecondCommits(insert("7"), insert("8"));
  EXPECT_THAT(
      Query("SELECT data_file_id, begin_snapshot, path, row_id_start FROM ducklake_data_file"),
      ElementsAre("0|2|7|0", "1|3|8|2"));
  EXPECT_THAT(Query("SELECT min_value, max_value FROM ducklake_table_column_stats"),
              ElementsAre("7|8"));
  EXPECT_THAT(Query("SELECT table_id, table_name FROM ducklake_table WHERE begin_snapshot > 1"),
              ElementsAre("4|7", "5|8"));
  EXPECT_THAT(Query("SELECT snapshot_id, schema_version, next_catalog_id, next_file_id FROM "
                    "ducklake_snapshot WHERE snapshot_id > 1"),
              ElementsAre("2|2|5|1", "3|3|6|2"));
}

TEST_F(CommitConflictsTest, MessagesNameObjectAndSnapshot) {
  EXPECT_THAT(
      SecondFails(Drop("main", "t"), [](Transaction& t) { Insert(t, "t", {MakeFile("f", 1)}); }),
      HasSubstr("Failed to commit DuckLake transaction. Transaction conflict - attempting to "
                "insert into table \"main\".\"t\" - but "
                "another transaction has dropped it (snapshot 2)"));
  EXPECT_THAT(SecondFails([](Transaction& t) { AddTable(t, "N"); },
                          [](Transaction& t) { AddTable(t, "n"); }),
              HasSubstr("attempting to create table \"main\".\"n\" - but another transaction has "
                        "created a table with that name (snapshot 2)"));
  EXPECT_THAT(
      SecondFails(
          [](Transaction& t) { t.DropSchema(t.view()->FindSchema("s")->schema->ref, true); },
          [](Transaction& t) {
            t.CreateView({"s", "v", "SELECT 1", ""});
          }),
      HasSubstr("attempting to create \"v\" in schema \"s\" - but another transaction has dropped "
                "that schema (snapshot 2)"));
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"), ElementsAre("3"))
      << "nothing was written";
}

TEST_F(CommitConflictsTest, ConflictsAreFoundOverManySnapshots) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& t) { AddTable(t, "t"); });
  auto mine = lake->Begin();
  Insert(*mine, "t", {MakeFile("mine", 1)});
  auto other = OpenLake();
  Run(*other, [](Transaction& t) { AddTable(t, "a"); });
  Run(*other, [](Transaction& t) { t.DropTable(t.view()->FindTable("main", "t")->ref); });
  Run(*other, [](Transaction& t) { AddTable(t, "t"); });
  EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { mine->Commit(); }),
              HasSubstr("has dropped it (snapshot 3)"));
}

TEST_F(CommitConflictsTest, ExpiredSnapshotsInBetweenRefuseTheCommit) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& t) { AddTable(t, "t"); });
  auto on_head = lake->Begin();
  auto behind = lake->Begin();
  Insert(*behind, "t", {MakeFile("behind", 1)});
  auto other = OpenLake();
  Run(*other, [](Transaction& t) { AddTable(t, "a"); });
  Run(*other, [](Transaction& t) { AddTable(t, "b"); });
  {
    auto connection = OpenCatalogStore("sqlite", StoreOptionsFor("lake.db"))->Connect();
    connection->Execute({"DELETE FROM ducklake_snapshot WHERE snapshot_id = 2", {}});
    connection->Execute({"DELETE FROM ducklake_snapshot_changes WHERE snapshot_id = 2", {}});
  }
  EXPECT_THAT(ErrorOf(ErrorCode::kConflict, [&] { behind->Commit(); }),
              HasSubstr("snapshot 2 after it has been expired"));
  // Nothing is missing for one that began on the head.
  Run(*lake, [](Transaction& t) { Insert(t, "t", {MakeFile("later", 1)}); });
}

TEST_F(CommitConflictsTest, ViewsRefreshByWhatChanged) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& t) {
    t.CreateSchema("gone");
    AddTable(t, "kept");
    AddTable(t, "dropped");
    AddTable(t, "in_gone", "gone");
  });
  auto before = lake->Begin()->view();
  auto other = OpenLake();
  Run(*other, [](Transaction& t) {
    t.DropTable(t.view()->FindTable("main", "dropped")->ref);
    t.DropSchema(t.view()->FindSchema("gone")->schema->ref, true);
    t.CreateSchema("new");
    AddTable(t, "made", "new");
    t.CreateView({"main", "dropped", "SELECT 1", ""});
  });
  auto after = lake->Begin()->view();
  EXPECT_EQ(after->FindTable("main", "kept"), before->FindTable("main", "kept"))
      << "what did not change is shared";
  EXPECT_EQ(after->FindTable("main", "dropped"), nullptr);
  EXPECT_NE(after->FindView("main", "dropped"), nullptr);
  EXPECT_EQ(after->FindSchema("gone"), nullptr);
  EXPECT_NE(after->FindTable("new", "made"), nullptr);
  EXPECT_EQ(after->tables().size(), 2u);
}

std::string Describe(const std::vector<Column>& columns) {
  std::string out;
  for (const Column& column : columns) {
    out += " (" + std::to_string(column.id.value) + " " + std::to_string(column.order) + " " +
           column.name + " " + column.type + " " + column.default_value.value_or("-") + " " +
           column.default_value_type.value_or("-") + " " +
           std::to_string(column.begin_snapshot.value) + Describe(column.children) + ")";
  }
  return out;
}

/// All that a view says, as text.
std::string Describe(const CatalogView& view) {
  std::string out;
  for (const auto& [name, entries] : view.schemas()) {
    const Schema& schema = *entries->schema;
    out += name + " " + std::to_string(schema.ref.id().value) + " " + schema.uuid + " " +
           schema.path + " " + std::to_string(schema.begin_snapshot.value) + "\n";
    for (const auto& [key, table] : entries->tables) {
      out += "  table " + key + " " + std::to_string(table->ref.id().value) + " " + table->uuid +
             " " + table->path + " " + std::to_string(table->schema.id().value) + " " +
             std::to_string(table->begin_snapshot.value) + " " +
             std::to_string(table->next_field_id.value) + Describe(table->columns) + "\n";
    }
    for (const auto& [key, v] : entries->views) {
      out += "  view " + key + " " + std::to_string(v->ref.id().value) + " " + v->uuid + " " +
             std::to_string(v->begin_snapshot.value) + " " + v->sql + "\n";
    }
  }
  return out;
}

TEST_F(CommitConflictsTest, PublishedViewsAreWhatLoadingGives) {
  auto lake = OpenLake();
  auto other = OpenLake();
  int round = 0;
  auto expect_same = [&] {
    auto published = lake->Begin();
    auto loaded = OpenLake()->Begin();
    ASSERT_EQ(published->base().id, loaded->base().id);
    EXPECT_EQ(Describe(*published->view()), Describe(*loaded->view())) << "round " << round;
    ++round;
  };
  Run(*lake, [](Transaction& t) {
    t.CreateSchema("s");
    AddTable(t, "a");
    t.CreateTable(
        {"s",
         "n",
         {MakeColumn("x", "struct", {MakeColumn("y", "list", {MakeColumn("element", "int8")})})}});
    t.CreateView({"s", "v", "SELECT 1", ""});
  });
  expect_same();
  // On top of what another one made meanwhile: the ids are other ones than the transaction could
  // have guessed.
  auto transaction = lake->Begin();
  Run(*other, [](Transaction& t) {
    AddTable(t, "theirs");
    t.DropView(t.view()->FindView("s", "v")->ref);
  });
  AddTable(*transaction, "mine", "s");
  transaction->DropTable(transaction->view()->FindTable("main", "a")->ref);
  transaction->CreateView({"main", "A", "SELECT 2", ""});
  transaction->Commit();
  expect_same();
  // And after a commit of rows only, which changes no objects.
  transaction = lake->Begin();
  Run(*other, [](Transaction& t) { AddTable(t, "theirs2"); });
  Insert(*transaction, "theirs", {MakeFile("f", 1)});
  transaction->Commit();
  expect_same();
  Run(*lake, [](Transaction& t) { t.DropSchema(t.view()->FindSchema("s")->schema->ref, true); });
  expect_same();
}

TEST_F(CommitConflictsTest, InterruptedWritersWriteNothing) {
  auto lake = OpenLake();
  Run(*lake, [](Transaction& t) { AddTable(t, "t"); });
  auto blocker = OpenCatalogStore("sqlite", StoreOptionsFor("lake.db"))->Connect();
  blocker->Begin(TransactionMode::kWrite);
  std::atomic<bool> interrupted{false};
  auto transaction = lake->Begin({}, [&] { return interrupted.load(); });
  AddTable(*transaction, "n");
  interrupted = true;
  ErrorOf(ErrorCode::kInterrupted, [&] { transaction->Commit(); });
  blocker->Rollback();
  EXPECT_THAT(Query("SELECT count(*) FROM ducklake_snapshot"), ElementsAre("2"));
}

}  // namespace
}  // namespace tarn::test
