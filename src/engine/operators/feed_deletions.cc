// See feed_deletions.h.
#include "engine/operators/feed_deletions.h"

#include <algorithm>
#include <optional>

#include "engine/operators/delete_positions.h"

namespace tarn::engine {
namespace {

// Each position with the snapshot that removed it; what a later vector repeats of an earlier one
// comes twice.
void VisitDeletes(duckdb::ClientContext& context, FileSystem& file_system, const ScanFile& file,
                  const ScanDelete& deletion,
                  const std::function<void(int64_t position, SnapshotId snapshot)>& visit) {
  const auto begin = deletion.file.begin_snapshot;
  if (deletion.file.format == "puffin") {
    DeleteMask mask;
    ReadDeletionVector(file_system, deletion.path, file.file.record_count, mask);
    for (const auto position : mask.Positions()) {
      visit(position, begin);
    }
    return;
  }
  ReadDeletePositions(context, deletion, file.file.record_count, true,
                      [&](int64_t position, std::optional<int64_t> snapshot) {
                        visit(position, snapshot ? SnapshotId(*snapshot) : begin);
                      });
}

// The snapshot that all rows of the file came with; absent when each row has its own.
std::optional<SnapshotId> OnlySnapshotOf(const DataFile& file) {
  return file.partial_max ? std::nullopt : std::optional(file.begin_snapshot);
}

}  // namespace

std::shared_ptr<const DeletionHistory> ReadDeletionHistory(duckdb::ClientContext& context,
                                                           FileSystem& file_system,
                                                           const ScanFile& file) {
  const auto& part = *file.feed;
  auto history = std::make_shared<DeletionHistory>(part.range, OnlySnapshotOf(file.file));
  for (const auto& deletion : file.deletes) {
    VisitDeletes(context, file_system, file, deletion,
                 [&](int64_t position, SnapshotId snapshot) { history->Add(position, snapshot); });
  }
  for (const auto& deletion : part.inlined_deletes) {
    history->Add(deletion.position, deletion.snapshot);
  }
  auto end = file.file.end_snapshot;
  if (end && (!part.range.Contains(*end) ||
              std::binary_search(part.rewritten.begin(), part.rewritten.end(), *end))) {
    end.reset();
  }
  history->Settle(end);
  return history;
}

DeleteMask ReadStillborn(duckdb::ClientContext& context, FileSystem& file_system,
                         const ScanFile& file) {
  DeleteMask mask;
  const auto own = OnlySnapshotOf(file.file);
  if (!own) {
    return mask;
  }
  for (const auto& deletion : file.deletes) {
    if (deletion.file.begin_snapshot > *own) {
      continue;
    }
    VisitDeletes(context, file_system, file, deletion, [&](int64_t position, SnapshotId snapshot) {
      if (snapshot <= *own) {
        mask.Add(position);
      }
    });
  }
  for (const auto& deletion : file.feed->inlined_deletes) {
    if (deletion.snapshot <= *own) {
      mask.Add(deletion.position);
    }
  }
  return mask;
}

}  // namespace tarn::engine
