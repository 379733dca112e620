// What a restore needs of files and rows: data files under new names, which of their rows are dead,
// and rows of the catalog that come back.
#pragma once

#include "duckdb.hpp"
#include "tarn/restore.h"

namespace tarn::engine {

class TarnCatalog;

/// Carries the plan out and stages it in the transaction. Throws kNotFound for a file that is gone,
/// kUnsupported for rows that the catalog cannot keep in the table's old shape.
void CarryOutRestore(duckdb::ClientContext& context, TarnCatalog& catalog, RestorePlan plan);

}  // namespace tarn::engine
