// Attempts, conflicts, and what to believe when a connection breaks in the middle of a commit.
#include "catalog/committer.h"

#include "base/environment.h"
#include "base/retry.h"
#include "catalog/catalog_reader.h"
#include "catalog/commit_writer.h"
#include "catalog/published_view.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

Error ConflictError(const Conflict& conflict) {
  Error::Context context;
  if (conflict.with.valid()) context.emplace_back("snapshot", std::to_string(conflict.with.value));
  return Error(ErrorCode::kConflict, conflict.message, std::move(context));
}

/// In the course of writing, both say that another writer was faster: the key of the new snapshot
/// is taken, or a row has been changed.
bool IsLostRace(const Error& error) {
  return error.code() == ErrorCode::kAlreadyExists || error.code() == ErrorCode::kConflict;
}

}  // namespace

std::optional<Snapshot> Committer::Commit(const ChangeSet& changes,
                                          const RetryOptions& retry_options,
                                          const std::function<bool()>& interrupted) {
  const CommitPlan plan = BuildCommitPlan(changes);
  Retry retry(retry_options, environment_);
  for (;;) {
    Attempt attempt = Try(changes, plan, interrupted);
    if (attempt.outcome == Outcome::kUnknown && plan.makes_snapshot) {
      std::optional<bool> committed = WasCommitted(plan, attempt, interrupted);
      if (!committed) {
        throw Error(ErrorCode::kUnknownOutcome,
                    "The connection to the catalog broke while committing snapshot " +
                        std::to_string(attempt.snapshot.id.value) +
                        ", and the catalog does not tell whether it was committed; look at the "
                        "lake's snapshots before running the "
                        "transaction again. Its files were kept.");
      }
      if (*committed) attempt.outcome = Outcome::kCommitted;
    }
    if (attempt.outcome == Outcome::kCommitted) {
      if (attempt.view != nullptr) views_.Add(attempt.snapshot, attempt.view);
      return plan.makes_snapshot ? std::optional(attempt.snapshot) : std::nullopt;
    }
    // Options that may have been written are simply written again: that changes nothing.
    const bool again = retry.WaitBeforeNext(interrupted);
    if (interrupted && interrupted()) {
      throw Error(ErrorCode::kInterrupted,
                  "Interrupted while retrying a commit; nothing was written.");
    }
    if (!again) {
      throw Error(ErrorCode::kConflict,
                  "Failed to commit DuckLake transaction. Exceeded the maximum retry count of " +
                      std::to_string(retry_options.max_attempts) +
                      " set by the ducklake_max_retry_count setting: other writers were faster "
                      "each time. Nothing was written; run the "
                      "transaction again, or raise the setting.",
                  {{"reason", attempt.reason}});
    }
  }
}

Committer::Attempt Committer::Try(const ChangeSet& changes, const CommitPlan& plan,
                                  const std::function<bool()>& interrupted) {
  const std::unique_ptr<CommitQueue::Turn> turn = queue_.Wait(interrupted);
  ConnectionPool::Lease connection = pool_.Acquire(interrupted);
  Attempt attempt;
  std::optional<Conflict> conflict;
  try {
    connection->Begin(TransactionMode::kWrite);
    const Snapshot snapshot = CatalogReader(*connection).ReadHead().snapshot;
    if (plan.makes_snapshot) conflict = CheckConflicts(*connection, changes, snapshot);
    if (!conflict) {
      const CommitHead head = ReadHead(*connection, plan, snapshot);
      const RebasedPlan rebased = Rebase(plan, head, Now(environment_));
      attempt.snapshot = rebased.snapshot();
      attempt.changes_made = rebased.changes_made();
      if (plan.changes_schema) {
        // Made before the commit, which must be the last thing that can fail.
        if (auto head_view = HeadView(changes, snapshot))
          attempt.view = PublishedView(*head_view, changes, rebased);
      }
      WritePlan(*connection, rebased);
      switch (connection->Commit()) {
        case CommitOutcome::kCommitted:
          attempt.outcome = Outcome::kCommitted;
          break;
        case CommitOutcome::kLostRace:
          attempt.outcome = Outcome::kLostRace;
          break;
        case CommitOutcome::kUnknown:
          attempt.outcome = Outcome::kUnknown;
          break;
      }
    }
  } catch (const Error& error) {
    if (!IsLostRace(error)) throw;
    attempt.outcome = Outcome::kLostRace;
    attempt.reason = error.message();
  }
  if (attempt.outcome == Outcome::kUnknown) {
    connection.Discard();
  } else if (connection->in_transaction()) {
    connection->Rollback();
  }
  if (conflict) throw ConflictError(*conflict);
  return attempt;
}

