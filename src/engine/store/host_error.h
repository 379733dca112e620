// DuckDB's errors as Tarn's, where DuckDB is the catalog database.
#pragma once

#include <string>
#include <string_view>

#include "duckdb.hpp"
#include "tarn/error.h"

namespace tarn::engine {

/// By the error's type and native details, never by its text. `where`: the catalog's path or name,
/// for the sentence.
Error ToStoreError(const duckdb::ErrorData& error, const std::string& where,
                   std::string_view sql = {});

}  // namespace tarn::engine
