// DuckDB's file system as the kernel's: local paths and whatever the loaded extensions can reach.
#pragma once

#include <memory>

#include "duckdb.hpp"
#include "tarn/file_system.h"

namespace tarn::engine {

/// Must not outlive `db`.
std::shared_ptr<tarn::FileSystem> MakeFileSystem(duckdb::DatabaseInstance& db);

}  // namespace tarn::engine
