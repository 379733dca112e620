// Cuts text into statements as it arrives, line by line: a statement ends at a semicolon that
// stands in no quotes and no comment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tarn::shell {

/// Collects lines. Not thread safe.
class StatementSplitter {
 public:
  /// Takes one line, without its line break; returns the statements that it completes, semicolons
  /// included.
  std::vector<std::string> AddLine(std::string_view line);
  /// What is left, when it is more than white space and comments. Starts anew.
  std::optional<std::string> Finish();
  /// Forgets what is left.
  void Clear() { *this = StatementSplitter(); }

  /// Between statements: nothing but white space and comments since the last semicolon. Only here a
  /// line can be a dot command.
  bool between_statements() const { return !has_content_ && state_ == State::kPlain; }
  /// Nothing at all is waiting.
  bool empty() const { return text_.empty(); }
  /// What the lines so far wait for: ';', a quote, '*' for the end of a comment, '$'.
  char waits_for() const;

 private:
  enum class State {
    kPlain,
    kSingleQuote,
    kEscapedQuote,
    kDoubleQuote,
    kDollarQuote,
    kBlockComment
  };

  /// Reads on from `position` of text_; returns the position after a semicolon that ends a
  /// statement, or npos.
  size_t ScanTo(size_t position);
  size_t ScanPlain(size_t position);

  std::string text_;
  State state_ = State::kPlain;
  bool has_content_ = false;
  int comment_depth_ = 0;
  std::string dollar_tag_;  ///< "$tag$" that ends the quote
};

/// A statement on one line, for the history; nullopt when a line break in it means something (in
/// quotes, or after a `--` comment).
std::optional<std::string> OnOneLine(std::string_view statement);

}  // namespace tarn::shell
