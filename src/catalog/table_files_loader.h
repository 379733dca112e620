// Reads the files of a table, all of them or what has changed since an older snapshot.
#pragma once

#include <memory>

#include "catalog/table_files.h"
#include "tarn/catalog_store.h"
#include "tarn/snapshot.h"

namespace tarn {

/// All files alive at the snapshot, and inlined rows. Five queries at most, of answers of any size.
/// The caller has seen that the snapshot is there, in the same read transaction.
std::shared_ptr<const TableFiles> LoadTableFiles(StoreConnection& connection, TableId table,
                                                 const Snapshot& snapshot);

/// What transactions did to a table after a snapshot, as far as it matters here.
struct FileChanges {
  bool inserted = false;   ///< files came, with ids greater than all before
  bool inlined = false;    ///< rows came that the catalog keeps
  bool deleted = false;    ///< rows were deleted; files may have ended
  bool rewritten = false;  ///< files, deletes and rows may have gone without having ended

  void Add(const FileChanges& other) {
    inserted = inserted || other.inserted;
    inlined = inlined || other.inlined;
    deleted = deleted || other.deleted;
    rewritten = rewritten || other.rewritten;
  }
};

/// The files at a later snapshot than those of `before`, which is still kept. No query when nothing
/// has changed.
std::shared_ptr<const TableFiles> RefreshTableFiles(StoreConnection& connection,
                                                    const TableFiles& before,
                                                    const Snapshot& snapshot,
                                                    const FileChanges& changes);

}  // namespace tarn
