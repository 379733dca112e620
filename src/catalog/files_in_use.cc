// See files_in_use.h.
#include "catalog/files_in_use.h"

#include "catalog/catalog_sql.h"
#include "catalog/table_files_loader.h"

namespace tarn {

std::shared_ptr<const TableFiles> FilesInUse::Get(StoreConnection& connection, TableId table,
                                                  const Snapshot& snapshot,
                                                  TableFilesCache* cache) {
  std::lock_guard lock(mutex_);
  State& state = states_[{table, snapshot.id}];
  if (std::shared_ptr<const TableFiles> files = state.used.lock()) {
    RequireKept(connection, snapshot.id);
    return files;
  }
  // The cache holds it, too: those who use it are counted apart.
  const auto holder = std::make_shared<const std::shared_ptr<const TableFiles>>(
      FindTableFiles(connection, table, snapshot, cache));
  const std::shared_ptr<const TableFiles> files(holder, holder->get());
  state.used = files;
  return files;
}

void FilesInUse::Pin(TableId table, SnapshotId snapshot) {
  std::lock_guard lock(mutex_);
  State& state = states_[{table, snapshot}];
  if (!state.pinned) state.pinned = state.used.lock();
}

std::shared_ptr<const TableFiles> FindTableFiles(StoreConnection& connection, TableId table,
                                                 const Snapshot& snapshot, TableFilesCache* cache) {
  if (cache != nullptr) return cache->Get(connection, table, snapshot);
  RequireKept(connection, snapshot.id);
  return LoadTableFiles(connection, table, snapshot);
}

}  // namespace tarn
