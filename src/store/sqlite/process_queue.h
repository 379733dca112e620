// Writers of one database file among the processes that write to it, in the order of their coming.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tarn::sqlite {

/// A place in the queue of a database file: a locked byte of the empty file
/// `<database>-tarn-queue`.
///
///     byte   ...  41      42      43      44
///                 free    head    waits   the newest
///
/// Whoever comes locks the byte after the last locked one, and is first when no byte before it is
/// locked any more. The kernel unlocks the bytes of a process that dies, so nobody has to be
/// missed, and nothing is stored that could be wrong afterwards.
///
/// The queue orders and does not protect: SQLite's own lock decides who writes, also between us and
/// clients that do not queue. So every doubt may be settled by going on. Used by one thread at a
/// time; places of one process are as good as those of several.
class QueuePlace {
 public:
  using Clock = std::chrono::steady_clock;

  /// Takes the last place. Null where there is no queue: no database yet, a folder in which the
  /// file cannot be made, something else of its name, a file system without such locks.
  static std::unique_ptr<QueuePlace> Take(const std::string& database);
  ~QueuePlace();
  QueuePlace(const QueuePlace&) = delete;
  QueuePlace& operator=(const QueuePlace&) = delete;

  enum class Waited {
    kFirst,
    kStalled,  ///< who is first has not moved for `patience`: it may be stopped and hold nothing
    kTimeout,
    kInterrupted,
  };
  /// `stalled` is the byte of whoever was passed by in an earlier wait, 0 if nobody; it is not
  /// waited for again while it is there, and is set anew.
  Waited Wait(Clock::time_point deadline, std::chrono::milliseconds patience,
              const std::function<bool()>& interrupted, int64_t& stalled) const;

 private:
  explicit QueuePlace(int descriptor) : descriptor_(descriptor) {}
  bool TakeLast();

  int descriptor_;
  int64_t number_ = 0;  ///< of the locked byte; 0 is none
};

}  // namespace tarn::sqlite
