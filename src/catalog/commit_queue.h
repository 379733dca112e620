// Committers of one lake in this process, in the order of their coming.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>

namespace tarn {

/// A mutex that is fair, and whose wait can be interrupted. Thread safe.
class CommitQueue {
 public:
  /// Being first in the queue. Destroying it lets the next one in.
  class Turn {
   public:
    Turn(CommitQueue& queue, std::list<int>::iterator place) : queue_(queue), place_(place) {}
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    CommitQueue& queue_;
    std::list<int>::iterator place_;
  };

  /// Waits for all that came before. Throws kInterrupted when `interrupted` says so.
  std::unique_ptr<Turn> Wait(const std::function<bool()>& interrupted);

 private:
  void WaitUntilFirst(std::list<int>::iterator place, const std::function<bool()>& interrupted);
  void Leave(std::list<int>::iterator place);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<int> waiting_;
};

}  // namespace tarn
