// Attempts, conflicts, and what to believe when a connection breaks in the middle of a commit.
#include "catalog/committer.h"

#include "base/environment.h"
#include "base/retry.h"
#include "catalog/catalog_reader.h"
#include "catalog/catalog_sql.h"
#include "catalog/changed_files.h"
#include "catalog/commit_writer.h"
#include "catalog/name_maps.h"
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

/// What a restored version had is in the catalog for as long as its snapshot is. Writing to the row
/// makes whoever expires it at this moment wait, or fail.
std::optional<Conflict> HoldRestoredVersion(StoreConnection& connection, SnapshotId version) {
  using T = tables::Snapshot;
  StatementBuilder sql(connection.dialect());
  sql.Text("UPDATE ").Table(T::kTable.name).Text(" SET schema_version = schema_version WHERE ");
  sql.Text("snapshot_id = ").Bind(version);
  if (connection.Execute(sql.Build()) == 1) return std::nullopt;
  return Conflict{version,
                  "Failed to commit DuckLake transaction. Transaction conflict - attempting to "
                  "restore version " +
                      std::to_string(version.value) +
                      " - but it has been expired meanwhile. Nothing was written; restore a "
                      "version that is kept."};
}

Error MissingTable(const Error& error) {
  return Error(
      ErrorCode::kCorrupt,
      "Rows or deletes should be kept in a table that the catalog lists but does not have. "
      "Set the option data_inlining_row_limit to 0 to write files instead. (" +
          error.message() + ")",
      error.context());
}

}  // namespace

