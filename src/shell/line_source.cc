// Reading lines. See line_source.h.
#include "shell/line_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "shell/interrupts.h"
#include "tarn/error.h"

namespace tarn::shell {
namespace {

constexpr int kNoFile = -1;

[[noreturn]] void ThrowUnreadable(const std::string& name, int error) {
  const auto code = error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
  throw Error(code, fmt::format("{} cannot be read: {}.", name, std::strerror(error)));
}

/// False when Ctrl-C was pressed.
bool WaitForInput(int file_descriptor) {
  auto woken = Interrupts::Woken::kOther;
  while (woken == Interrupts::Woken::kOther) woken = Interrupts::Wait(file_descriptor);
  return woken == Interrupts::Woken::kInput;
}

}  // namespace

LineSource LineSource::Text(std::string_view text) {
  LineSource source(kNoFile);
  source.buffer_ = text;
  return source;
}

LineSource LineSource::StandardInput() {
  LineSource source(STDIN_FILENO);
  source.name_ = "Standard input";
  return source;
}

LineSource LineSource::File(const std::string& path) {
  const int file_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto name = "The file " + QuoteIdentifier(path);
  if (file_descriptor < 0) ThrowUnreadable(name, errno);
  LineSource source(file_descriptor);
  source.name_ = name;
  return source;
}

LineSource::LineSource(LineSource&& other) noexcept
    : file_descriptor_(std::exchange(other.file_descriptor_, kNoFile)),
      name_(std::move(other.name_)),
      buffer_(std::move(other.buffer_)),
      position_(other.position_) {}

LineSource::~LineSource() {
  if (file_descriptor_ > STDIN_FILENO) ::close(file_descriptor_);
}

std::optional<std::string> LineSource::Next() {
  size_t searched = position_;
  while (true) {
    const size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      auto line = buffer_.substr(position_, end - position_);
      position_ = end + 1;
      return line;
    }
    buffer_.erase(0, std::exchange(position_, 0));
    searched = buffer_.size();
    ssize_t count = 0;
    if (file_descriptor_ >= 0) {
      const Interrupts::Reading reading;
      constexpr size_t kPiece = 64 * 1024;
      buffer_.resize(searched + kPiece);
      if (!WaitForInput(file_descriptor_)) {
        buffer_.resize(searched);
        return std::nullopt;
      }
      do {
        count = ::read(file_descriptor_, buffer_.data() + searched, kPiece);
      } while (count < 0 && errno == EINTR);
      const int error = errno;
      buffer_.resize(searched + static_cast<size_t>(count < 0 ? 0 : count));
      if (count < 0) ThrowUnreadable(name_, error);
    }
    if (count > 0) continue;
    if (buffer_.empty()) return std::nullopt;
    return std::exchange(buffer_, std::string());
  }
}

}  // namespace tarn::shell
