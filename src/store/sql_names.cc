// A small scanner of SQL: words, quoted names, strings, comments and single characters.
#include "store/sql_names.h"

#include <algorithm>
#include <cctype>

namespace tarn {
namespace {

struct Token {
  enum Kind { kEnd, kWord, kQuotedName, kOther } kind = kEnd;
  std::string text;  ///< upper case in `keyword`, as written here
  std::string keyword;
  bool IsName() const { return kind == kWord || kind == kQuotedName; }
  bool Is(std::string_view word) const { return kind == kWord && keyword == word; }
  bool IsChar(char c) const { return kind == kOther && text.size() == 1 && text[0] == c; }
};

bool IsWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}
bool IsWordPart(char c) {
  return IsWordStart(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '$';
}

class Scanner {
 public:
  explicit Scanner(std::string_view sql) : sql_(sql) {}

  Token Next() {
    SkipSpace();
    Token token;
    if (at_ >= sql_.size()) return token;
    const char c = sql_[at_];
    if (c == '"' || c == '\'') {
      token.kind = c == '"' ? Token::kQuotedName : Token::kOther;
      token.text = Quoted(c);
      if (c == '\'') token.text = "''";
      return token;
    }
    if (IsWordStart(c)) {
      token.kind = Token::kWord;
      while (at_ < sql_.size() && IsWordPart(sql_[at_])) {
        token.text += sql_[at_];
        token.keyword += static_cast<char>(std::toupper(static_cast<unsigned char>(sql_[at_])));
        ++at_;
      }
      return token;
    }
    token.kind = Token::kOther;
    token.text = std::string(1, c);
    ++at_;
    return token;
  }

 private:
  void SkipSpace() {
    while (at_ < sql_.size()) {
      if (std::isspace(static_cast<unsigned char>(sql_[at_]))) {
        ++at_;
      } else if (sql_.substr(at_, 2) == "--") {
        at_ = std::min(sql_.find('\n', at_), sql_.size());
      } else if (sql_.substr(at_, 2) == "/*") {
        const size_t end = sql_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? sql_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  /// The content between quotes, doubled ones undone.
  std::string Quoted(char quote) {
    std::string text;
    for (++at_; at_ < sql_.size(); ++at_) {
      if (sql_[at_] == quote) {
        if (at_ + 1 >= sql_.size() || sql_[at_ + 1] != quote) break;
        ++at_;
      }
      text += sql_[at_];
    }
    ++at_;
    return text;
  }

  std::string_view sql_;
  size_t at_ = 0;
};

bool StartsTableName(const Token& token) {
  return token.Is("FROM") || token.Is("JOIN") || token.Is("INTO") || token.Is("UPDATE") ||
         token.Is("TABLE");
}

bool IsNoise(const Token& token) {
  return token.Is("IF") || token.Is("NOT") || token.Is("EXISTS") || token.Is("ONLY") ||
         token.Is("LATERAL");
}

bool EndsFromClause(const Token& token) {
  for (const char* word : {"WHERE",   "JOIN",   "INNER",  "LEFT",  "RIGHT",   "FULL",     "CROSS",
                           "NATURAL", "ON",     "USING",  "GROUP", "ORDER",   "LIMIT",    "SET",
                           "VALUES",  "SELECT", "HAVING", "UNION", "DEFAULT", "RETURNING"}) {
    if (token.Is(word)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> TablesNamedIn(std::string_view sql) {
  std::vector<std::string> names;
  Scanner scanner(sql);
  Token token = scanner.Next();
  while (token.kind != Token::kEnd) {
    if (!StartsTableName(token)) {
      token = scanner.Next();
      continue;
    }
    bool more = true;
    token = scanner.Next();
    while (more) {
      more = false;
      while (IsNoise(token)) token = scanner.Next();
      if (!token.IsName() || StartsTableName(token) || EndsFromClause(token)) break;
      std::string name = token.text;
      token = scanner.Next();
      while (token.IsChar('.')) {
        token = scanner.Next();
        name = token.text;
        token = scanner.Next();
      }
      // `INTO t (a, b)` names a table, `FROM f(x)` a function; whoever asks only looks which names
      // exist.
      names.push_back(std::move(name));
      if (token.Is("AS")) token = scanner.Next();
      if (token.IsName() && !StartsTableName(token) && !EndsFromClause(token))
        token = scanner.Next();
      if (token.IsChar(',')) {
        token = scanner.Next();
        more = true;
      }
    }
  }
  return names;
}

std::string LeadingKeyword(std::string_view sql) { return Scanner(sql).Next().keyword; }

}  // namespace tarn
