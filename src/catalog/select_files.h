// Which files of a table a predicate leaves.
#pragma once

#include <vector>

#include "catalog/predicate_pruner.h"
#include "catalog/table_files.h"
#include "tarn/catalog_store.h"
#include "tarn/schema.h"

namespace tarn {

/// The live files that a predicate does not exclude, in order of their ids. Loads what is not known
/// yet of the fields that it asks for. `table`: which the fields belong to, as of the scan.
std::vector<TableFiles::Place> SelectFiles(StoreConnection& connection, const TableFiles& files,
                                           const Table& table, const PredicatePruner& pruner);

}  // namespace tarn
