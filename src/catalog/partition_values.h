// Partition values of data files, which lie in a table of their own.
#pragma once

#include <vector>

#include "tarn/catalog_store.h"
#include "tarn/ids.h"
#include "tarn/scan.h"

namespace tarn {

/// Fills DataFile::partition_values of committed files. One query, none when no file has any.
void LoadPartitionValues(StoreConnection& connection, TableId table, std::vector<ScanFile>& files);

}  // namespace tarn
