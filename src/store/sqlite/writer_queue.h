// Writers of one database file inside this process, in the order of their coming.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace tarn::sqlite {

/// SQLite lets one connection write and makes the others poll, so a newcomer may win over one that
/// has waited long. Within a process this queue decides, and only its head competes with other
/// processes. Thread safe.
class WriterQueue {
 public:
  using Clock = std::chrono::steady_clock;

  /// The queue of a file, shared by all stores of this process that have it open. `path` is
  /// absolute and canonical.
  static std::shared_ptr<WriterQueue> ForFile(const std::string& path);

  /// Being at the head of the queue. Destroying it lets the next one in.
  class Turn {
   public:
    explicit Turn(WriterQueue& queue, std::list<int>::iterator place)
        : queue_(queue), place_(place) {}
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    WriterQueue& queue_;
    std::list<int>::iterator place_;
  };

  /// Waits until all that came before are gone. Null when the deadline passed or `interrupted` said
  /// so.
  std::unique_ptr<Turn> Wait(Clock::time_point deadline, const std::function<bool()>& interrupted);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<int> waiting_;
};

}  // namespace tarn::sqlite
