// Candidates for completion. See completion.h.
#include "shell/completion.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "shell/shell.h"
#include "tarn/error.h"

namespace tarn::shell {
namespace {

constexpr const char* kKeywords =
    "SELECT DISTINCT upper(keyword_name) FROM duckdb_keywords() WHERE keyword_category <> "
    "'unreserved' OR "
    "length(keyword_name) > 3";
constexpr const char* kNames = R"(
  SELECT database_name, '' FROM duckdb_databases() WHERE NOT internal
  UNION ALL SELECT schema_name, database_name FROM duckdb_schemas() WHERE NOT internal
  UNION ALL SELECT table_name, schema_name FROM duckdb_tables() WHERE NOT internal
  UNION ALL SELECT view_name, schema_name FROM duckdb_views() WHERE NOT internal
  UNION ALL SELECT column_name, table_name FROM duckdb_columns() WHERE NOT internal
  UNION ALL SELECT DISTINCT function_name, '(' FROM duckdb_functions() WHERE function_name SIMILAR TO '[a-z_0-9]+')";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && EqualsIgnoreCase(text.substr(0, prefix.size()), prefix);
}

/// The name before the dot that precedes the word: "flights" in "flights.ca"; empty when there is
/// none.
std::string Qualifier(std::string_view before_word) {
  if (before_word.empty() || before_word.back() != '.') return {};
  before_word.remove_suffix(1);
  if (!before_word.empty() && before_word.back() == '"') {
    const size_t start = before_word.rfind('"', before_word.size() - 2);
    if (start == std::string_view::npos) return {};
    return std::string(before_word.substr(start + 1, before_word.size() - start - 2));
  }
  const size_t start = before_word.find_last_not_of(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return std::string(before_word.substr(start == std::string_view::npos ? 0 : start + 1));
}

bool IsLower(std::string_view word) { return AsciiLower(word) == word; }

}  // namespace

void Completion::Load() {
  is_loaded_ = true;
  names_.clear();
  try {
    if (keywords_.empty()) {
      session_.Run(kKeywords, {}, [&](engine::SessionResult& result) {
        while (result.Next()) keywords_.emplace_back(*result.Text(0));
      });
    }
    session_.Run(kNames, {}, [&](engine::SessionResult& result) {
      while (result.Next())
        names_.push_back({std::string(*result.Text(0)), std::string(*result.Text(1))});
    });
  } catch (const Error&) {
    // In a transaction that failed nothing can be asked: then there is nothing to offer.
  }
}

std::vector<std::string> Completion::Find(std::string_view before_cursor, std::string_view word) {
  std::set<std::string> found;
  if (!word.empty() && word.front() == '.') {
    for (auto& name : DotCommandNames()) {
      if (StartsWith(name, word)) found.insert(std::move(name));
    }
    return {found.begin(), found.end()};
  }
  if (!is_loaded_) Load();
  const auto owner = Qualifier(before_cursor.substr(0, before_cursor.size() - word.size()));
  // Everything there is would be no help.
  if (owner.empty() && word.empty()) return {};
  for (const auto& name : names_) {
    if (!StartsWith(name.text, word) || (!owner.empty() && !EqualsIgnoreCase(name.owner, owner)))
      continue;
    const bool is_function = name.owner == "(";
    const bool is_plain = std::all_of(name.text.begin(), name.text.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    found.insert(is_function || is_plain ? name.text : QuoteIdentifier(name.text));
  }
  if (owner.empty()) {
    for (const auto& keyword : keywords_) {
      if (StartsWith(keyword, word)) found.insert(IsLower(word) ? AsciiLower(keyword) : keyword);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace tarn::shell
