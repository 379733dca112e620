// Loads catalog objects alive at one snapshot into a view: all of them, or those of some ids.
#pragma once

#include <optional>
#include <set>

#include "catalog/catalog_view.h"
#include "tarn/catalog_store.h"
#include "tarn/ids.h"

namespace tarn {

/// Catalog ids count over all kinds of objects, so one set of ids says which schemas, tables, views
/// and macros are meant.
using CatalogIds = std::set<int64_t>;

/// Adds what is alive at `at` to the builder; with `only`, objects with one of these ids.
void LoadObjects(StoreConnection& connection, SnapshotId at, const std::optional<CatalogIds>& only,
                 CatalogViewBuilder& builder);

/// Ids of objects with a row that began or ended in (from, to].
CatalogIds FindChangedObjects(StoreConnection& connection, SnapshotId from, SnapshotId to);

}  // namespace tarn
