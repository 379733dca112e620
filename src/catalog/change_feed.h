// Plans change feeds: which files, deletes and inlined rows tell what a range of snapshots did to a
// table. Only rows of the catalog that the range touches are read: their number, not that of the
// lake's snapshots or files, is what a feed costs.
#pragma once

#include <string_view>

#include "tarn/catalog_store.h"
#include "tarn/scan.h"

namespace tarn {

/// `view` is the one at scan.at. A constant number of queries. Files come in order of their id, one
/// that both brought and lost rows twice; ordinals are unique in the plan.
ScanPlan PlanChangeFeed(StoreConnection& connection, const ChangeScan& scan,
                        const CatalogView& view, std::string_view data_path);

}  // namespace tarn
