// SIGINT. See interrupts.h.
#include "shell/interrupts.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "shell/exit_codes.h"
#include "tarn/error.h"

namespace tarn::shell {
namespace {

enum class Doing : int { kNothing, kRunning, kReading };

// What the handler touches: lock-free, as only such objects may be touched there.
std::atomic<engine::Session*> current_session = nullptr;
std::atomic<Doing> doing = Doing::kNothing;
std::atomic<bool> was_pressed = false;
std::atomic<int> wake_end = -1;
static_assert(std::atomic<engine::Session*>::is_always_lock_free &&
              std::atomic<Doing>::is_always_lock_free);

int wait_end = -1;

void OnInterrupt(int) {
  switch (doing.load()) {
    case Doing::kRunning:
      was_pressed = true;
      if (auto* session = current_session.load()) session->Interrupt();
      return;
    case Doing::kReading:
      was_pressed = true;
      Interrupts::Wake();
      return;
    case Doing::kNothing:
      _exit(kExitInterrupted);
  }
}

void EmptyPipe() {
  char bytes[64];
  while (::read(wait_end, bytes, sizeof(bytes)) > 0) {
  }
}

}  // namespace

Interrupts::Interrupts(engine::Session& session) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Error(ErrorCode::kUnavailable, "The system has no file descriptors left.");
  }
  wait_end = ends[0];
  wake_end = ends[1];
  current_session = &session;
  struct sigaction action {};
  action.sa_handler = OnInterrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

Interrupts::~Interrupts() {
  std::signal(SIGINT, SIG_DFL);
  current_session = nullptr;
  ::close(wake_end.exchange(-1));
  ::close(wait_end);
}

Interrupts::Running::Running() : is_outermost_(doing.load() != Doing::kRunning) {
  if (!is_outermost_) return;
  was_pressed = false;
  doing = Doing::kRunning;
}
Interrupts::Running::~Running() {
  if (is_outermost_) doing = Doing::kNothing;
}

Interrupts::Reading::Reading() {
  was_pressed = false;
  doing = Doing::kReading;
}
Interrupts::Reading::~Reading() { doing = Doing::kNothing; }

bool Interrupts::Pressed() { return was_pressed; }

Interrupts::Woken Interrupts::Wait(int file_descriptor) {
  pollfd waited[] = {{wait_end, POLLIN, 0}, {file_descriptor, POLLIN, 0}};
  int ready = 0;
  do {
    ready = ::poll(waited, 2, -1);
  } while (ready < 0 && errno == EINTR);
  if (waited[0].revents != 0) {
    EmptyPipe();
    return was_pressed ? Woken::kCancelled : Woken::kOther;
  }
  // Whatever poll cannot tell of a file, read() does.
  return Woken::kInput;
}

void Interrupts::Wake() noexcept {
  const int saved = errno;
  // A full pipe wakes as well.
  [[maybe_unused]] const ssize_t written = ::write(wake_end, "", 1);
  errno = saved;
}

}  // namespace tarn::shell
