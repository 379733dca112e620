// When the rows of one data file went: for change feeds, which show each lost row once, with the
// snapshot that took it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/delete_mask.h"
#include "tarn/scan.h"

namespace tarn {

/// Filled by one thread, then read by any number. A row that several deletes name went with the
/// first of them.
class DeletionHistory {
 public:
  /// Looks for rows that went in `range`. `own`: the snapshot of all rows of the file, when they
  /// are of one: what went with it or before was never there.
  DeletionHistory(SnapshotRange range, std::optional<SnapshotId> own) : range_(range), own_(own) {}

  /// In any order; deletes after the range are ignored.
  void Add(int64_t position, SnapshotId snapshot);
  /// After the last Add. `end`: the snapshot of the range that took the rest of the file, if any.
  void Settle(std::optional<SnapshotId> end);

  /// No row went in the range.
  bool empty() const { return events_.empty() && !end_; }
  /// The snapshot that took the row; absent when none of the range did.
  std::optional<SnapshotId> At(int64_t position) const;
  /// When all went with one snapshot: that one.
  std::optional<SnapshotId> only_snapshot() const;
  /// Writes to `removed` the offsets 0 <= i < count for which position start + i went in the range,
  /// in order: what a selection vector needs. Returns how many there are.
  int64_t SelectRemoved(int64_t start, int64_t count, uint32_t* removed) const;

 private:
  SnapshotRange range_;
  std::optional<SnapshotId> own_;
  DeleteMask before_;
  std::vector<FeedPart::PositionDelete> events_;  ///< once settled: sorted, each position once
  std::optional<SnapshotId> end_;
};

}  // namespace tarn