std::optional<Snapshot> Committer::Commit(ChangeSet& changes, DeleteFiles& deletes,
                                          const LakePlace& place, const RetryOptions& retry_options,
                                          const std::function<bool()>& interrupted) {
  if (!deletes.any()) {
    if (std::optional<Snapshot> snapshot = TryWhole(changes, deletes, interrupted)) return snapshot;
  }
  if (changes.MakesSnapshot()) WriteAhead(deletes, interrupted);
  Retry retry(retry_options, environment_);
  for (;;) {
    Attempt attempt = Try(changes, deletes, place, interrupted);
    if (attempt.lost_flush) {
      deletes.Forget(*attempt.lost_flush);
      changes.WithdrawFlush(*attempt.lost_flush);
      if (changes.empty()) return std::nullopt;
      continue;
    }
    const bool makes_snapshot = changes.MakesSnapshot();
    if (attempt.outcome == Outcome::kUnknown && makes_snapshot) {
      std::optional<bool> committed = WasCommitted(changes.message, attempt, interrupted);
      if (!committed) {
        deletes.Keep();
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
      deletes.Keep();
      if (attempt.view != nullptr) views_.Add(attempt.snapshot, attempt.view);
      return makes_snapshot ? std::optional(attempt.snapshot) : std::nullopt;
    }
    // Options that may have been written are simply written again, and snapshots that may have been
    // expired are not found again: that changes nothing.
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

std::optional<Snapshot> Committer::TryWhole(const ChangeSet& changes, DeleteFiles& deletes,
                                            const std::function<bool()>& interrupted) {
  try {
    std::optional<Snapshot> snapshot = whole_.Try(changes, interrupted);
    if (snapshot) deletes.Keep();
    return snapshot;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kUnknownOutcome) deletes.Keep();
    throw;
  }
}

void Committer::WriteAhead(DeleteFiles& deletes, const std::function<bool()>& interrupted) {
  if (!deletes.any()) return;
  ConnectionPool::Lease connection = pool_.Acquire(interrupted);
  ReadScope scope(*connection);
  deletes.Settle(*connection, CatalogReader(*connection).ReadHead().snapshot);
}

Committer::Attempt Committer::Try(const ChangeSet& changes, DeleteFiles& deletes,
                                  const LakePlace& place,
                                  const std::function<bool()>& interrupted) {
  const std::unique_ptr<CommitQueue::Turn> turn = queue_.Wait(interrupted);
  ConnectionPool::Lease connection = pool_.Acquire(interrupted);
  Attempt attempt;
  std::optional<Conflict> conflict;
  try {
    connection->Begin(TransactionMode::kWrite);
    conflict = TryToWrite(*connection, changes, deletes, place, attempt);
    if (!conflict) {
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
    // A driver may say so only at the end, when it sends what it has gathered.
    if (error.code() == ErrorCode::kNotFound && attempt.keeps_rows) throw MissingTable(error);
    if (!IsLostRace(error)) throw;
    attempt.outcome = Outcome::kLostRace;
    attempt.reason = error.message();
  }
  if (attempt.outcome == Outcome::kUnknown) {
    connection.Discard();
  } else if (connection->in_transaction()) {
    connection->Rollback();
  }
  if (conflict) {
    if (!conflict->lost_flush) throw ConflictError(*conflict);
    attempt.lost_flush = conflict->lost_flush;
  }
  return attempt;
}

std::optional<Conflict> Committer::TryToWrite(StoreConnection& connection, const ChangeSet& changes,
                                              DeleteFiles& deletes, const LakePlace& place,
                                              Attempt& attempt) {
  const Snapshot head_snapshot = CatalogReader(connection).ReadHead().snapshot;
  TheirChanges theirs;
  if (changes.MakesSnapshot()) {
    if (auto conflict = CheckConflicts(connection, changes, head_snapshot, theirs)) return conflict;
    if (changes.restored) {
      if (auto conflict = HoldRestoredVersion(connection, changes.restored->version))
        return conflict;
    }
    if (head_snapshot.id != changes.base.id) {
      if (auto conflict = FindRegisteredTwice(connection, place, changes)) return conflict;
    }
    if (!deletes.IsSettledFor(head_snapshot)) {
      if (std::optional<LostRows> lost = deletes.Settle(connection, head_snapshot))
        return ConflictOverRows(changes, theirs.words, *lost);
    }
  }
  std::map<TableRef, InlinedTarget> targets =
      LoadInlinedTargets(connection, changes, head_snapshot);
  whole_.Learn(targets, head_snapshot);
  const CommitPlan plan =
      BuildCommitPlan(changes, deletes.settled(),
                      {&connection.dialect(), std::move(targets), HeadView(changes, head_snapshot),
                       LoadKnownNameMaps(connection, changes)});
  const CommitHead head = ReadHead(connection, plan, head_snapshot);
  const RebasedPlan rebased = Rebase(plan, head, Now(environment_));
  attempt.snapshot = rebased.snapshot();
  attempt.changes_made = rebased.changes_made();
  attempt.mark = plan.mark;
  attempt.keeps_rows = !plan.inlined_inserts.empty() || !plan.inlined_ends.empty();
  if (plan.changes_schema) {
    // Made before the commit, which must be the last thing that can fail.
    if (auto head_view = HeadView(changes, head_snapshot))
      attempt.view = PublishedView(*head_view, changes, rebased);
  }
  if (std::optional<LostRows> lost = WritePlan(connection, rebased))
    return ConflictOverRows(changes, theirs.words, *lost);
  if (!changes.expiry.snapshots.empty())
    ExpireSnapshots(connection, changes.expiry, Now(environment_));
  return std::nullopt;
}

std::shared_ptr<const CatalogView> Committer::HeadView(const ChangeSet& changes,
                                                       const Snapshot& head) {
  // Others changed objects: then the check for conflicts has loaded the view, if it is there.
  return head.schema_version == changes.base.schema_version ? changes.before : views_.Find(head);
}

std::optional<Conflict> Committer::CheckConflicts(StoreConnection& connection,
                                                  const ChangeSet& changes, const Snapshot& head,
                                                  TheirChanges& theirs) {
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
  theirs.words = ParseWords(snapshots);
  if (NeedsTheirCatalog(changes, theirs.words))
    theirs.catalog = DiffViews(*changes.before, *views_.Get(connection, head));
  for (TableId table : TablesWithTouchedFiles(changes, theirs.words))
    theirs.touched_files[table] = FindTouchedFiles(connection, changes, table, head.id);
  for (TableId table : TablesWithReadInserts(changes, theirs.words)) {
    if (auto first = FindMatchingInsert(connection, changes, table, head))
      theirs.matching_inserts.emplace(table, *first);
  }
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

std::optional<bool> Committer::WasCommitted(const CommitMessage& message, const Attempt& attempt,
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
                        info.commit.author == message.author &&
                        info.commit.message == message.message &&
                        info.commit.extra_info == message.extra_info;
      // Another writer has the id: then ours failed on its key, whatever else happened.
      if (!same) return false;
      if (!attempt.mark) return true;
    }
    const SnapshotId head = reader.ReadHead().snapshot.id;
    if (head < id) return false;
    if (!attempt.mark) return std::nullopt;  // expired, and it left nothing to know it by
    StatementBuilder sql(connection->dialect());
    sql.Text("SELECT 1 FROM ")
        .Table(attempt.mark->table->name)
        .Text(" WHERE ")
        .Name(attempt.mark->column)
        .Text(" = ")
        .Bind(attempt.mark->text);
    if (connection->Query(sql.Build())->Next()) return true;
    // Without later snapshots nobody can have removed the row again.
    return head == id ? std::optional(false) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace tarn
