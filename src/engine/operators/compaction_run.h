// Writes the new files of a merge or a rewrite, several at a time where they are small.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "duckdb.hpp"
#include "tarn/compaction.h"
#include "tarn/data_file.h"

namespace tarn::engine {

class TarnTableEntry;

struct CompactionStep {
  TarnTableEntry& entry;
  const CompactionUnit& unit;
};

/// The bytes on disk of the files that a unit takes together.
int64_t SizeOf(const CompactionUnit& unit);

/// What comes of each step, as WriteCompactedFile gives it. Large units are written one after the
/// other, each by all threads; of small ones each thread writes its own: so memory holds the row
/// groups under way of one large unit, or one small unit per thread. `report` is told the bytes of
/// each unit that is done, by one thread at a time.
std::vector<std::optional<DataFile>> WriteCompactedFiles(
    duckdb::ClientContext& context, const std::vector<CompactionStep>& steps,
    const std::function<void(int64_t bytes)>& report);

}  // namespace tarn::engine
