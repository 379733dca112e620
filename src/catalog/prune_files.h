// Takes out of a plan the files that surely hold no row of its predicate, by what the catalog knows
// of them: statistics of the file itself (never the table's newest ones, so that any snapshot can
// be pruned), partition values, and defaults of columns that are younger than the file.
#pragma once

#include <vector>

#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/scan.h"
#include "tarn/schema.h"

namespace tarn {

/// Reads only what the predicate asks for.
void PruneFiles(StoreConnection& connection, const Table& table, const Predicate& predicate,
                std::vector<ScanFile>& files);

/// Puts the statistics of all columns into ScanFile::file.stats.
void LoadFileStats(StoreConnection& connection, TableId table, std::vector<ScanFile>& files);

}  // namespace tarn
