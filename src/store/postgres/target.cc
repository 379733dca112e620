// See the header. libpq reads the string again when it connects; here it is only looked at, so that
// a misspelt word is an error of its own and not one of a server.
#include "store/postgres/target.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>

#include "base/text.h"
#include "store/connection_string.h"

namespace tarn::postgres {
namespace {

using OptionList = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

std::set<std::string> KnownKeywords() {
  std::set<std::string> keywords;
  const OptionList options(PQconndefaults(), PQconninfoFree);
  for (const PQconninfoOption* option = options.get(); option && option->keyword; ++option)
    keywords.insert(option->keyword);
  return keywords;
}

/// The keyword that libpq does not know, from its message; empty: it complains of something else.
/// The message itself may hold pieces of a password.
std::string UnknownKeyword(std::string_view message) {
  for (const std::string_view begin :
       {"invalid connection option \"", "invalid URI query parameter: \""}) {
    if (!message.starts_with(begin)) continue;
    message.remove_prefix(begin.size());
    return std::string(message.substr(0, message.find('"')));
  }
  return {};
}

/// libpq itself looks at it only in calls that wait.
void CheckTimeout(std::string_view value) {
  int seconds = 0;
  const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (failed == std::errc() && end == value.data() + value.size()) return;
  throw Error(ErrorCode::kInvalid,
              fmt::format("connect_timeout is a number of seconds, not \"{}\".", value));
}

/// Does the string name a database? A plain word is the name of one.
bool NamesDatabase(const std::string& text) {
  if (text.find('=') == std::string::npos && text.find("://") == std::string::npos)
    return !text.empty();
  char* message = nullptr;
  const OptionList options(PQconninfoParse(text.c_str(), &message), PQconninfoFree);
  const std::unique_ptr<char, decltype(&PQfreemem)> owned(message, PQfreemem);
  bool names_database = false;
  for (const PQconninfoOption* option = options.get(); option && option->keyword; ++option) {
    if (option->val == nullptr) continue;
    const std::string_view keyword = option->keyword;
    if (keyword == "dbname") names_database = true;
    if (keyword == "connect_timeout") CheckTimeout(option->val);
  }
  if (options) return names_database;
  const std::string unknown = UnknownKeyword(message ? message : "");
  if (!unknown.empty()) {
    throw Error(
        ErrorCode::kInvalid,
        fmt::format("The PostgreSQL connection string \"{}\" has the key \"{}\", which libpq "
                    "does not know: correct it, or leave it out.",
                    WithoutPasswords(text), unknown));
  }
  throw Error(ErrorCode::kInvalid,
              fmt::format("The PostgreSQL connection string \"{}\" cannot be read: give libpq's "
                          "key=value pairs, with values that hold spaces in single quotes, or an "
                          "address like postgres://user@host:5432/database.",
                          WithoutPasswords(text)));
}

/// What the server would cut, so that two names were one schema, or keeps for itself.
void CheckSchemaName(const std::string& name) {
  constexpr size_t kLongestName = 63;
  if (name.size() > kLongestName) {
    throw Error(
        ErrorCode::kInvalid,
        fmt::format("METADATA_SCHEMA \"{}\" has {} bytes, and PostgreSQL keeps {} of a name: "
                    "choose a shorter one.",
                    name, name.size(), kLongestName));
  }
  if (name.starts_with("pg_") || name == "information_schema") {
    throw Error(ErrorCode::kInvalid,
                fmt::format("METADATA_SCHEMA \"{}\" is a name that PostgreSQL keeps for itself: "
                            "choose another one.",
                            name));
  }
}

}  // namespace

Target MakeTarget(const StoreOptions& options) {
  Target target;
  target.connection_string = options.location;
  target.shown = WithoutPasswords(options.location);
  target.schema = options.schema.empty() ? "public" : options.schema;
  CheckSchemaName(target.schema);
  target.read_only = options.read_only;
  target.busy_timeout = std::chrono::milliseconds(std::max<int64_t>(options.busy_timeout_ms, 0));
  if (target.connection_string.find('\0') != std::string::npos)
    throw Error(ErrorCode::kInvalid, "A PostgreSQL connection string cannot hold a zero byte.");
  const std::set<std::string> keywords = KnownKeywords();
  for (const auto& [key, value] : options.parameters) {
    if (key == "type" && (AsciiLower(value) == "postgres" || AsciiLower(value) == "postgresql"))
      continue;
    if (!keywords.contains(key)) {
      throw Error(ErrorCode::kInvalid,
                  fmt::format("Unrecognized option for attach \"{}\": a PostgreSQL catalog takes "
                              "META_SECRET and libpq's connection parameters, such as META_HOST.",
                              key));
    }
    if (key == "connect_timeout") CheckTimeout(value);
    if (key == "dbname") {
      target.database = value;
    } else {
      target.defaults.emplace_back(key, value);
    }
  }
  if (NamesDatabase(target.connection_string)) target.database.clear();
  return target;
}

}  // namespace tarn::postgres
