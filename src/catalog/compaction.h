// Plans compactions: which live files of tables become one and in which order

#pragma once

#include <functional>
#include <vector>

#include "catalog/scan_planner.h"
#include "tarn/catalog_store.h"
#include "tarn/compaction.h"

namespace tarn {

/// Units of all requests, in their order. Files for which `is_taken` are left out, as are files
/// that hold rows, or lost some, after the input's snapshot. A few queries, and a few more for each
/// table that may have something to do.
std::vector<CompactionUnit> PlanCompactions(StoreConnection& connection,
                                            const std::vector<CompactionRequest>& requests,
                                            const PlanInput& input,
                                            const std::function<bool(DataFileId)>& is_taken);

}  // namespace tarn
