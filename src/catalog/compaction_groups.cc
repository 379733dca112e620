// See compaction_groups.h.
#include "catalog/compaction_groups.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tarn {

std::vector<std::vector<size_t>> GroupCandidates(const std::vector<CompactionCandidate>& candidates,
                                                 const GroupingRules& rules) {
  struct Open {
    size_t first;  ///< keeps the groups of one shape in the order of their first files
    int64_t bytes = 0;
    std::vector<size_t> files;
  };
  using Key =
      std::tuple<int64_t, std::optional<PartitionRef>, std::vector<std::optional<std::string>>>;
  std::map<Key, Open> open;
  std::vector<std::pair<int64_t, Open>> groups;
  auto close = [&](int64_t shape, Open& group) {
    if (group.files.size() >= rules.least_files) groups.emplace_back(shape, std::move(group));
    group = {};
  };
  for (size_t i = 0; i < candidates.size(); ++i) {
    const CompactionCandidate& candidate = candidates[i];
    Open& group = open[{candidate.shape, candidate.partition, candidate.partition_values}];
    if (group.files.empty()) group.first = i;
    group.files.push_back(i);
    group.bytes += candidate.bytes;
    if (group.bytes >= rules.target_bytes) close(candidate.shape, group);
  }
  for (auto& [key, group] : open) close(std::get<0>(key), group);
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return std::pair(-a.first, a.second.first) < std::pair(-b.first, b.second.first);
  });
  std::vector<std::vector<size_t>> result;
  for (auto& [_, group] : groups) {
    if (rules.max_groups && static_cast<int64_t>(result.size()) >= *rules.max_groups) break;
    result.push_back(std::move(group.files));
  }
  return result;
}

std::string ShapeKey(const std::vector<Column>& columns) {
  std::map<FieldId, std::string> parts;
  for (const Column& column : columns) {
    std::string part = std::to_string(column.id.value) + ":" + column.type;
    if (column.initial_default) {
      part += "=" + std::to_string(column.initial_default->size()) + ":" + *column.initial_default;
    }
    if (!column.children.empty()) part += "(" + ShapeKey(column.children) + ")";
    parts.emplace(column.id, std::move(part));
  }
  std::string key;
  for (const auto& [_, part] : parts) key += part + ";";
  return key;
}

}  // namespace tarn
