// The driver for catalogs in SQLite files, by SQLite's own library.
#pragma once

#include <memory>

#include "tarn/catalog_store.h"
#include "tarn/stores.h"  // RegisterSqliteDriver

namespace tarn {

/// Opens a SQLite file as a catalog. Throws kNotFound when it is absent and may not be created,
/// kInvalid for what is no SQLite database, and kInvalid for parameters other than `journal_mode`
/// and `busy_timeout`.
///
/// A file that is absent is made by the first write transaction, not before. New files are in WAL
/// mode, others stay in the mode they have, unless `journal_mode` names one. Every commit is synced
/// (synchronous = FULL).
///
/// SQLite's file locks do not guard a process against itself: one process must reach a file through
/// one copy of SQLite only, and must not open and close it by other means while a store is open
/// (see store/catalog_file.h).
std::shared_ptr<CatalogStore> OpenSqliteStore(const StoreOptions& options);

}  // namespace tarn
