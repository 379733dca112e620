// Reads positional delete files (format page, section 6).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "duckdb.hpp"
#include "tarn/scan.h"

namespace tarn::engine {

/// Calls `visit` with each position, and with the snapshot that deleted it where the file tells and
/// `with_snapshots` asks for it. Ignores snapshot_limit. Throws kCorrupt for a row without a
/// position, and for a position that the data file of `row_count` rows does not have.
void ReadDeletePositions(
    duckdb::ClientContext& context, const ScanDelete& deletion, int64_t row_count,
    bool with_snapshots,
    const std::function<void(int64_t position, std::optional<int64_t> snapshot)>& visit);

}  // namespace tarn::engine
