// See the header.
#include "store/sqlite/writer_queue.h"

#include <algorithm>
#include <map>

namespace tarn::sqlite {
namespace {

// How often a waiting writer looks whether it was cancelled.
constexpr std::chrono::milliseconds kPollInterval(20);
// How long the first of all processes may seem to do nothing. A long transaction does; so does a
// process that is stopped while it waits, which must not stop the others: after that time they
// try for SQLite's lock, and keep their place before those that come later.
constexpr std::chrono::milliseconds kPatience(1'000);

}  // namespace

std::shared_ptr<WriterQueue> WriterQueue::ForFile(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<WriterQueue>> queues;
  std::lock_guard lock(mutex);
  std::erase_if(queues, [](const auto& entry) { return entry.second.expired(); });
  auto& slot = queues[path];
  auto queue = slot.lock();
  if (!queue) {
    queue = std::make_shared<WriterQueue>(path);
    slot = queue;
  }
  return queue;
}

WriterQueue::Turn::~Turn() {
  among_processes_.reset();
  std::lock_guard lock(queue_.mutex_);
  queue_.waiting_.erase(place_);
  queue_.changed_.notify_all();
}

std::unique_ptr<WriterQueue::Turn> WriterQueue::Wait(Clock::time_point deadline,
                                                     const std::function<bool()>& interrupted) {
  auto turn = WaitInProcess(deadline, interrupted);
  if (!turn) return nullptr;
  turn->among_processes_ = QueuePlace::Take(path_);
  if (!turn->among_processes_) return turn;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  using Waited = QueuePlace::Waited;
  const Waited waited =
      turn->among_processes_->Wait(deadline, std::min(kPatience, left / 2), interrupted, stalled_);
  return waited == Waited::kFirst || waited == Waited::kStalled ? std::move(turn) : nullptr;
}

std::unique_ptr<WriterQueue::Turn> WriterQueue::WaitInProcess(
    Clock::time_point deadline, const std::function<bool()>& interrupted) {
  std::unique_lock lock(mutex_);
  auto turn = std::make_unique<Turn>(*this, waiting_.insert(waiting_.end(), 0));
  const auto place = std::prev(waiting_.end());
  bool give_up = false;
  while (waiting_.begin() != place && !give_up) {
    changed_.wait_for(lock, kPollInterval);
    if (waiting_.begin() == place) break;
    lock.unlock();  // whoever is asked may take locks of its own
    give_up = Clock::now() >= deadline || interrupted();
    lock.lock();
  }
  const bool first = waiting_.begin() == place;
  lock.unlock();  // the turn's destructor locks
  return first ? std::move(turn) : nullptr;
}

}  // namespace tarn::sqlite
