// Terminals and standard streams. See terminal.h.
#include "shell/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "tarn/error.h"

namespace tarn::shell {

bool IsTerminal(int file_descriptor) { return ::isatty(file_descriptor) == 1; }

uint64_t TerminalWidth() {
  if (!IsTerminal(STDOUT_FILENO)) return 0;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

bool WantsColor(int file_descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return IsTerminal(file_descriptor) && (no_color == nullptr || *no_color == '\0') &&
         term != nullptr && std::strcmp(term, "dumb") != 0;
}

namespace {

/// Writes all of `text`; returns errno's value, 0 when all went well.
int WriteAll(int file_descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void WriteOut(std::string_view text) {
  const int error = WriteAll(STDOUT_FILENO, text);
  if (error == 0) return;
  if (error == EPIPE) throw OutputClosed();
  throw Error(ErrorCode::kUnavailable,
              fmt::format("Could not write the output: {}.", std::strerror(error)));
}

void WriteErr(std::string_view text) { WriteAll(STDERR_FILENO, text); }

void PrintError(std::string_view message) {
  // The database's own words begin with what kind of error it is, such as "Binder Error: ".
  const size_t colon = message.find(':');
  std::string_view kind = "Error:";
  if (colon != std::string_view::npos && message.substr(0, colon + 1).ends_with(" Error:")) {
    kind = message.substr(0, colon + 1);
    message.remove_prefix(std::min(colon + 2, message.size()));
  }
  const bool color = WantsColor(STDERR_FILENO);
  WriteErr(fmt::format("{}{}{} {}\n", color ? kRed : "", kind, color ? kReset : "", message));
}

void ProgressLine::Update(double fraction) {
  constexpr int kWidth = 40;
  const int percent = std::clamp(static_cast<int>(fraction * 100), 0, 100);
  if (percent == drawn_percent_) return;
  drawn_percent_ = percent;
  const int done = percent * kWidth / 100;
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < done ? "█" : "░";
  WriteErr(fmt::format("\r{:3}% {}", percent, bar));
}

void ProgressLine::Finish() {
  if (drawn_percent_ < 0) return;
  drawn_percent_ = -1;
  WriteErr("\r\033[K");
}

}  // namespace tarn::shell
