// Answers to aggregates from what the catalog knows of a table's files.
#pragma once

#include <optional>

#include "catalog/scan_planner.h"
#include "tarn/aggregates.h"
#include "tarn/catalog_store.h"

namespace tarn {

/// Absent when no file can be settled, whatever it holds; nothing is read then.
std::optional<AggregateAnswers> SettleAggregates(StoreConnection& connection,
                                                 const AggregateQuestion& question,
                                                 const PlanInput& input);

}  // namespace tarn
