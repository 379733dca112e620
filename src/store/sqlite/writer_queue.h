// Writers of one database file, in the order of their coming: those of this process among
// themselves, and whoever is first of them among the processes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "store/sqlite/process_queue.h"

namespace tarn::sqlite {

/// SQLite lets one connection write and makes the others poll, so a newcomer may win over one that
/// has waited long. Within a process this queue decides, and only its head competes with other
/// processes. Thread safe.
class WriterQueue {
 public:
  using Clock = std::chrono::steady_clock;

  explicit WriterQueue(std::string path) : path_(std::move(path)) {}

  /// The queue of a file, shared by all stores of this process that have it open. `path` is
  /// absolute and canonical.
  static std::shared_ptr<WriterQueue> ForFile(const std::string& path);

  /// Being at the head of both queues, which is no lock yet: clients that do not queue, and those
  /// that have lost their patience, may write. Destroying it lets the next one in.
  class Turn {
   public:
    explicit Turn(WriterQueue& queue, std::list<int>::iterator place)
        : queue_(queue), place_(place) {}
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    friend class WriterQueue;
    WriterQueue& queue_;
    std::list<int>::iterator place_;
    std::unique_ptr<QueuePlace> among_processes_;
  };

  /// Waits until all that came before are gone. Null when the deadline passed or `interrupted` said
  /// so.
  std::unique_ptr<Turn> Wait(Clock::time_point deadline, const std::function<bool()>& interrupted);

 private:
  std::unique_ptr<Turn> WaitInProcess(Clock::time_point deadline,
                                      const std::function<bool()>& interrupted);

  const std::string path_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<int> waiting_;
  int64_t stalled_ = 0;  ///< whom QueuePlace::Wait passed by; belongs to the head
};

}  // namespace tarn::sqlite
