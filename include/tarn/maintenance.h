// What keeps a lake small: old snapshots are forgotten, files that nobody needs are removed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tarn/ids.h"
#include "tarn/snapshot.h"

namespace tarn {

class Lake;

/// Which snapshots to expire: those named, or those older than a time. The newest one never goes;
/// ids that are not there are ignored.
struct ExpiryRequest {
  std::vector<SnapshotId> versions;
  std::optional<Timestamp> older_than;
};

/// Which files to remove, of those that are not needed.
struct FileRemoval {
  std::optional<Timestamp> older_than = {};  ///< absent: of any age
  bool dry_run = false;                      ///< only tell
  std::function<bool()> interrupted = {};
  /// Resolved paths that running transactions are about to commit. Asked after the files have been
  /// listed.
  std::function<std::vector<std::string>()> pending = {};
};

/// Removes files that are scheduled for deletion, by the time at which they were scheduled, and
/// returns their paths. What a row of the catalog names again is not removed, only no longer
/// scheduled. A file goes before its row: a crash leaves rows without files, which the next call
/// removes. Files that cannot be removed stay scheduled; after the others are gone, kUnavailable
/// names the first of them. Needs no transaction, and none can undo it.
std::vector<std::string> CleanUpOldFiles(Lake& lake, const FileRemoval& removal);

/// Removes `*.parquet` and `*.puffin` files below the data path that no row of the catalog names,
/// by the time at which they were last changed, and returns their paths. Symbolic links are neither
/// followed nor removed. Folders that look like another lake's data path (below the data path, with
/// a folder `main` that is none of this lake's) are left alone.
std::vector<std::string> DeleteOrphanedFiles(Lake& lake, const FileRemoval& removal);

/// After how much new in a table a commit is followed by upkeep of it; 0: never.
struct UpkeepLimits {
  int64_t flush_after_rows = 0;   ///< rows and deletes that the catalog keeps
  int64_t merge_after_files = 0;  ///< files of about one size
  int64_t target_file_size = 0;   ///< of files that need no merge
};

/// Files of `least` bytes or more, and of fewer than `below`.
struct FileSizes {
  int64_t least = 0;
  int64_t below = 0;
  friend bool operator==(const FileSizes&, const FileSizes&) = default;
};

struct DueUpkeep {
  bool flush = false;
  std::vector<FileSizes> merges;  ///< smallest first
};

/// Tables whose rows a commit has changed; upkeep changes none.
std::vector<TableId> TablesWithChangedRows(Lake& lake, SnapshotId commit);

/// What is due for a table since the commit: with it, a count has passed the limit or a multiple of
/// it. So one commit of all clients finds something due, and if its client does nothing, one some
/// time later does. Files are counted by size, each class `merge_after_files` times as large as the
/// one before: a row is written anew once per class, not with each merge. Without a commit: what
/// has reached its limit now.
DueUpkeep FindDueUpkeep(Lake& lake, TableId table, const UpkeepLimits& limits,
                        std::optional<SnapshotId> commit);

}  // namespace tarn
