// See scan_source.h.
#include "engine/operators/scan_source.h"

#include <utility>

#include "duckdb/catalog/catalog_entry/schema_catalog_entry.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/filters.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/settings.h"
#include "tarn/lake.h"

namespace tarn::engine {
namespace {

constexpr int64_t kFilesListedAtOnce = 256;

}  // namespace

ScanSource::ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry)
    : context_(context), entry_(entry), table_(entry.shared_table()) {}

ScanSource::ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry,
                       std::shared_ptr<const Table> shape, std::shared_ptr<const ScanPlan> plan)
    : context_(context), entry_(entry), table_(std::move(shape)), fixed_plan_(std::move(plan)) {}

ScanSource::ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry,
                       const FeedRequest& feed)
    : context_(context), entry_(entry), table_(entry.shared_table()), feed_(feed) {}

ScanSource::ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry,
                       std::shared_ptr<const ScanPlan> plan)
    : ScanSource(context, entry, entry.shared_table(), std::move(plan)) {}

ScanSource::ScanSource(duckdb::ClientContext& context, TarnTableEntry& entry,
                       const FeedRequest& feed, std::shared_ptr<const ScanPlan> plan)
    : context_(context),
      entry_(entry),
      table_(entry.shared_table()),
      feed_(feed),
      fixed_plan_(std::move(plan)) {}

std::string ScanSource::table_name() const { return entry_.schema.name + "." + entry_.name; }

std::shared_ptr<const ScanPlan> ScanSource::Plan(const Predicate& predicate) {
  if (fixed_plan_) return fixed_plan_;
  std::lock_guard<std::mutex> guard(mutex_);
  for (const auto& [known, plan] : plans_) {
    if (SamePredicate(known, predicate)) {
      return plan;
    }
  }
  auto plan = std::make_shared<const ScanPlan>(MakePlan(predicate, false));
  plans_.emplace_back(predicate, plan);
  return plan;
}

std::shared_ptr<const ScanPlan> ScanSource::Counts() {
  if (fixed_plan_ || feed_) return Plan(Predicate::True());
  std::lock_guard<std::mutex> guard(mutex_);
  if (!counts_) {
    counts_ = std::make_shared<const ScanPlan>(MakePlan(Predicate::True(), true));
    // A scan is planned once where that is cheap.
    if (counts_->lists_files) plans_.emplace_back(Predicate::True(), counts_);
  }
  return counts_;
}

ScanPlan ScanSource::MakePlan(const Predicate& predicate, bool counts_only) {
  auto& kernel = TarnTransaction::Get(context_, entry_.lake_catalog()).kernel();
  if (feed_) {
    return kernel.PlanChanges({.table = table_,
                               .at = *entry_.at(),
                               .range = feed_->range,
                               .inserted = feed_->inserted,
                               .deleted = feed_->deleted,
                               .predicate = predicate});
  }
  TableScan scan = ToScan(predicate);
  if (counts_only) scan.most_files = kFilesListedAtOnce;
  if (!scan.at && ReadsAreSerializable(context_)) kernel.RecordRead(table_->ref, predicate);
  kernel.lake().SetMetadataCacheSize(ReadMetadataCacheSize(context_));
  return kernel.PlanScan(scan);
}

TableScan ScanSource::ToScan(const Predicate& predicate) {
  TableScan scan;
  scan.table = table_;
  scan.at = entry_.at();
  scan.predicate = predicate;
  return scan;
}

std::optional<AggregateAnswers> ScanSource::Settle(AggregateQuestion question) {
  question.scan = ToScan(question.scan.predicate);
  auto& kernel = TarnTransaction::Get(context_, entry_.lake_catalog()).kernel();
  kernel.lake().SetMetadataCacheSize(ReadMetadataCacheSize(context_));
  auto answers = kernel.SettleAggregates(question);
  if (!answers) return answers;
  const auto& predicate = question.scan.predicate;
  if (!question.scan.at && ReadsAreSerializable(context_)) {
    kernel.RecordRead(table_->ref, predicate);
  }
  if (answers->settled_files == 0 && !answers->is_complete()) {
    std::lock_guard<std::mutex> guard(mutex_);
    plans_.emplace_back(predicate, std::make_shared<const ScanPlan>(answers->rest));
  }
  return answers;
}

std::vector<std::shared_ptr<const ScanPlan>> ScanSource::plans() {
  std::lock_guard<std::mutex> guard(mutex_);
  std::vector<std::shared_ptr<const ScanPlan>> result;
  for (const auto& [predicate, plan] : plans_) {
    result.push_back(plan);
  }
  return result;
}

const TableStats* ScanSource::Stats() {
  const auto& pinned = entry_.lake_catalog().attach_options().snapshot;
  if (entry_.at() || pinned.version || pinned.time) {
    return nullptr;
  }
  std::lock_guard<std::mutex> guard(mutex_);
  if (!stats_loaded_) {
    stats_ = TarnTransaction::Get(context_, entry_.lake_catalog()).kernel().Stats(table_->ref);
    stats_loaded_ = true;
  }
  return stats_ ? &*stats_ : nullptr;
}

}  // namespace tarn::engine
