// The catalog store of a lake that is being attached, and `__ducklake_metadata_<lake>` with it.
#pragma once

#include <memory>

#include "duckdb.hpp"
#include "engine/catalog/attach_options.h"
#include "tarn/catalog_store.h"

namespace tarn::engine {

/// Opens the catalog database that ATTACH names, by the host's instance if it is a DuckDB file and
/// by Tarn's own driver else, and makes its tables known in SQL as `options.metadata_catalog`. Both
/// last as long as the store. Throws tarn::Error.
std::shared_ptr<CatalogStore> OpenLakeStore(duckdb::ClientContext& context,
                                            const LakeAttachOptions& options);

/// To be called when the lake is open: until then, the lake that ATTACH OR REPLACE takes the name
/// from gets it back if this one fails.
void ConfirmLakeStore(CatalogStore& store);

/// The lake was detached: its name is free for another one though transactions still use the store.
/// The file of a DuckDB catalog stays attached as long as they do.
void ReleaseLakeStoreName(CatalogStore& store);

}  // namespace tarn::engine