std::shared_ptr<const CatalogView> Committer::HeadView(const ChangeSet& changes,
                                                       const Snapshot& head) {
  // Others changed objects: then the check for conflicts has loaded the view, if it is there.
  return head.schema_version == changes.base.schema_version ? changes.before : views_.Find(head);
}

std::optional<Conflict> Committer::CheckConflicts(StoreConnection& connection,
                                                  const ChangeSet& changes, const Snapshot& head) {
  const Snapshot& base = changes.base;
  if (head.id == base.id && head.time == base.time) return std::nullopt;
  if (head.id <= base.id) {
    return Conflict{head.id,
                    "Failed to commit DuckLake transaction. Transaction conflict - attempting to "
                    "commit changes based on snapshot " +
                        std::to_string(base.id.value) +
                        " - but the catalog has been put back to an earlier state. Nothing was "
                        "written; run the transaction again."};
  }
  CatalogReader reader(connection);
  const std::vector<SnapshotInfo> snapshots = reader.SnapshotsBetween(base.id, head.id);
  SnapshotId expected(base.id.value + 1);
  for (const SnapshotInfo& info : snapshots) {
    if (info.snapshot.id != expected) return ConflictWithMissingSnapshots(changes, expected);
    ++expected.value;
  }
  TheirChanges theirs;
  theirs.words = ParseWords(snapshots);
  if (NeedsTheirCatalog(changes, theirs.words))
    theirs.catalog = DiffViews(*changes.before, *views_.Get(connection, head));
  return FindConflict(changes, theirs);
}

CommitHead Committer::ReadHead(StoreConnection& connection, const CommitPlan& plan,
                               const Snapshot& snapshot) {
  CatalogReader reader(connection);
  CommitHead head;
  head.snapshot = snapshot;
  head.stats = reader.LoadTableStats(StatsTables(plan));
  for (const auto& [table, fields] : DoubtfulColumns(plan, head.stats)) {
    for (FieldId field : reader.FindAllNullColumns(table, fields))
      head.all_null.emplace(table, field);
  }
  return head;
}

std::optional<bool> Committer::WasCommitted(const CommitPlan& plan, const Attempt& attempt,
                                            const std::function<bool()>& interrupted) {
  try {
    ConnectionPool::Lease connection = pool_.AcquireFresh(interrupted);
    connection->Begin(TransactionMode::kRead);
    CatalogReader reader(*connection);
    const SnapshotId id = attempt.snapshot.id;
    const std::vector<SnapshotInfo> found = reader.SnapshotsBetween(SnapshotId(id.value - 1), id);
    if (!found.empty()) {
      const SnapshotInfo& info = found.front();
      const bool same = info.snapshot.time == attempt.snapshot.time &&
                        info.changes_made == attempt.changes_made &&
                        info.snapshot.next_catalog_id == attempt.snapshot.next_catalog_id &&
                        info.snapshot.next_file_id == attempt.snapshot.next_file_id &&
                        info.commit.author == plan.message.author &&
                        info.commit.message == plan.message.message &&
                        info.commit.extra_info == plan.message.extra_info;
      // Another writer has the id: then ours failed on its key, whatever else happened.
      if (!same) return false;
      if (!plan.mark) return true;
    } else if (reader.ReadHead().snapshot.id < id) {
      return false;
    } else if (!plan.mark) {
      return std::nullopt;  // expired already, and it left nothing to know it by
    }
    StatementBuilder sql(connection->dialect());
    sql.Text("SELECT 1 FROM ")
        .Table(plan.mark->table->name)
        .Text(" WHERE ")
        .Name(plan.mark->column)
        .Text(" = ")
        .Bind(plan.mark->text);
    return connection->Query(sql.Build())->Next();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace tarn
