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
#include "catalog/delete_files.h"
#include "catalog/rebase.h"
#include "catalog/registered_files.h"
#include "catalog/view_cache.h"
#include "catalog/whole_commit.h"
#include "tarn/lake.h"

namespace tarn {

/// Commits change sets of one lake. Thread safe: threads of this process take their turns here
/// instead of racing in the database.
class Committer {
 public:
  Committer(ConnectionPool& pool, ViewCache& views, const Environment& environment)
      : pool_(pool), views_(views), environment_(environment), whole_(pool, environment) {}

  /// Writes all of `changes` or nothing. Returns the new snapshot; nullopt when only options were
  /// written. Throws kConflict (nothing was written) and kUnknownOutcome (it may have been: files
  /// must stay).
  /// `deletes` writes the delete files that `changes` need; those of a commit that happened, or may
  /// have, are kept.
  /// Flushes that other writers made needless are taken out of `changes`; when nothing else is in
  /// them, nothing is committed.
  std::optional<Snapshot> Commit(ChangeSet& changes, DeleteFiles& deletes, const LakePlace& place,
                                 const RetryOptions& retry,
                                 const std::function<bool()>& interrupted);

 private:
  enum class Outcome { kCommitted, kLostRace, kUnknown };
  struct Attempt {
    Outcome outcome = Outcome::kLostRace;
    Snapshot snapshot;  ///< that it tried to make
    std::string changes_made;
    std::string reason;                       ///< why the race was lost, in the database's words
    std::shared_ptr<const CatalogView> view;  ///< at `snapshot`, if the attempt changes objects
    std::optional<PlanMark> mark;
    std::optional<TableRef> lost_flush;  ///< nothing stands in the way but this flush
    bool keeps_rows = false;             ///< it writes to tables of inlined rows
  };

  /// In one round trip where that can be; else nothing is written.
  std::optional<Snapshot> TryWhole(const ChangeSet& changes, DeleteFiles& deletes,
                                   const std::function<bool()>& interrupted);
  /// Writes delete files before the first attempt, so that it waits for no file while it holds the
  /// database. Later attempts write again what does not fit any more.
  void WriteAhead(DeleteFiles& deletes, const std::function<bool()>& interrupted);
  Attempt Try(const ChangeSet& changes, DeleteFiles& deletes, const LakePlace& place,
              const std::function<bool()>& interrupted);
  /// Writes rows in the connection's transaction; does not commit.
  std::optional<Conflict> TryToWrite(StoreConnection& connection, const ChangeSet& changes,
                                     DeleteFiles& deletes, const LakePlace& place,
                                     Attempt& attempt);
  /// The view at the head; null when nothing made it necessary to know it.
  std::shared_ptr<const CatalogView> HeadView(const ChangeSet& changes, const Snapshot& head);
  std::optional<Conflict> CheckConflicts(StoreConnection& connection, const ChangeSet& changes,
                                         const Snapshot& head, TheirChanges& theirs);
  CommitHead ReadHead(StoreConnection& connection, const CommitPlan& plan,
                      const Snapshot& snapshot);
  /// After an unknown outcome: true or false when the catalog tells; nullopt when it does not.
  std::optional<bool> WasCommitted(const CommitMessage& message, const Attempt& attempt,
                                   const std::function<bool()>& interrupted);

  ConnectionPool& pool_;
  ViewCache& views_;
  const Environment& environment_;
  CommitQueue queue_;
  WholeCommits whole_;
};

}  // namespace tarn
