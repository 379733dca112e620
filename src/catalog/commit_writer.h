// Writes a rebased plan through one connection, inside its transaction. Decides nothing.
#pragma once

#include <optional>

#include "catalog/rebase.h"
#include "tarn/catalog_store.h"

namespace tarn {

/// Absent when all is written. Else rows to end or to remove were not what the plan expects,
/// because another transaction changed them: nothing may be committed then.
std::optional<LostRows> WritePlan(StoreConnection& connection, const RebasedPlan& plan);

}  // namespace tarn
