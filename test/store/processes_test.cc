// Several processes on one catalog file: turns, durability of what was committed, waiting.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "gmock/gmock.h"
#include "store/store_fixture.h"

namespace tarn::test {
namespace {

class StoreProcesses : public StoreTest {
 protected:
  void SetUp() override {
    if (!GetParam().many_processes) GTEST_SKIP() << "one process at a time";
    // A connection to a server must not be shared with a child: nothing is kept open here.
    CreateNamedTable(*Open()->Connect());
  }

  /// Runs `work` in a process of its own. No store may be open meanwhile: its locks would not come
  /// along.
  static pid_t Spawn(const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    int status = 0;
    try {
      work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
      status = 1;
    }
    ::_exit(status);
  }

  /// A process that does `work` and then waits with its connection open, until it is killed.
  /// Returns when it has done it.
  pid_t SpawnHolder(const std::function<void(StoreConnection&)>& work) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    const pid_t holder = Spawn([&] {
      auto store = Open();
      auto connection = store->Connect();
      work(*connection);
      if (::write(ready[1], "x", 1) != 1) ::_exit(1);
      ::pause();
    });
    char byte;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
    return holder;
  }

  static int StatusOf(pid_t child) {
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
  }
};

TEST_P(StoreProcesses, EveryWriterGetsItsTurn) {
  constexpr int kProcesses = 3;
  constexpr int kTimes = 20;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(Spawn([&] {
      auto store = Open();
      auto connection = store->Connect();
      for (int i = 0; i < kTimes; ++i) {
        BeginNow(*connection, TransactionMode::kWrite);
        const int64_t id = Count(*connection) + 1;
        InsertNamed(*connection, id, std::to_string(process));
        connection->Commit();
      }
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(StatusOf(child), 0);
  EXPECT_EQ(Count(*Open()->Connect()), kProcesses * kTimes);
}

/// Of four that write as often as they can, none gets much more than its share.
TEST_P(StoreProcesses, TurnsAreFair) {
  constexpr int kProcesses = 4;
  int ready[2];
  int start[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(start), 0);
  char byte;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(Spawn([&] {
      auto store = Open();
      auto connection = store->Connect();
      Count(*connection);
      ::close(start[1]);
      if (::write(ready[1], "x", 1) != 1 || ::read(start[0], &byte, 1) != 0) ::_exit(1);
      for (int64_t i = 0; Count(*connection) < 50 * kProcesses; ++i) {
        BeginNow(*connection, TransactionMode::kWrite);
        InsertNamed(*connection, process * 1'000'000 + i, std::to_string(process));
        connection->Commit();
      }
    }));
  }
  for (int process = 0; process < kProcesses; ++process) ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ::close(start[1]);
  for (const pid_t child : children) EXPECT_EQ(StatusOf(child), 0);
  for (const int end : {ready[0], ready[1], start[0]}) ::close(end);
  auto connection = Open()->Connect();
  for (int64_t process = 0; process < kProcesses; ++process) {
    StatementBuilder sql(connection->dialect(), "SELECT count(*) FROM ");
    sql.Table("t").Text(" WHERE ").Name("name").Text(" = ").Bind(std::to_string(process));
    const auto rows = connection->Query(sql.Build());
    ASSERT_TRUE(rows->Next());
    EXPECT_GE(rows->Int64(0), 25) << "process " << process;
  }
}

/// One that is stopped while it waits has a place, but no lock.
TEST_P(StoreProcesses, AStoppedWaiterDoesNotStopTheOthers) {
  if (!is_file()) GTEST_SKIP() << "the server's queue is its own";
  const pid_t holder = SpawnHolder(
      [](StoreConnection& connection) { BeginNow(connection, TransactionMode::kWrite); });
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t waiter = Spawn([&] {
    auto store = Open();
    auto connection = store->Connect();
    connection->SetInterruptCheck([&] {
      if (::write(ready[1], "x", 1) != 1) ::_exit(1);
      ::raise(SIGSTOP);
      return false;
    });
    BeginNow(*connection, TransactionMode::kWrite);
  });
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  int status = 0;
  ASSERT_EQ(::waitpid(waiter, &status, WUNTRACED), waiter);
  ASSERT_TRUE(WIFSTOPPED(status));
  ::kill(holder, SIGKILL);
  StatusOf(holder);
  {
    auto connection = Open()->Connect();
    InsertNamed(*connection, 1, "went on");
    EXPECT_EQ(Count(*connection), 1);
  }
  ::kill(waiter, SIGKILL);
  StatusOf(waiter);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_P(StoreProcesses, ManyProcessesMakeOneCatalog) {
  if (is_file()) {
    std::filesystem::remove(file());
  } else {
    Open()->Connect()->Execute({"DROP TABLE \"" + schema_ + "\".t", {}});
  }
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    children.push_back(Spawn([&] {
      auto connection = Open()->Connect();
      BeginNow(*connection, TransactionMode::kWrite);
      if (!connection->TableExists("t")) CreateNamedTable(*connection);
      InsertNamed(*connection, process, "x");
      connection->Commit();
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(StatusOf(child), 0);
  EXPECT_EQ(Count(*Open()->Connect()), 4);
}

TEST_P(StoreProcesses, CommittedRowsSurviveAKilledWriter) {
  const pid_t child = SpawnHolder([](StoreConnection& connection) {
    InsertNamed(connection, 1, "committed");
    BeginNow(connection, TransactionMode::kWrite);
    InsertNamed(connection, 2, "not committed");
  });
  ::kill(child, SIGKILL);
  StatusOf(child);
  auto connection = Open()->Connect();
  EXPECT_EQ(Count(*connection), 1);
  InsertNamed(*connection, 2, "free again");
}

TEST_P(StoreProcesses, WaitingForAnotherProcessCanBeInterrupted) {
  const pid_t child = SpawnHolder(
      [](StoreConnection& connection) { BeginNow(connection, TransactionMode::kWrite); });
  {
    auto store = Open();
    auto connection = store->Connect();
    const auto began = std::chrono::steady_clock::now();
    connection->SetInterruptCheck(
        [&] { return std::chrono::steady_clock::now() - began > std::chrono::milliseconds(50); });
    ExpectError(ErrorCode::kInterrupted, [&] { BeginNow(*connection, TransactionMode::kWrite); });
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(2));
    connection->SetInterruptCheck({});
    EXPECT_EQ(Count(*connection), 0);

    StoreOptions options = Options();
    options.busy_timeout_ms = 50;
    auto hasty = Open(options)->Connect();
    const std::string message =
        ExpectError(ErrorCode::kUnavailable, [&] { BeginNow(*hasty, TransactionMode::kWrite); });
    EXPECT_THAT(message, testing::HasSubstr("BUSY_TIMEOUT"));
  }
  ::kill(child, SIGKILL);
  StatusOf(child);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreProcesses, testing::ValuesIn(AllStoreKinds()), KindName);

}  // namespace
}  // namespace tarn::test
