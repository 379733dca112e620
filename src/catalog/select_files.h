// Which files of a table a predicate leaves.
#pragma once

#include <vector>

#include "catalog/chunk_facts.h"
#include "catalog/predicate_pruner.h"
#include "catalog/table_files.h"

namespace tarn {

/// The live files that a predicate does not exclude, in order of their ids. `known`: of the
/// pruner's fields; null when it has none.
std::vector<TableFiles::Place> SelectFiles(const TableFiles& files, const ChunkFacts* known,
                                           const PredicatePruner& pruner);

}  // namespace tarn
