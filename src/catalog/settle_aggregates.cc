// See settle_aggregates.h. Plans the scan first, which leaves out files that have no such row; the
// facts of the others are loaded for the fields that the question names.
#include "catalog/settle_aggregates.h"

#include <utility>

#include "catalog/aggregate_settler.h"
#include "catalog/catalog_sql.h"
#include "catalog/prune_files.h"

namespace tarn {
namespace {

using Kind = AggregateQuestion::Aggregate::Kind;

bool CountsAllRows(const AggregateQuestion& question) {
  if (!question.groups.empty() || question.scan.predicate.kind != Predicate::Kind::kTrue)
    return false;
  for (const auto& aggregate : question.aggregates) {
    if (aggregate.kind != Kind::kCountRows) return false;
  }
  return true;
}

// As ScanPlan::row_count has it for all of them. Two sets of deletes may name the same row.
std::optional<int64_t> AliveRows(const ScanFile& file) {
  if (file.row_snapshot_limit) return std::nullopt;
  const int64_t records = file.file.record_count;
  const auto positions = static_cast<int64_t>(file.deleted_positions.size());
  if (file.deletes.empty())
    return positions <= records ? std::optional(records - positions) : std::nullopt;
  if (file.deletes.size() > 1 || positions > 0) return std::nullopt;
  const ScanDelete& deletion = file.deletes.front();
  if (deletion.snapshot_limit || deletion.file.delete_count > records) return std::nullopt;
  return records - deletion.file.delete_count;
}

}  // namespace

std::optional<AggregateAnswers> SettleAggregates(StoreConnection& connection,
                                                 const AggregateQuestion& question,
                                                 const PlanInput& input) {
  AggregateSettler settler(question);
  if (!settler.can_settle()) return std::nullopt;
  std::optional<ReadScope> scope;
  if (!question.scan.table->ref.is_new()) scope.emplace(connection);
  AggregateAnswers answers;
  ScanPlan& plan = answers.rest;
  if (CountsAllRows(question)) {
    TableScan counts = question.scan;
    counts.most_files = 0;
    plan = PlanTableScan(connection, counts, input);
    if (plan.row_count) {
      const AggregateAnswers::Answer count{*plan.row_count, {}};
      answers.groups.push_back({{}, std::vector(question.aggregates.size(), count)});
      answers.settled_files = plan.total_files;
      plan.files.clear();
      plan.inlined.clear();
      plan.staged_rows.clear();
      plan.row_count = plan.max_row_count = 0;
      return answers;
    }
  }
  plan = PlanTableScan(connection, question.scan, input);
  std::vector<std::vector<FieldFacts>> facts(plan.files.size());
  if (!settler.fields().empty())
    facts = FactsOfFiles(connection, *question.scan.table, settler.fields(), plan.files);
  for (size_t i = 0; i < plan.files.size(); ++i) {
    const ScanFile& file = plan.files[i];
    const bool has_deletes =
        !file.deletes.empty() || !file.deleted_positions.empty() || file.row_snapshot_limit;
    settler.Add({AliveRows(file), has_deletes, std::move(facts[i])});
  }
  AggregateSettler::Outcome outcome = settler.Finish();
  answers.groups = std::move(outcome.groups);
  answers.settled_files = static_cast<int64_t>(plan.files.size() - outcome.unsettled.size());
  if (answers.settled_files == 0) return answers;
  std::vector<ScanFile> rest;
  rest.reserve(outcome.unsettled.size());
  for (const size_t number : outcome.unsettled) rest.push_back(std::move(plan.files[number]));
  plan.files = std::move(rest);
  plan.row_count.reset();
  return answers;
}

}  // namespace tarn
