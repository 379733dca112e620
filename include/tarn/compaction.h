// Compaction: several data files of a table become one. A merge joins small files and changes
// nothing for a reader of any snapshot; a rewrite leaves out rows that are deleted, and older
// snapshots keep the files as they were.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tarn/scan.h"
#include "tarn/schema.h"

namespace tarn {

enum class CompactionKind : uint8_t { kMerge, kRewrite };

/// What to look for in one committed table.
struct CompactionRequest {
  std::shared_ptr<const Table> table;
  CompactionKind kind = CompactionKind::kMerge;
  /// Files are taken together until they have this many bytes; the one that crosses it too.
  int64_t target_file_size = 0;
  // Of merges: only files of so many bytes or more, and of fewer bytes than that.
  int64_t min_file_size = 0;
  std::optional<int64_t> max_file_size;  ///< absent: the target
  std::optional<int64_t> max_outputs;
  /// Of rewrites: only files of whose rows at least this share is deleted, and one is.
  double delete_threshold = 0;
};

/// Files that become one, or none.
struct CompactionUnit {
  CompactionKind kind = CompactionKind::kMerge;
  /// Shared by all units of a table.
  std::shared_ptr<const Table> table;
  /// The columns that the new file has: for a merge those of the snapshots that its rows are of,
  /// whatever became of them since; for a rewrite the present ones.
  std::shared_ptr<const Table> shape;
  /// All of them, in the order of their rows.
  std::vector<ScanFile> sources;
  /// Those of the sources that have rows to write, with the deletes to take out; nothing else.
  ScanPlan plan;
  /// The rows are of several snapshots, which the new file has to tell apart.
  bool needs_snapshots = false;
  /// The rows' ids run on without a gap from here, if the files do not say otherwise themselves.
  std::optional<int64_t> first_row_id;
  std::optional<int64_t> row_count;  ///< that must come out, when it is known
};

}  // namespace tarn
