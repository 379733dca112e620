// See the header. The parser of the command line knows options only: to it each of these is a
// surplus word, or a new lake of a strange name.
#include "shell/misuse.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "format/age.h"

namespace tarn::shell {
namespace {

using Words = std::vector<std::string>;

bool IsOption(const std::string& word) { return word.starts_with('-'); }

bool Has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// How many letters are missing, surplus, wrong, or have changed places with the next one.
size_t Distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::optional<std::string> Nearest(const std::string& word, const Words& commands) {
  constexpr size_t kLongName = 6;
  std::optional<std::string> nearest;
  size_t least = 3;
  for (const std::string& command : commands) {
    const size_t distance = Distance(AsciiLower(word), command);
    const size_t most = command.size() >= kLongName ? 2 : 1;
    if (distance > most || distance >= least) continue;
    nearest = command;
    least = distance;
  }
  return nearest;
}

std::string Join(Words::const_iterator begin, Words::const_iterator end) {
  std::string line;
  for (auto word = begin; word != end; ++word) line += " " + ShellWord(*word);
  return line;
}

std::optional<std::string> ExplainCommand(const Words& words, const Words& commands) {
  const std::string& first = words.front();
  if (first.empty() || IsOption(first) || Has(commands, first)) return std::nullopt;
  if (words.size() > 1 && Has(commands, words[1])) {
    return fmt::format("The command comes first; write: tarn {} {}{}.", words[1], ShellWord(first),
                       Join(words.begin() + 2, words.end()));
  }
  for (const char* word : {"-c", "--command", "-f", "--file", "-"}) {
    if (Has(words, word)) return std::nullopt;  // SQL on a lake of that name
  }
  std::error_code error;
  const auto nearest = Nearest(first, commands);
  if (!nearest || std::filesystem::exists(first, error)) return std::nullopt;
  return fmt::format(
      "There is no command \"{0}\"; did you mean: tarn {1}{2}? A lake of that name is written "
      "./{0}.",
      first, *nearest, Join(words.begin() + 1, words.end()));
}

/// postgres:dbname=a host=b
std::optional<std::string> ExplainConnection(const Words& words) {
  const auto is_pair = [](const std::string& word) {
    return !IsOption(word) && word.find('=') != std::string::npos;
  };
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const bool begins = words[i].find("postgres:") != std::string::npos && is_pair(words[i]) &&
                        words[i].find(' ') == std::string::npos;
    if (!begins || !is_pair(words[i + 1])) continue;
    std::string whole = words[i];
    for (size_t next = i + 1; next < words.size() && is_pair(words[next]); ++next)
      whole += " " + words[next];
    return fmt::format("A connection string with spaces is quoted: {}.", ShellWord(whole));
  }
  return std::nullopt;
}

bool IsUnit(std::string word) {
  word = AsciiLower(word);
  if (word.ends_with('s')) word.pop_back();
  const Words units = {"second", "minute", "hour", "day", "week", "month", "year"};
  return Has(units, word);
}

bool IsClock(const std::string& word) {
  return word.size() > 2 && word.find(':') <= 2 && word.find_first_not_of("0123456789:.+") > 2 &&
         word[0] >= '0' && word[0] <= '9';
}

/// --older-than 30 days, --at 2026-01-31 12:00
std::optional<std::string> ExplainTime(const Words& words) {
  const Words options = {"--older-than", "--to-time", "--at"};
  for (size_t i = 0; i + 2 < words.size(); ++i) {
    if (!Has(options, words[i])) continue;
    const bool is_age = IsBareNumber(words[i + 1]) && IsUnit(words[i + 2]);
    const bool is_time = words[i + 1].find('-') == 4 && IsClock(words[i + 2]);
    if (is_age || is_time)
      return fmt::format("A value with spaces is quoted: {} '{} {}'.", words[i], words[i + 1],
                         words[i + 2]);
  }
  return std::nullopt;
}

}  // namespace

std::string ShellWord(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./:=@%+,").find(c) != std::string_view::npos || (c & 0x80) != 0;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::optional<std::string> ExplainMisuse(const Words& words, const Words& commands) {
  if (words.empty()) return std::nullopt;
  if (auto connection = ExplainConnection(words)) return connection;
  if (auto time = ExplainTime(words)) return time;
  return ExplainCommand(words, commands);
}

}  // namespace tarn::shell
