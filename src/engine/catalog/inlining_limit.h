// How many rows an insert may have to be kept in the catalog database instead of a file.
#pragma once

#include <cstdint>
#include <optional>

#include "duckdb.hpp"
#include "tarn/ids.h"

namespace tarn::engine {

class TarnCatalog;
class TarnTransaction;

/// What ATTACH said, else the session's setting: holds where no option is stored.
int64_t DefaultInliningRowLimit(duckdb::ClientContext& context, const TarnCatalog& catalog);

/// The option at table, schema or lake, else what ATTACH said, else the session's setting.
int64_t InliningRowLimit(duckdb::ClientContext& context, TarnTransaction& transaction,
                         SchemaRef schema, std::optional<TableRef> table);

}  // namespace tarn::engine
