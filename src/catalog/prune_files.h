// Takes out of a plan the files that surely hold no row of its predicate, by what the catalog knows
// of them: statistics of the file itself (never the table's newest ones, so that any snapshot can
// be pruned), partition values, and defaults of columns that are younger than the file.
#pragma once

#include <span>
#include <vector>

#include "catalog/predicate_pruner.h"
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

/// What the catalog knows of these fields, which are one at least, in each of the files.
std::vector<std::vector<FieldFacts>> FactsOfFiles(StoreConnection& connection, const Table& table,
                                                  std::span<const PrunableField> fields,
                                                  const std::vector<ScanFile>& files);

}  // namespace tarn
