// The statistics of a written file as rows of the catalog.
#pragma once

#include <functional>
#include <vector>

#include "catalog/commit_plan.h"
#include "format/tables.h"
#include "tarn/data_file.h"
#include "tarn/schema.h"

namespace tarn {

using InsertPlanRow = std::function<void(const CatalogTable&, std::vector<PlanValue>)>;

/// One row for each column that the table still has, and one for each known field of its variants.
/// Of a file that has been in the lake before also for dropped ones: they tell which ids of columns
/// its values take, which must not be given away again.
void PlanFileStats(const Table& table, const PlanValue& table_id, const PlanValue& file_id,
                   const DataFile& file, const InsertPlanRow& insert);

}  // namespace tarn
