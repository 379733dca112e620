// The statistics of a written file as rows of the catalog.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "catalog/commit_plan.h"
#include "format/tables.h"
#include "tarn/data_file.h"
#include "tarn/schema.h"

namespace tarn {

using InsertPlanRow = std::function<void(const CatalogTable&, std::vector<PlanValue>)>;

/// One row for each column that the table still has, and one for each known field of its variants.
void PlanFileStats(const Table& table, const PlanValue& table_id, const PlanValue& file,
                   std::span<const ColumnStats> stats, const InsertPlanRow& insert);

}  // namespace tarn
