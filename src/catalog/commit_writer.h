// Writes a rebased plan through one connection, inside its transaction. Decides nothing.
#pragma once

#include "catalog/rebase.h"
#include "tarn/catalog_store.h"

namespace tarn {

void WritePlan(StoreConnection& connection, const RebasedPlan& plan);

}  // namespace tarn
