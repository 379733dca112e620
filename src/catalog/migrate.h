// Bringing the catalog of an older version of the format (0.1 to 0.4) to 1.0.
#pragma once

#include <string_view>

#include "tarn/catalog_store.h"

namespace tarn {

/// Whether there is a way from this version to the present one.
bool IsOlderVersion(std::string_view version);

/// Changes tables and rows of a catalog of that version into what kFormatVersion asks for, and
/// writes the new version last. Everything happens in the connection's write transaction, which
/// the caller commits. Data files are neither read nor written.
void MigrateCatalog(StoreConnection& connection, std::string_view version);

}  // namespace tarn
