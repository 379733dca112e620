// See the header. libpq reads the string again when it connects; here it is only looked at, so that
// a misspelt word is an error of its own and not one of a server.
#include "store/postgres/target.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
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

/// Does the string name a database? A plain word is the name of one.
bool NamesDatabase(const std::string& text) {
  if (text.find('=') == std::string::npos && text.find("://") == std::string::npos)
    return !text.empty();
  const OptionList options(PQconninfoParse(text.c_str(), nullptr), PQconninfoFree);
  for (const PQconninfoOption* option = options.get(); option && option->keyword; ++option) {
    if (std::string_view(option->keyword) == "dbname") return option->val != nullptr;
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
