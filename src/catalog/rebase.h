// Settles a CommitPlan at one head: the new snapshot, real ids, row numbers, merged statistics.
// Pure; a plan can be settled at one head after the other, and what comes out is the head for the
// next plan when several are written together.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catalog/commit_plan.h"
#include "tarn/data_file.h"
#include "tarn/snapshot.h"

namespace tarn {

/// What a commit has to know of the newest snapshot.
struct CommitHead {
  Snapshot snapshot;
  std::map<TableId, TableStats> stats;  ///< of the plan's tables that have any
  /// Columns whose stored bounds are NULL only because all rows so far are (see MayBeAllNull).
  std::set<std::pair<TableId, FieldId>> all_null;
};

/// Tables whose statistics the plan merges with.
std::vector<TableId> StatsTables(const CommitPlan& plan);
/// Columns for which Rebase wants to know whether they are all NULL; empty in nearly every commit.
std::map<TableId, std::vector<FieldId>> DoubtfulColumns(const CommitPlan& plan,
                                                        const std::map<TableId, TableStats>& stats);

class RebasedPlan {
 public:
  struct MergedStats {
    TableId table;
    bool is_first = false;  ///< no row yet
    TableStats stats;       ///< afterwards; `columns` only where they are new or changed
  };

  const CommitPlan& plan() const { return *plan_; }
  const Snapshot& snapshot() const { return snapshot_; }  ///< the new one
  const std::string& changes_made() const { return changes_made_; }
  const std::vector<MergedStats>& stats() const { return stats_; }
  Value Settle(const PlanValue& value) const;
  /// The id of an object: its own, or the one that the commit gives to a new one.
  template <class IdType>
  Ref<IdType> Settle(Ref<IdType> ref) const {
    return ref.is_new()
               ? Ref<IdType>(IdType(base_.next_catalog_id + plan_->new_objects.at(ref.ordinal())))
               : ref;
  }

 private:
  friend RebasedPlan Rebase(const CommitPlan& plan, const CommitHead& head, Timestamp now);
  const CommitPlan* plan_ = nullptr;
  Snapshot base_;
  Snapshot snapshot_;
  std::string changes_made_;
  std::vector<MergedStats> stats_;  ///< one per PlanStats
  std::vector<int64_t> row_id_starts_;
};

/// `plan` must outlive the result. The new snapshot's time is `now`, but always later than the
/// head's.
RebasedPlan Rebase(const CommitPlan& plan, const CommitHead& head, Timestamp now);

}  // namespace tarn
