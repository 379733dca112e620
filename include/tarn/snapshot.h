// Snapshot: the row that commits race for.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "tarn/ids.h"

namespace tarn {

/// Microseconds since 1970-01-01 00:00:00 UTC.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

/// A row of ducklake_snapshot.
struct Snapshot {
  SnapshotId id;
  Timestamp time;
  int64_t schema_version = 0;
  int64_t next_catalog_id = 0;  ///< schemas, tables, views, macros, partition specs, sort specs
  int64_t next_file_id = 0;     ///< data files, delete files, name mappings
};

/// Who and why: goes into ducklake_snapshot_changes. Absent differs from empty.
struct CommitMessage {
  std::optional<std::string> author;
  std::optional<std::string> message;
  std::optional<std::string> extra_info;
};

/// A snapshot with its row of ducklake_snapshot_changes.
struct SnapshotInfo {
  Snapshot snapshot;
  std::string changes_made;  ///< the stored list of change words
  CommitMessage commit;
};

/// Which snapshot to read: by version, by time (the last one at or before it), or the newest.
struct SnapshotSelector {
  std::optional<SnapshotId> version;
  std::optional<Timestamp> time;
};

}  // namespace tarn
