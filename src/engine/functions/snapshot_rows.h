// Snapshots as rows of a result.
#pragma once

#include "engine/functions/lake_function.h"
#include "tarn/snapshot.h"

namespace tarn::engine {

/// Names and types; without `run`.
BoundLakeFunction SnapshotColumns();
void AddSnapshot(ResultRows& rows, const SnapshotInfo& info);

}  // namespace tarn::engine
