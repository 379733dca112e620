// See the header.
#include "catalog/whole_commit.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/environment.h"
#include "catalog/catalog_reader.h"
#include "catalog/catalog_sql.h"
#include "catalog/server_bound_plan.h"
#include "format/change_list.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

constexpr size_t kMaxKnown = 10'000;
constexpr int kStepsAfterRefusal = 20;

/// What is left out here needs to know what others did, or more than one answer.
bool InsertsOnly(const RowChanges& rows) {
  const bool other = rows.deletes_from_files() || rows.deletes_inlined() || rows.flushes() ||
                     rows.compacts() || !rows.removed_staged.empty() || !rows.lost_fields.empty() ||
                     rows.first_row_id != 0;
  return !other &&
         std::none_of(rows.data_files.begin(), rows.data_files.end(), [](const DataFile& file) {
           return file.registration != nullptr || file.names != nullptr || file.mapping_id ||
                  file.is_revived;
         });
}

bool InsertsOnly(const ChangeSet& changes) {
  return changes.MakesSnapshot() && changes.catalog.empty() && changes.options.empty() &&
         changes.reads.empty() && !changes.restored && changes.expiry.snapshots.empty() &&
         std::all_of(changes.rows.begin(), changes.rows.end(), [](const auto& entry) {
           return !entry.first.is_new() && InsertsOnly(entry.second);
         });
}

std::string Words(const CommitPlan& plan) {
  std::vector<Change> words;
  for (const PlanWord& word : plan.words)
    words.push_back(Change::ById(word.kind, std::get<int64_t>(std::get<Value>(word.id))));
  return FormatChanges(words);
}

bool SameWords(const SnapshotInfo& info, const CommitPlan& plan) {
  return info.changes_made == Words(plan) && info.commit.author == plan.message.author &&
         info.commit.message == plan.message.message &&
         info.commit.extra_info == plan.message.extra_info;
}

Error UnknownOutcome(const Snapshot& base) {
  return Error(ErrorCode::kUnknownOutcome,
               "The connection to the catalog broke while committing a snapshot after " +
                   std::to_string(base.id.value) +
                   ", and the catalog does not tell whether it was committed; look at the lake's "
                   "snapshots before running the transaction again. Its files were kept.");
}

struct Lookup {
  std::optional<Snapshot> found;
  bool is_sure = false;  ///< that what was not found is not there
};

bool HasMark(StoreConnection& connection, const PlanMark& mark, SnapshotId begin) {
  StatementBuilder sql(connection.dialect(), "SELECT 1 FROM ");
  sql.Table(mark.table->name).Text(" WHERE ").Name(mark.column).Text(" = ").Bind(mark.text);
  return connection.Query(sql.Text(" AND begin_snapshot = ").Bind(begin).Build())->Next();
}

/// ADR 9 for a snapshot whose id nobody knows: it is looked for by its words and its time, among
/// all since the base. Where the time is not ours but the next after the one before, another writer
/// of the same words can look the same; then only a mark can tell.
Lookup LookFor(StoreConnection& connection, const CommitPlan& plan, const Snapshot& base,
               Timestamp time) {
  ReadScope scope(connection);
  CatalogReader reader(connection);
  const Snapshot head = reader.ReadHead().snapshot;
  const std::vector<SnapshotInfo> since = reader.SnapshotsBetween(base.id, head.id);
  Lookup lookup;
  // Snapshots that are missing may have been ours.
  lookup.is_sure = static_cast<int64_t>(since.size()) == head.id.value - base.id.value;
  Timestamp previous = base.time;
  for (const SnapshotInfo& info : since) {
    const Timestamp next =
        std::exchange(previous, info.snapshot.time) + std::chrono::microseconds(1);
    const bool is_ours = info.snapshot.time == time;
    if (!SameWords(info, plan) || (!is_ours && (info.snapshot.time != next || next < time)))
      continue;
    if (plan.mark ? HasMark(connection, *plan.mark, info.snapshot.id) : is_ours) {
      lookup.found = info.snapshot;
      return lookup;
    }
    // A later snapshot may have removed the row with the mark.
    if (!plan.mark || info.snapshot.id != head.id) lookup.is_sure = false;
  }
  return lookup;
}

}  // namespace

