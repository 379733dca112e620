// What transactions read: scans with their own changes, answers of the catalog, statistics, counts.
#include <algorithm>
#include <utility>

#include "catalog/change_feed.h"
#include "catalog/scan_planner.h"
#include "catalog/settle_aggregates.h"
#include "catalog/stats_merge.h"
#include "catalog/transaction_impl.h"
#include "tarn/error.h"

namespace tarn {
namespace {

/// More different reads of one table than this are kept as one of all its rows.
constexpr size_t kMaxReadsOfTable = 64;

}  // namespace

void TransactionImpl::RecordRead(TableRef ref, const Predicate& predicate) {
  std::unique_lock lock(mutex_);
  // Nobody else sees a new table.
  if (finished_ || read_only_ || ref.is_new()) return;
  std::vector<Predicate>& reads = reads_[ref];
  // After many reads of one table, all of it counts as read.
  if (reads.size() == 1 && reads.front().kind == Predicate::Kind::kTrue) return;
  if (predicate.kind == Predicate::Kind::kTrue || reads.size() >= kMaxReadsOfTable) {
    reads = {Predicate::True()};
  } else if (std::find(reads.begin(), reads.end(), predicate) == reads.end()) {
    reads.push_back(predicate);
  }
}

template <class Use>
auto TransactionImpl::WithInput(StoreConnection& connection, const TableScan& scan,
                                const Use& use) const {
  FilesInUse* in_use = scan.anew ? nullptr : &files_in_use_;
  if (scan.at) {
    const std::shared_ptr<const CatalogView> view = lake_->ViewAt(connection, *scan.at);
    return use(PlanInput{*scan.at, *view, lake_->data_path(), nullptr, &lake_->files(), in_use});
  }
  const auto found = staged_.find(scan.table->ref);
  const RowChanges* own = found == staged_.end() ? nullptr : &found->second;
  return use(PlanInput{base_, *view_, lake_->data_path(), own, &lake_->files(), in_use});
}

ScanPlan TransactionImpl::Plan(StoreConnection& connection, const TableScan& scan) const {
  return WithInput(connection, scan,
                   [&](const PlanInput& input) { return PlanTableScan(connection, scan, input); });
}

ScanPlan TransactionImpl::PlanScan(const TableScan& scan) {
  std::shared_lock lock(mutex_);
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  return Plan(*connection, scan);
}

std::optional<AggregateAnswers> TransactionImpl::SettleAggregates(
    const AggregateQuestion& question) {
  std::shared_lock lock(mutex_);
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  return WithInput(*connection, question.scan, [&](const PlanInput& input) {
    return tarn::SettleAggregates(*connection, question, input);
  });
}

ScanPlan TransactionImpl::PlanChanges(const ChangeScan& scan) {
  std::shared_lock lock(mutex_);
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  std::shared_ptr<const CatalogView> view = lake_->ViewAt(*connection, scan.at);
  return PlanChangeFeed(*connection, scan, *view, lake_->data_path());
}

std::optional<TableStats> TransactionImpl::Stats(TableRef ref) {
  std::shared_lock lock(mutex_);
  std::optional<TableStats> stats;
  if (!ref.is_new()) {
    ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
    stats = LoadTableStats(*connection, ref.id());
  }
  auto staged = staged_.find(ref);
  if (staged == staged_.end() || !staged->second.inserts()) return stats;
  const RowChanges& own = staged->second;
  const bool is_first = !stats.has_value();
  if (is_first) stats.emplace();
  stats->next_row_id += own.first_row_id;
  for (const DataFile& file : own.data_files) {
    stats->record_count += file.record_count;
    if (!file.is_revived) stats->next_row_id += file.record_count;
    stats->file_size_bytes += file.file_size_bytes;
  }
  for (const StagedBatch& batch : own.staged_rows) {
    stats->record_count += batch.live();
    if (!batch.rows->keeps_row_ids()) stats->next_row_id += batch.live();
  }
  for (const ColumnSummary& summary : SummarizeRows(*view_->FindTable(ref), own)) {
    if (is_first) {
      if (summary.known) stats->columns.push_back(FirstStats(summary));
      continue;
    }
    for (TableStats::Column& column : stats->columns) {
      if (column.field == summary.field) column = WidenStats(column, summary, false);
    }
  }
  return stats;
}

std::vector<TableInfo> TransactionImpl::ListTableInfo() {
  std::shared_lock lock(mutex_);
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  return LoadTableInfo(*connection, *view_, base_);
}

std::map<TableRef, int64_t> TransactionImpl::RowCounts() {
  std::shared_lock lock(mutex_);
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  std::map<TableRef, int64_t> counts = CountRows(*connection, *view_, base_);
  for (const auto& [ref, changes] : staged_) {
    int64_t& count = counts[ref];
    for (const DataFile& file : changes.data_files) count += file.record_count;
    for (const StagedBatch& batch : changes.staged_rows) count += batch.live();
    for (const auto& [_, removed] : changes.removed_staged) count -= removed.count;
    for (const auto& [_, removed] : changes.removed) count -= removed.count;
    for (const auto& [_, removed] : changes.removed_inlined) count -= removed.count;
    count = std::max<int64_t>(0, count);
  }
  return counts;
}

// --- options, message, end ---

}  // namespace tarn
