// See the header.
#include "format/name_map_key.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace tarn {
namespace {

using Children = std::map<std::optional<int64_t>, std::vector<const NameMapEntry*>>;

std::string KeyOf(const Children& children, std::optional<int64_t> parent) {
  const auto found = children.find(parent);
  if (found == children.end()) return "";
  std::vector<std::string> parts;
  for (const NameMapEntry* entry : found->second) {
    // The length first: names may hold anything.
    parts.push_back(std::to_string(entry->source_name.size()) + ":" + entry->source_name + ">" +
                    std::to_string(entry->target.value) + (entry->is_partition ? "p" : "") + "(" +
                    KeyOf(children, entry->id) + ")");
  }
  std::sort(parts.begin(), parts.end());
  std::string key;
  for (const std::string& part : parts) key += part;
  return key;
}

}  // namespace

std::string NameMapKey(const NameMap& map) {
  Children children;
  for (const NameMapEntry& entry : map.entries) {
    if (entry.parent != entry.id) children[entry.parent].push_back(&entry);
  }
  return KeyOf(children, std::nullopt);
}

}  // namespace tarn
