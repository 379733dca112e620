// What was typed in earlier shells: a file that only its user can read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarn::shell {

/// Keeps one entry per line. Shells that run side by side add to the same file.
class History {
 public:
  /// $XDG_STATE_HOME/tarn/history, or ~/.local/state/tarn/history; empty when there is no home.
  static std::string DefaultPath();

  /// A file that cannot be read or made is no error: the shell does without.
  explicit History(std::string path);

  /// The newest entries, oldest first.
  const std::vector<std::string>& entries() const { return entries_; }
  /// Adds a statement or command. One of several lines whose breaks matter is kept as several
  /// entries. Returns what was added; empty for a repetition of the last entry. Statements that
  /// hold secrets are returned, but not written to the file.
  std::vector<std::string> Add(std::string_view text);

 private:
  void Append(const std::string& lines);

  std::string path_;
  std::vector<std::string> entries_;
};

}  // namespace tarn::shell
