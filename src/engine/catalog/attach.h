// Opens the lake that an ATTACH names.
#pragma once

#include <memory>
#include <string>

#include "duckdb.hpp"
#include "engine/catalog/attach_options.h"
#include "tarn/lake.h"

namespace tarn::engine {

/// Opens the catalog database and the lake in it, or creates them. Throws tarn::Error and DuckDB's
/// exceptions.
std::shared_ptr<Lake> OpenLake(duckdb::ClientContext& context, const LakeAttachOptions& options);

}  // namespace tarn::engine
