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

}  // namespace tarn
