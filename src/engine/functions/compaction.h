// What merge_adjacent_files and rewrite_data_files have in common.
#pragma once

#include <functional>

#include "engine/functions/lake_function.h"
#include "tarn/compaction.h"
#include "tarn/lake.h"

namespace tarn::engine {

/// The scope of a call: an optional table, and `schema`. `complete` gets a request of each table,
/// with the kind and the target file size filled in. One row per new file, or per files that went
/// without one. With `dry_run`, only the rows.
BoundLakeFunction BindCompaction(
    const LakeCall& call, CompactionKind kind,
    std::function<void(const OptionSet& options, CompactionRequest& request)> complete);

}  // namespace tarn::engine
