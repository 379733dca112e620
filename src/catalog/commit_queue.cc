// The queue.
#include "catalog/commit_queue.h"

#include <chrono>
#include <iterator>

#include "tarn/error.h"

namespace tarn {
namespace {

/// How often a waiting thread looks whether it was interrupted.
constexpr auto kPollInterval = std::chrono::milliseconds(20);

}  // namespace

CommitQueue::Turn::~Turn() { queue_.Leave(place_); }

void CommitQueue::Leave(std::list<int>::iterator place) {
  std::lock_guard lock(mutex_);
  waiting_.erase(place);
  changed_.notify_all();
}

std::unique_ptr<CommitQueue::Turn> CommitQueue::Wait(const std::function<bool()>& interrupted) {
  std::list<int>::iterator place;
  {
    std::lock_guard lock(mutex_);
    place = waiting_.insert(waiting_.end(), 0);
  }
  auto turn = std::make_unique<Turn>(*this, place);  // leaves the queue if the wait is interrupted
  WaitUntilFirst(place, interrupted);
  return turn;
}

void CommitQueue::WaitUntilFirst(std::list<int>::iterator place,
                                 const std::function<bool()>& interrupted) {
  std::unique_lock lock(mutex_);
  while (waiting_.begin() != place) {
    changed_.wait_for(lock, kPollInterval);
    lock.unlock();  // whoever is asked may take locks of its own
    if (interrupted && interrupted()) {
      throw Error(ErrorCode::kInterrupted,
                  "Interrupted while waiting to commit; nothing was written.");
    }
    lock.lock();
  }
}

}  // namespace tarn
