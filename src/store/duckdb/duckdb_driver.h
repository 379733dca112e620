// The driver for catalogs in DuckDB files, for programs that are no DuckDB themselves: by the C API
// of libduckdb.
#pragma once

#include <memory>

#include "tarn/catalog_store.h"

namespace tarn {

/// Makes the scheme "duckdb" known to OpenCatalogStore. Call it once at a program's start; again
/// does no harm. Not for use inside an engine: its own instance has to open the file
/// (engine/store/host_duckdb_store.h), since a second copy of DuckDB would not see its locks.
void RegisterDuckDbDriver();

/// Opens a DuckDB file as a catalog. Throws kNotFound when it is absent and may not be created,
/// kInvalid for what is no DuckDB database and for any parameter, kUnavailable when another process
/// has it open: DuckDB lets one process write a file, or several read it.
///
/// A new file in which nothing was committed is removed again. Stores of one process on one file
/// share its instance.
std::shared_ptr<CatalogStore> OpenDuckDbStore(const StoreOptions& options);

}  // namespace tarn
