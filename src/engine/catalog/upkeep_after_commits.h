// Upkeep of the tables that a commit has filled: off until an option of the lake asks for it. It
// runs at the end of the statement that committed, on a connection and in transactions of its own,
// and fails nothing (docs/adr/0020).
#pragma once

#include <memory>
#include <mutex>

#include "duckdb.hpp"
#include "tarn/lake.h"

namespace tarn::engine {

class TarnCatalog;

/// Held while upkeep goes on: one connection of a process at a time does that of a lake.
using UpkeepTurn = std::shared_ptr<std::mutex>;

/// The connection's statement has committed a snapshot: what that makes due is done when the
/// statement ends.
void FollowCommit(duckdb::ClientContext& context, TarnCatalog& catalog, SnapshotId commit,
                  const OptionSet& options) noexcept;

/// Makes the log of upkeep known to `enable_logging` and `duckdb_logs_parsed`.
void RegisterUpkeepLog(duckdb::DatabaseInstance& db);

}  // namespace tarn::engine
