// Writes the rows of several data files into one: with the ids that they have, and where a merge
// needs it with the snapshots that they came with.
#pragma once

#include <mutex>
#include <optional>

#include "duckdb.hpp"
#include "tarn/compaction.h"
#include "tarn/data_file.h"

namespace tarn::engine {

class TarnTableEntry;

/// Absent when the files have no row left. The new file is a pending one of the transaction until
/// it commits; it is described as Transaction::StageCompaction wants it. Throws kCorrupt when not
/// all rows are there. Threads that write at the same time share `preparing`: it is held while the
/// catalog is asked, not while rows are read and written.
std::optional<DataFile> WriteCompactedFile(duckdb::ClientContext& context, TarnTableEntry& entry,
                                           const CompactionUnit& unit, std::mutex& preparing);

}  // namespace tarn::engine
