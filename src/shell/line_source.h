// Lines of a file, of standard input, or of a text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tarn::shell {

/// Owns its file descriptor unless it is standard input.
class LineSource {
 public:
  static LineSource Text(std::string_view text);
  static LineSource StandardInput();
  /// Throws tarn::Error: kNotFound or kUnavailable, with the path.
  static LineSource File(const std::string& path);

  LineSource(LineSource&& other) noexcept;
  LineSource& operator=(LineSource&&) = delete;
  ~LineSource();

  /// The next line without its line break; nullopt at the end, and when Ctrl-C was pressed.
  std::optional<std::string> Next();

 private:
  explicit LineSource(int file_descriptor) : file_descriptor_(file_descriptor) {}

  int file_descriptor_ = -1;
  std::string name_;  ///< for messages
  std::string buffer_;
  size_t position_ = 0;
};

}  // namespace tarn::shell
