// A line of input that can be edited: libedit with history and completion.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tarn::shell {

/// What a word that ends at the cursor can become.
using Completer =
    std::function<std::vector<std::string>(std::string_view before_cursor, std::string_view word)>;

/// Owns the terminal while it reads. One at a time.
class LineEditor {
 public:
  explicit LineEditor(Completer completer);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class End { kLine, kEndOfInput, kCancelled };
  /// Reads one line, without its line break.
  End Read(const std::string& prompt, std::string& line);
  void AddToHistory(const std::string& entry);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Part of the text before the cursor that completion looks at: letters, digits, `_`, and a leading
/// dot of a dot command.
std::string_view WordBeforeCursor(std::string_view before_cursor);

}  // namespace tarn::shell
