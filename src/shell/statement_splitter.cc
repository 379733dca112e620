// The lexical skeleton of SQL: quotes, comments, semicolons. See statement_splitter.h.
#include "shell/statement_splitter.h"

#include <algorithm>

namespace tarn::shell {
namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Length of the tag "$…$" that starts here, 0 if none does.
size_t DollarTagLength(std::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '$') return i + 1;
    const bool starts_with_digit = i == 1 && text[i] >= '0' && text[i] <= '9';
    if (!IsWord(text[i]) || starts_with_digit) return 0;
  }
  return 0;
}

}  // namespace

std::vector<std::string> StatementSplitter::AddLine(std::string_view line) {
  size_t position = text_.size();
  text_.append(line);
  text_ += '\n';
  std::vector<std::string> statements;
  while (true) {
    const size_t end = ScanTo(position);
    if (end == std::string::npos) break;
    if (has_content_) statements.push_back(text_.substr(0, end));
    text_.erase(0, end);
    has_content_ = false;
    position = 0;
  }
  if (between_statements() && std::all_of(text_.begin(), text_.end(), IsSpace)) text_.clear();
  return statements;
}

std::optional<std::string> StatementSplitter::Finish() {
  std::optional<std::string> rest;
  // An open quote or comment is handed on as well: the parser says what is wrong with it.
  if (!between_statements()) rest = text_;
  Clear();
  return rest;
}

char StatementSplitter::waits_for() const {
  switch (state_) {
    case State::kSingleQuote:
    case State::kEscapedQuote:
      return '\'';
    case State::kDoubleQuote:
      return '"';
    case State::kDollarQuote:
      return '$';
    case State::kBlockComment:
      return '*';
    case State::kPlain:
      break;
  }
  return ';';
}

size_t StatementSplitter::ScanTo(size_t i) {
  // Each state goes on to the character that can end it. A doubled quote ends and opens anew, which
  // comes to the same.
  while (i < text_.size()) {
    switch (state_) {
      case State::kPlain: {
        if (text_[i] == ';') return i + 1;
        i = ScanPlain(i);
        break;
      }
      case State::kSingleQuote:
      case State::kDoubleQuote: {
        i = text_.find(state_ == State::kSingleQuote ? '\'' : '"', i);
        if (i == std::string::npos) return i;
        state_ = State::kPlain;
        ++i;
        break;
      }
      case State::kEscapedQuote: {
        i = text_.find_first_of("'\\", i);
        if (i == std::string::npos) return i;
        if (text_[i] == '\\') {
          ++i;
        } else if (i + 1 < text_.size() && text_[i + 1] == '\'') {
          ++i;
        } else {
          state_ = State::kPlain;
        }
        ++i;
        break;
      }
      case State::kDollarQuote: {
        i = text_.find(dollar_tag_, i);
        if (i == std::string::npos) return i;
        i += dollar_tag_.size();
        state_ = State::kPlain;
        break;
      }
      case State::kBlockComment: {
        i = text_.find_first_of("*/", i);
        if (i == std::string::npos) return i;
        if (text_.compare(i, 2, "*/") == 0) {
          if (--comment_depth_ == 0) state_ = State::kPlain;
          i += 2;
        } else if (text_.compare(i, 2, "/*") == 0) {
          ++comment_depth_;
          i += 2;
        } else {
          ++i;
        }
        break;
      }
    }
  }
  return std::string::npos;
}

size_t StatementSplitter::ScanPlain(size_t i) {
  const char c = text_[i];
  if (IsSpace(c)) return i + 1;
  if (text_.compare(i, 2, "--") == 0) {
    const size_t end = text_.find('\n', i);
    return end == std::string::npos ? text_.size() : end + 1;
  }
  if (text_.compare(i, 2, "/*") == 0) {
    state_ = State::kBlockComment;
    comment_depth_ = 1;
    return i + 2;
  }
  has_content_ = true;
  if (c == '\'') {
    state_ = State::kSingleQuote;
    return i + 1;
  }
  if (c == '"') {
    state_ = State::kDoubleQuote;
    return i + 1;
  }
  if (c == '$') {
    const size_t length = DollarTagLength(std::string_view(text_).substr(i));
    if (length == 0) return i + 1;
    dollar_tag_ = text_.substr(i, length);
    state_ = State::kDollarQuote;
    return i + length;
  }
  if (!IsWord(c)) return i + 1;
  // A whole word, so that a `$` or an `e` inside it starts nothing.
  size_t end = i;
  while (end < text_.size() && (IsWord(text_[end]) || text_[end] == '$')) ++end;
  const bool is_escape =
      end == i + 1 && (c == 'e' || c == 'E') && end < text_.size() && text_[end] == '\'';
  if (is_escape) {
    state_ = State::kEscapedQuote;
    return end + 1;
  }
  return end;
}

std::optional<std::string> OnOneLine(std::string_view statement) {
  StatementSplitter splitter;
  std::string result;
  while (!statement.empty()) {
    const size_t end = std::min(statement.find('\n'), statement.size());
    const auto line = statement.substr(0, end);
    statement.remove_prefix(std::min(end + 1, statement.size()));
    splitter.AddLine(line);
    if (!result.empty()) result += ' ';
    result += line;
    // A `--` anywhere may be a comment that runs to the end of its line.
    const bool keeps_break =
        splitter.waits_for() != ';' || line.find("--") != std::string_view::npos;
    if (keeps_break && !statement.empty()) return std::nullopt;
  }
  return result;
}

}  // namespace tarn::shell
