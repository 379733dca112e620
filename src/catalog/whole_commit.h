// Commits in one round trip, where the database settles what the head decides: of plain inserts,
// which wait for nobody but whoever holds the lake's lock (docs/adr/0021).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "catalog/change_set.h"
#include "catalog/commit_plan.h"
#include "catalog/connection_pool.h"
#include "catalog/inlining.h"
#include "tarn/lake.h"

namespace tarn {

/// Thread safe: many threads commit at once, each on a connection of its own, and the database
/// decides on their order.
class WholeCommits {
 public:
  WholeCommits(ConnectionPool& pool, const Environment& environment)
      : pool_(pool), environment_(environment) {}

  /// The snapshot that was made. Absent: nothing was written, and the commit must go step by step,
  /// which also says what is wrong. Throws kUnknownOutcome when it may have been written, and what
  /// waiting throws.
  std::optional<Snapshot> Try(const ChangeSet& changes, const std::function<bool()>& interrupted);

  /// A commit that went step by step has seen where rows of these tables are kept.
  void Learn(const std::map<TableRef, InlinedTarget>& targets, const Snapshot& head);

 private:
  struct Known {
    int64_t schema_version = 0;  ///< the lake's for which it holds
    InlinedTarget target;
  };

  std::optional<std::map<TableRef, InlinedTarget>> FindTargets(const ChangeSet& changes);
  bool IsWorthTrying(const ChangeSet& changes);
  void NoteRefusal(const ChangeSet& changes);
  std::optional<Snapshot> FindCommitted(const CommitPlan& plan, const Snapshot& base,
                                        Timestamp time, bool is_over,
                                        const std::function<bool()>& interrupted);

  ConnectionPool& pool_;
  const Environment& environment_;
  std::mutex mutex_;  ///< guards what follows
  std::map<TableId, Known> known_;
  /// Tables whose last such commit was refused: so many go step by step before the next one.
  std::map<TableId, int> refused_;
};

}  // namespace tarn
