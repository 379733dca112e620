// CatalogViews by schema version: snapshots with the same schema version have the same objects
// (format page, section 1), so inserts by others never cost a reload.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "catalog/catalog_reader.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

/// Thread safe; keeps the views that were used last.
class ViewCache {
 public:
  /// From the cache, by refreshing a cached older view, or by loading. Reads inside the
  /// connection's transaction, which must be open unless the view is cached (see Find).
  std::shared_ptr<const CatalogView> Get(StoreConnection& connection, const Snapshot& snapshot);
  /// Only from the cache.
  std::shared_ptr<const CatalogView> Find(const Snapshot& snapshot);
  void Add(const Snapshot& snapshot, std::shared_ptr<const CatalogView> view);

 private:
  struct Entry {
    Snapshot snapshot;  ///< the newest one known to have this view
    std::shared_ptr<const CatalogView> view;
  };
  std::optional<Entry> FindOlder(const Snapshot& snapshot);

  std::mutex mutex_;
  std::list<Entry> entries_;  ///< last used first
};

}  // namespace tarn
