// The states of tables that a transaction's plans are made of. Plans that are used together must
// number files alike, and a merge or a flush by others in between puts rows elsewhere; so as long
// as one plan of a table at a snapshot is in use, the next ones are made of the same state. (Its
// files are there until a clean-up, and readers find flushed rows.)
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "catalog/table_files.h"
#include "catalog/table_files_cache.h"
#include "tarn/catalog_store.h"
#include "tarn/ids.h"
#include "tarn/snapshot.h"

namespace tarn {

/// Thread safe.
class FilesInUse {
 public:
  /// Inside the connection's read transaction. The result is in use as long as anyone holds it.
  /// `cache` may be null. Throws kNotFound when the snapshot is gone.
  std::shared_ptr<const TableFiles> Get(StoreConnection& connection, TableId table,
                                        const Snapshot& snapshot, TableFilesCache* cache);
  /// From now on, what is in use stays so: the transaction has removed rows where it has them.
  void Pin(TableId table, SnapshotId snapshot);

 private:
  struct State {
    std::weak_ptr<const TableFiles> used;
    std::shared_ptr<const TableFiles> pinned;
  };

  std::mutex mutex_;  ///< held while files are loaded: two plans at once must not find two states
  std::map<std::pair<TableId, SnapshotId>, State> states_;
};

/// A table's files at a snapshot, inside the connection's read transaction. `cache` may be null.
/// Throws kNotFound when the snapshot is gone.
std::shared_ptr<const TableFiles> FindTableFiles(StoreConnection& connection, TableId table,
                                                 const Snapshot& snapshot, TableFilesCache* cache);

}  // namespace tarn
