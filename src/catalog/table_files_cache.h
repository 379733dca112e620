// The files of tables that were read last, kept across snapshots and brought up to date by what has
// changed. docs/adr/0022 says why that is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "catalog/table_files.h"
#include "tarn/catalog_store.h"
#include "tarn/snapshot.h"

namespace tarn {

/// Thread safe.
class TableFilesCache {
 public:
  static constexpr int64_t kDefaultBudget = int64_t{512} << 20;

  /// The table's files at a snapshot, inside the connection's read transaction. One query when
  /// nothing has happened. Throws kNotFound when the snapshot is gone.
  std::shared_ptr<const TableFiles> Get(StoreConnection& connection, TableId table,
                                        const Snapshot& snapshot);
  /// Bytes; 0 keeps nothing.
  void SetBudget(int64_t bytes);
  /// To be called when facts were added to what is kept.
  void Trim();
  int64_t memory() const;  ///< bytes that are kept

 private:
  struct Entry {
    std::shared_ptr<const TableFiles> files;
    /// Up to this snapshot nobody has taken away rows of files that `files` needs.
    Snapshot seen;
  };

  /// The state that was kept last of those at the snapshot or before.
  std::optional<Entry> Find(TableId table, SnapshotId snapshot) const;
  /// Brings it to the snapshot; absent when that cannot be told from what the catalog still has.
  std::optional<Entry> Refresh(StoreConnection& connection, const Entry& entry,
                               const Snapshot& snapshot);
  void Keep(const Entry& entry);
  void Forget(TableId table);
  void TrimLocked();

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< used last first
  int64_t budget_ = kDefaultBudget;
};

}  // namespace tarn
