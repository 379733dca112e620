// See the header. Text alone decides, so that programs without the driver can hide secrets too.
#include "store/connection_string.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace tarn {
namespace {

/// `password`, `sslpassword`, and what somebody may have meant by one of them.
bool IsSecret(std::string_view key) {
  const std::string lower = AsciiLower(key);
  return lower.find("pas") != std::string::npos || lower.find("word") != std::string::npos;
}

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// `key = 'va\'lue'` pairs, separated by spaces.
std::string FromPairs(std::string_view text) {
  std::string result;
  bool has_secret = false;
  size_t at = 0;
  while (at < text.size()) {
    const size_t start = at;
    while (at < text.size() && IsSpace(text[at])) ++at;
    const size_t key_start = at;
    while (at < text.size() && text[at] != '=' && !IsSpace(text[at])) ++at;
    const std::string_view key = text.substr(key_start, at - key_start);
    while (at < text.size() && IsSpace(text[at])) ++at;
    if (at == text.size() || text[at] != '=') {
      // A lone word is a mistake; after a password it may be the rest of it.
      if (!has_secret) result += text.substr(start, at - start);
      continue;
    }
    ++at;
    while (at < text.size() && IsSpace(text[at])) ++at;
    const bool quoted = at < text.size() && text[at] == '\'';
    if (quoted) ++at;
    for (; at < text.size() && (quoted ? text[at] != '\'' : !IsSpace(text[at])); ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
    }
    if (quoted && at < text.size()) ++at;
    if (!IsSecret(key)) {
      if (start == key_start && !result.empty()) result += ' ';
      result += text.substr(start, at - start);
      continue;
    }
    has_secret = true;
    if (at < text.size() && !IsSpace(text[at])) break;  // its end is not where it seems to be
  }
  const size_t first = result.find_first_not_of(' ');
  return first == std::string::npos ? std::string() : result.substr(first);
}

/// `scheme://user:password@host/database?key=value&key=value`.
std::string FromAddress(std::string_view text, size_t authority) {
  std::string result(text.substr(0, authority));
  text.remove_prefix(authority);
  const size_t question = text.find('?');
  std::string_view place = text.substr(0, question);
  // The last @ before the path: a password that holds one is too odd to be shown in part.
  const size_t at = place.substr(0, place.find('/')).rfind('@');
  const size_t late_at = place.rfind('@');
  const size_t end = late_at != std::string_view::npos ? late_at : at;
  if (end != std::string_view::npos) {
    const std::string_view user = place.substr(0, end);
    result += user.substr(0, user.find(':'));
    place.remove_prefix(end);
  }
  result += place;
  if (question == std::string_view::npos) return result;
  char separator = '?';
  for (std::string_view rest = text.substr(question + 1); !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    // Keys may be written with %xx; whatever could be "password" is left out.
    const std::string_view key = pair.substr(0, pair.find('='));
    if (IsSecret(key) || key.find('%') != std::string_view::npos) continue;
    result += separator;
    result += pair;
    separator = '&';
  }
  return result;
}

}  // namespace

std::string WithoutPasswords(std::string_view connection_string) {
  const size_t address = connection_string.find("://");
  const size_t equals = connection_string.find('=');
  if (address != std::string_view::npos && (equals == std::string_view::npos || address < equals))
    return FromAddress(connection_string, address + 3);
  if (equals == std::string_view::npos) return std::string(connection_string);
  return FromPairs(connection_string);
}

}  // namespace tarn
