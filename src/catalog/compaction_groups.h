// Which of a table's data files become one: the pure part of planning a compaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarn/ids.h"
#include "tarn/schema.h"

namespace tarn {

/// A file that may be taken, as far as grouping cares.
struct CompactionCandidate {
  int64_t bytes = 0;  ///< that it brings into the new file
  int64_t shape = 0;  ///< files of different shapes stay apart; the newest has the highest number
  std::optional<PartitionRef> partition;  ///< its spec, and the values of its keys
  std::vector<std::optional<std::string>> partition_values;
};

struct GroupingRules {
  int64_t target_bytes = 0;
  size_t least_files = 1;  ///< that make a group
  std::optional<int64_t> max_groups;
};

/// Groups of candidates, by their places. Only files of one shape and partition are together, in
/// the order in which they are given, until they reach the target: the one that crosses it is in.
/// Newest shape first.
std::vector<std::vector<size_t>> GroupCandidates(const std::vector<CompactionCandidate>& candidates,
                                                 const GroupingRules& rules);

/// Equal for columns whose rows can be in one file without loss: the same fields of the same types,
/// nested ones too, and the same values where files lack them. Names and order don't matter.
std::string ShapeKey(const std::vector<Column>& columns);

}  // namespace tarn
