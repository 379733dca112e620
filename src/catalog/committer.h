// The commit loop: attempts at one head after the other, each with three outcomes (house rules of
// the format page, section 9).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "catalog/change_set.h"
#include "catalog/commit_plan.h"
#include "catalog/commit_queue.h"
#include "catalog/conflicts.h"
#include "catalog/connection_pool.h"
#include "catalog/rebase.h"
#include "catalog/view_cache.h"
#include "tarn/lake.h"

namespace tarn {

/// Commits change sets of one lake. Thread safe: threads of this process take their turns here
/// instead of racing in the database.
class Committer {
 public:
  Committer(ConnectionPool& pool, ViewCache& views, const Environment& environment)
      : pool_(pool), views_(views), environment_(environment) {}

  /// Writes all of `changes` or nothing. Returns the new snapshot; nullopt when only options were
  /// written. Throws kConflict (nothing was written) and kUnknownOutcome (it may have been: files
  /// must stay).
  std::optional<Snapshot> Commit(const ChangeSet& changes, const RetryOptions& retry,
                                 const std::function<bool()>& interrupted);

 private:
  enum class Outcome { kCommitted, kLostRace, kUnknown };
  struct Attempt {
    Outcome outcome = Outcome::kLostRace;
    Snapshot snapshot;  ///< that it tried to make
    std::string changes_made;
    std::string reason;                       ///< why the race was lost, in the database's words
    std::shared_ptr<const CatalogView> view;  ///< at `snapshot`, if the attempt changes objects
  };

  Attempt Try(const ChangeSet& changes, const CommitPlan& plan,
              const std::function<bool()>& interrupted);
  /// The view at the head; null when nothing made it necessary to know it.
  std::shared_ptr<const CatalogView> HeadView(const ChangeSet& changes, const Snapshot& head);
  std::optional<Conflict> CheckConflicts(StoreConnection& connection, const ChangeSet& changes,
                                         const Snapshot& head);
  CommitHead ReadHead(StoreConnection& connection, const CommitPlan& plan,
                      const Snapshot& snapshot);
  /// After an unknown outcome: true or false when the catalog tells; nullopt when it does not.
  std::optional<bool> WasCommitted(const CommitPlan& plan, const Attempt& attempt,
                                   const std::function<bool()>& interrupted);

  ConnectionPool& pool_;
  ViewCache& views_;
  const Environment& environment_;
  CommitQueue queue_;
};

}  // namespace tarn
