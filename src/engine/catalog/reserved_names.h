// Names that a lake's column cannot have while its table's rows may be inlined: the catalog table
// that holds such rows has columns of these names itself.
#pragma once

#include <optional>
#include <vector>

#include "duckdb.hpp"
#include "tarn/ids.h"
#include "tarn/schema.h"

namespace tarn::engine {

class TarnTransaction;

/// The first top-level column with such a name; null when there is none.
const Column* FindReservedName(const std::vector<Column>& columns);

/// Throws for the first such column if rows of the table (or of a new table in the schema) may be
/// inlined.
void RefuseReservedNames(duckdb::ClientContext& context, TarnTransaction& transaction,
                         SchemaRef schema, std::optional<TableRef> table,
                         const std::vector<Column>& columns);

}  // namespace tarn::engine
