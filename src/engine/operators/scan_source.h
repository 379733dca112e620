// What one scan reads: a table at a snapshot, in one transaction. Shared by all copies of the
// scan's bind data, so that the scans that DuckDB makes of one (late materialisation reads a table
// twice) see the same files under the same indexes.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "tarn/aggregates.h"
#include "tarn/scan.h"
#include "tarn/schema.h"

namespace tarn::engine {

class TarnTableEntry;

/// What a change feed was asked for, beside its table.
struct FeedRequest {
  SnapshotRange range;
  bool inserted = true;  ///< rows that came
  bool deleted = true;   ///< rows that went
  /// Its columns begin with snapshot_id, rowid and change_type.
  bool tells_changes = false;
};

/// Thread safe. Must not outlive the client's connection; the entry lives as long as the
/// transaction that handed it out.
class ScanSource {
 public:
  ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry);
  /// Reads what `plan` names, whatever the predicate, as a table of `shape`'s columns.
  ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry,
             std::shared_ptr<const Table> shape, std::shared_ptr<const ScanPlan> plan);
  /// `entry` is as of the end of the feed's range.
  ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry, const FeedRequest& feed);

  /// Reads what `plan` says, whatever is asked.
  ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry,
             std::shared_ptr<const ScanPlan> plan);
  ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry, const FeedRequest& feed,
             std::shared_ptr<const ScanPlan> plan);

  /// Present when this is no scan of a table but of its changes.
  const std::optional<FeedRequest>& feed() const { return feed_; }
  /// A table's rows, all of them, and not what somebody else has chosen.
  bool reads_table() const { return !feed_ && !fixed_plan_; }
  /// How many columns come before the table's own.
  size_t leading_columns() const { return feed_ && feed_->tells_changes ? 3 : 0; }
  TarnTableEntry& entry() const { return entry_; }
  const std::shared_ptr<const Table>& table() const { return table_; }
  /// "main.t": for messages.
  std::string table_name() const;
  duckdb::ClientContext& context() const { return context_; }

  /// One read of the catalog. The same predicate gives the same plan again.
  std::shared_ptr<const ScanPlan> Plan(const Predicate& predicate);

  /// The same for all rows, without the files where there are many: how many there are, and what is
  /// inlined or staged. Costs nothing that grows with the number of files.
  std::shared_ptr<const ScanPlan> Counts();
  /// What of the question the catalog answers; of its scan only the predicate is to be set. When no
  /// file is settled, the plan is kept for Plan().
  std::optional<AggregateAnswers> Settle(AggregateQuestion question);

  /// What Plan() has given so far: among them, every file that rows came from.
  std::vector<std::shared_ptr<const ScanPlan>> plans();

  /// Statistics of the table as this scan sees it; null when there are none that hold for it (time
  /// travel).
  const TableStats* Stats();

 private:
  ScanPlan MakePlan(const Predicate& predicate, bool counts_only);
  TableScan ToScan(const Predicate& predicate);

  duckdb::ClientContext& context_;
  TarnTableEntry& entry_;
  const std::shared_ptr<const Table> table_;
  const std::optional<FeedRequest> feed_;
  const std::shared_ptr<const ScanPlan> fixed_plan_;

  std::mutex mutex_;
  std::vector<std::pair<Predicate, std::shared_ptr<const ScanPlan>>> plans_;
  std::shared_ptr<const ScanPlan> counts_;
  bool stats_loaded_ = false;
  std::optional<TableStats> stats_;
};

}  // namespace tarn::engine
