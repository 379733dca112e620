// Rows that one catalog database keeps, written into another in its own forms: for `tarn copy`.
#pragma once

#include <cstdint>
#include <functional>

#include "tarn/catalog_store.h"
#include "tarn/scan.h"

namespace tarn::engine {

/// A CopyInlinedRows (tarn/copy_lake.h): each value is read as scans read it, and bound as inserts
/// bind it.
void TransferInlinedRows(StoreConnection& from, StoreConnection& to, const InlinedScan& scan,
                         const std::function<void(int64_t rows)>& done);

}  // namespace tarn::engine
