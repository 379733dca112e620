// The locks are those of open file descriptions: the ordinary ones of POSIX belong to a process,
// which its own threads would not wait for, and are lost when any descriptor of the file is closed.
#include "store/sqlite/process_queue.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

namespace tarn::sqlite {
namespace {

// The kernel's blocking wait could be ended by a signal only, so places are polled: the next one in
// line often, so that no time is lost between two commits, those further back seldom.
constexpr std::chrono::microseconds kPausePerPlace(200);
constexpr std::chrono::microseconds kLongestPause(5'000);

#ifdef F_OFD_SETLK

struct flock Bytes(short type, int64_t first, int64_t count) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = first;
  lock.l_len = count;  // 0 is to the end
  return lock;
}

/// A byte that somebody else has locked among these, the one that was locked first if the kernel
/// tells them in that order.
std::optional<int64_t> LockedByte(int descriptor, int64_t first, int64_t count) {
  struct flock lock = Bytes(F_WRLCK, first, count);
  if (::fcntl(descriptor, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return std::nullopt;
  return std::max(lock.l_start, first);
}

/// Whoever may write the database may queue, as with the files that SQLite keeps beside it.
void ShareAs(const struct stat& database, int descriptor) {
  if (::geteuid() == 0 && ::fchown(descriptor, database.st_uid, database.st_gid) != 0) return;
  if (::fchmod(descriptor, database.st_mode & 0666) != 0) return;
}

/// Neither a link into another folder nor a device is opened for a file that has only this name.
int OpenQueue(const std::string& database) {
  struct stat info;
  if (::stat(database.c_str(), &info) != 0) return -1;
  const std::string path = database + "-tarn-queue";
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int descriptor = ::open(path.c_str(), kFlags);
  if (descriptor < 0 && errno == ENOENT) {
    descriptor = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, info.st_mode & 0666);
    if (descriptor >= 0) {
      ShareAs(info, descriptor);
    } else if (errno == EEXIST) {
      descriptor = ::open(path.c_str(), kFlags);
    }
  }
  if (descriptor < 0 || (::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode)))
    return descriptor;
  ::close(descriptor);
  return -1;
}

#endif

}  // namespace

#ifdef F_OFD_SETLK

std::unique_ptr<QueuePlace> QueuePlace::Take(const std::string& database) {
  const int descriptor = OpenQueue(database);
  if (descriptor < 0) return nullptr;
  std::unique_ptr<QueuePlace> place(new QueuePlace(descriptor));
  return place->TakeLast() ? std::move(place) : nullptr;
}

/// Somebody who is kept from running between the look and the lock may get a byte before those of
/// later ones. That costs them a turn and nothing else, so no second lock guards the choice.
bool QueuePlace::TakeLast() {
  int64_t number = 1;
  for (;;) {
    while (const auto taken = LockedByte(descriptor_, number, 0)) number = *taken + 1;
    struct flock lock = Bytes(F_WRLCK, number, 1);
    if (::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0) {
      number_ = number;
      return true;
    }
    if (errno != EAGAIN && errno != EACCES && errno != EINTR) return false;
  }
}

QueuePlace::~QueuePlace() {
  if (number_ > 0) {
    // Closing is not enough when a child of this process has come to share the descriptor.
    struct flock lock = Bytes(F_UNLCK, number_, 1);
    ::fcntl(descriptor_, F_OFD_SETLK, &lock);
  }
  ::close(descriptor_);
}

QueuePlace::Waited QueuePlace::Wait(Clock::time_point deadline, std::chrono::milliseconds patience,
                                    const std::function<bool()>& interrupted,
                                    int64_t& stalled) const {
  // Numbers begin again when nobody waits: one that is not before us now is somebody else.
  if (stalled >= number_ || !LockedByte(descriptor_, stalled, 1)) stalled = 0;
  int64_t first = 0;
  Clock::time_point first_since;
  for (;;) {
    const int64_t from = stalled + 1;
    const auto ahead =
        number_ > from ? LockedByte(descriptor_, from, number_ - from) : std::nullopt;
    if (!ahead) return Waited::kFirst;
    const auto now = Clock::now();
    if (*ahead != first) {
      first = *ahead;
      first_since = now;
    }
    if (interrupted && interrupted()) return Waited::kInterrupted;
    if (now >= deadline) return Waited::kTimeout;
    if (now - first_since >= patience) {
      stalled = first;
      return Waited::kStalled;
    }
    const int64_t distance = std::min<int64_t>(number_ - first, kLongestPause / kPausePerPlace);
    std::this_thread::sleep_for(kPausePerPlace * distance);
  }
}

#else

std::unique_ptr<QueuePlace> QueuePlace::Take(const std::string&) { return nullptr; }
bool QueuePlace::TakeLast() { return false; }
QueuePlace::~QueuePlace() = default;
QueuePlace::Waited QueuePlace::Wait(Clock::time_point, std::chrono::milliseconds,
                                    const std::function<bool()>&, int64_t&) const {
  return Waited::kFirst;
}

#endif

}  // namespace tarn::sqlite
