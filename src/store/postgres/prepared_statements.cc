// See the header.
#include "store/postgres/prepared_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tarn::postgres {
namespace {

/// Each costs the server some memory.
constexpr size_t kMaxPrepared = 64;
/// Texts of many rows are long, and seldom the same.
constexpr size_t kMaxText = 16 << 10;
constexpr size_t kMaxSeen = 1000;
/// Then it is planned anew: a plan for small tables may not do for grown ones.
constexpr int kMaxUses = 2000;

/// What the server plans. Of the rest some answer differently each time (FETCH).
bool IsPlanned(std::string_view sql) {
  constexpr std::string_view kWords[] = {"SELECT ", "WITH ", "INSERT ", "UPDATE ", "DELETE "};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return sql.starts_with(word); });
}

}  // namespace

PreparedStatements::Use PreparedStatements::For(const std::string& sql,
                                                std::span<const Oid> types) {
  Use use;
  if (sql.size() > kMaxText || !IsPlanned(sql)) return use;
  std::string key;
  key.reserve(sql.size() + 1 + types.size() * sizeof(Oid));
  key += sql;
  key += '\0';
  key.append(reinterpret_cast<const char*>(types.data()), types.size() * sizeof(Oid));

  auto found = entries_.find(key);
  if (found != entries_.end() && ++found->second.uses > kMaxUses) {
    use.dropped.push_back(Drop(found));
    found = entries_.end();
  } else if (found == entries_.end()) {
    if (seen_.size() >= kMaxSeen) seen_.clear();
    if (seen_.insert(std::hash<std::string>()(key)).second) return use;
  }
  if (found != entries_.end()) {
    ages_.splice(ages_.end(), ages_, found->second.age);
    use.name = found->second.name;
    return use;
  }
  if (entries_.size() >= kMaxPrepared) use.dropped.push_back(Drop(entries_.find(ages_.front())));
  use.name = fmt::format("tarn_{:016x}_{}", std::hash<std::string>()(key), ++last_number_);
  use.is_new = true;
  const auto age = ages_.insert(ages_.end(), key);
  entries_.emplace(std::move(key), Prepared{use.name, 0, age});
  return use;
}

std::string PreparedStatements::Drop(Entries::iterator entry) {
  std::string name = std::move(entry->second.name);
  ages_.erase(entry->second.age);
  entries_.erase(entry);
  return name;
}

void PreparedStatements::Forget(const std::string& name) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const auto& entry) { return entry.second.name == name; });
  if (found != entries_.end()) Drop(found);
}

void PreparedStatements::Clear() {
  entries_.clear();
  ages_.clear();
}

}  // namespace tarn::postgres