std::optional<std::map<TableRef, InlinedTarget>> WholeCommits::FindTargets(
    const ChangeSet& changes) {
  std::lock_guard lock(mutex_);
  std::map<TableRef, InlinedTarget> targets;
  for (const auto& [ref, rows] : changes.rows) {
    if (!rows.inserts_inlined()) continue;
    const auto found = known_.find(ref.id());
    if (found == known_.end() || found->second.schema_version != changes.base.schema_version)
      return std::nullopt;
    targets.emplace(ref, found->second.target);
  }
  return targets;
}

void WholeCommits::Learn(const std::map<TableRef, InlinedTarget>& targets, const Snapshot& head) {
  std::lock_guard lock(mutex_);
  if (known_.size() > kMaxKnown) known_.clear();
  for (const auto& [ref, target] : targets) {
    if (target.is_registered) known_[ref.id()] = {head.schema_version, target};
  }
}

bool WholeCommits::IsWorthTrying(const ChangeSet& changes) {
  std::lock_guard lock(mutex_);
  bool is_worth = true;
  for (const auto& [ref, rows] : changes.rows) {
    const auto found = refused_.find(ref.id());
    if (found == refused_.end()) continue;
    is_worth = false;
    if (--found->second <= 0) refused_.erase(found);
  }
  return is_worth;
}

void WholeCommits::NoteRefusal(const ChangeSet& changes) {
  std::lock_guard lock(mutex_);
  if (refused_.size() > kMaxKnown) refused_.clear();
  for (const auto& [ref, rows] : changes.rows) refused_[ref.id()] = kStepsAfterRefusal;
}

std::optional<Snapshot> WholeCommits::Try(const ChangeSet& changes,
                                          const std::function<bool()>& interrupted) {
  if (!InsertsOnly(changes) || !IsWorthTrying(changes)) return std::nullopt;
  ConnectionPool::Lease connection = pool_.Acquire(interrupted);
  if (!connection->commits_whole()) return std::nullopt;
  const auto targets = FindTargets(changes);
  if (!targets) return std::nullopt;
  const CommitPlan plan =
      BuildCommitPlan(changes, {}, {&connection->dialect(), *targets, changes.before, {}});
  const Timestamp time = Now(environment_);
  const auto statements = BindOnServer(plan, changes.base, time, connection->dialect());
  if (!statements) return std::nullopt;
  WholeCommit commit;
  try {
    commit = connection->CommitWhole(*statements);
  } catch (const Error& error) {
    const bool waited =
        error.code() == ErrorCode::kInterrupted || error.code() == ErrorCode::kUnavailable;
    if (waited) throw;
    NoteRefusal(changes);
    return std::nullopt;
  }
  if (commit.outcome == CommitOutcome::kUnknown) {
    connection.Discard();
    return FindCommitted(plan, changes.base, time, commit.is_over, interrupted);
  }
  commit.rows->Next();
  if (commit.rows->IsNull(0)) {
    NoteRefusal(changes);
    return std::nullopt;
  }
  Snapshot snapshot;
  snapshot.id = SnapshotId(commit.rows->Int64(0));
  snapshot.time = commit.rows->Time(1);
  snapshot.schema_version = commit.rows->Int64(2);
  snapshot.next_catalog_id = commit.rows->Int64(3);
  snapshot.next_file_id = commit.rows->Int64(4);
  return snapshot;
}

std::optional<Snapshot> WholeCommits::FindCommitted(const CommitPlan& plan, const Snapshot& base,
                                                    Timestamp time, bool is_over,
                                                    const std::function<bool()>& interrupted) {
  try {
    ConnectionPool::Lease connection = pool_.AcquireFresh(interrupted);
    const auto [found, is_sure] = LookFor(*connection, plan, base, time);
    if (found) {
      connection->AwaitDurable();
      return found;
    }
    if (is_over && is_sure) return std::nullopt;
  } catch (const Error&) {
  }
  throw UnknownOutcome(base);
}

}  // namespace tarn
