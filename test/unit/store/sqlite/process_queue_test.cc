// Places in the queue of a database file: their order, and how each way of leaving lets others on.
#include "store/sqlite/process_queue.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tarn::sqlite {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using Waited = QueuePlace::Waited;
namespace fs = std::filesystem;

class ProcessQueueTest : public testing::Test {
 protected:
  ProcessQueueTest() {
    std::string name = (fs::temp_directory_path() / "tarn-queue-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    database_ = (folder_ / "lake.sqlite").string();
    queue_ = database_ + "-tarn-queue";
    std::ofstream(database_) << "a database";
    fs::permissions(database_, fs::perms(0664));
  }
  ~ProcessQueueTest() override { fs::remove_all(folder_); }

  std::unique_ptr<QueuePlace> Take() const {
    auto place = QueuePlace::Take(database_);
    EXPECT_NE(place, nullptr);
    return place;
  }
  static Waited Wait(const QueuePlace& place, std::chrono::milliseconds timeout = 0ms) {
    int64_t stalled = 0;
    return place.Wait(QueuePlace::Clock::now() + timeout, 1min, {}, stalled);
  }

  /// A process that takes a place and keeps it until it is killed.
  pid_t SpawnHolder() const {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto place = QueuePlace::Take(database_);
      if (!place || ::write(ready[1], "x", 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(ready[1]);
    char byte;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    return child;
  }
  static void Kill(pid_t child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }

  fs::path folder_;
  std::string database_;
  std::string queue_;
};

TEST_F(ProcessQueueTest, PlacesAreInTheOrderOfTheirComing) {
  auto first = Take();
  auto second = Take();
  auto third = Take();
  EXPECT_EQ(Wait(*first), Waited::kFirst);
  EXPECT_EQ(Wait(*second), Waited::kTimeout);
  first.reset();
  auto again = Take();  // whoever was first comes last
  EXPECT_EQ(Wait(*second), Waited::kFirst);
  EXPECT_EQ(Wait(*third), Waited::kTimeout);
  second.reset();
  EXPECT_EQ(Wait(*again), Waited::kTimeout);
  EXPECT_EQ(Wait(*third), Waited::kFirst);
  third.reset();
  EXPECT_EQ(Wait(*again), Waited::kFirst);
}

TEST_F(ProcessQueueTest, WaitersGoOneByOneInTheirOrder) {
  auto holder = Take();
  std::vector<std::unique_ptr<QueuePlace>> places;
  for (int i = 0; i < 8; ++i) places.push_back(Take());
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i, place = std::move(places[i])]() mutable {
      EXPECT_EQ(Wait(*place, 1min), Waited::kFirst);
      {
        std::lock_guard lock(mutex);
        order.push_back(i);
      }
      place.reset();
    });
  }
  holder.reset();
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST_F(ProcessQueueTest, WhoLeavesBeforeItsTurnIsNotWaitedFor) {
  auto first = Take();
  auto second = Take();
  auto third = Take();
  second.reset();
  EXPECT_EQ(Wait(*third), Waited::kTimeout);  // the first one is still there
  first.reset();
  EXPECT_EQ(Wait(*third), Waited::kFirst);
}

TEST_F(ProcessQueueTest, WaitingEndsAtOnceWhenInterrupted) {
  const auto first = Take();
  const auto second = Take();
  const auto began = QueuePlace::Clock::now();
  const auto interrupted = [&] { return QueuePlace::Clock::now() - began > 30ms; };
  int64_t stalled = 0;
  EXPECT_EQ(second->Wait(began + 1min, 1min, interrupted, stalled), Waited::kInterrupted);
  EXPECT_LT(QueuePlace::Clock::now() - began, 5s);
}

TEST_F(ProcessQueueTest, PatienceWithOneThatDoesNotMoveIsNeededOnce) {
  auto stopped = Take();
  auto waiting = Take();
  auto began = QueuePlace::Clock::now();
  int64_t stalled = 0;
  EXPECT_EQ(waiting->Wait(began + 1min, 40ms, {}, stalled), Waited::kStalled);
  EXPECT_GE(QueuePlace::Clock::now() - began, 40ms);
  waiting.reset();

  auto other = Take();
  waiting = Take();
  EXPECT_EQ(other->Wait(began, 1min, {}, stalled), Waited::kFirst);
  EXPECT_EQ(waiting->Wait(began, 1min, {}, stalled), Waited::kTimeout);
  stopped.reset();  // it went on
  EXPECT_EQ(waiting->Wait(began, 1min, {}, stalled), Waited::kTimeout);
  other.reset();
  EXPECT_EQ(waiting->Wait(began, 1min, {}, stalled), Waited::kFirst);
  EXPECT_EQ(stalled, 0);
}

TEST_F(ProcessQueueTest, AKilledProcessLosesItsPlace) {
  const pid_t holder = SpawnHolder();
  const pid_t waiter = SpawnHolder();
  const auto mine = Take();
  EXPECT_EQ(Wait(*mine), Waited::kTimeout);
  Kill(waiter);
  EXPECT_EQ(Wait(*mine), Waited::kTimeout);
  Kill(holder);
  EXPECT_EQ(Wait(*mine, 1min), Waited::kFirst);
}

TEST_F(ProcessQueueTest, APlaceGivenUpIsFreeWhileAChildOfTheProcessLives) {
  auto first = Take();
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  const auto second = Take();
  first.reset();
  EXPECT_EQ(Wait(*second, 1min), Waited::kFirst);
  Kill(child);
}

TEST_F(ProcessQueueTest, TheFileIsEmptyAndHasTheRightsOfTheDatabase) {
  Take();
  struct stat info;
  ASSERT_EQ(::stat(queue_.c_str(), &info), 0);
  EXPECT_EQ(info.st_size, 0);
  EXPECT_EQ(info.st_mode & 0777, 0664U);
}

TEST_F(ProcessQueueTest, WithoutAFileThereIsNoQueue) {
  EXPECT_EQ(QueuePlace::Take((folder_ / "absent" / "lake.sqlite").string()), nullptr);
  EXPECT_EQ(QueuePlace::Take((folder_ / "absent.sqlite").string()), nullptr);
  EXPECT_FALSE(fs::exists(folder_ / "absent.sqlite-tarn-queue"));
  fs::create_directory(queue_);
  EXPECT_EQ(QueuePlace::Take(database_), nullptr);
  fs::remove(queue_);
  fs::create_symlink(folder_ / "elsewhere", queue_);
  EXPECT_EQ(QueuePlace::Take(database_), nullptr);
  EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
  fs::remove(queue_);
  ASSERT_EQ(::mkfifo(queue_.c_str(), 0600), 0);
  EXPECT_EQ(QueuePlace::Take(database_), nullptr);
}

}  // namespace
}  // namespace tarn::sqlite
