// See merge.h.
#include "engine/operators/merge.h"

#include <map>
#include <memory>
#include <utility>

#include "duckdb/execution/operator/persistent/physical_merge_into.hpp"
#include "duckdb/execution/physical_plan_generator.hpp"
#include "duckdb/planner/operator/logical_merge_into.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/row_change.h"
#include "engine/operators/row_changes_bind.h"
#include "engine/operators/update.h"
#include "engine/operators/write_job.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::MergeActionType;

using Actions = std::map<duckdb::MergeActionCondition,
                         duckdb::vector<duckdb::unique_ptr<duckdb::MergeIntoOperator>>>;

// All actions work in one run: a row that two of them want goes to the first.
class MergeOperator : public duckdb::PhysicalMergeInto {
 public:
  MergeOperator(duckdb::PhysicalPlan& plan, duckdb::LogicalMergeInto& op, Actions actions,
                std::shared_ptr<ChangeRun> run)
      : PhysicalMergeInto(plan, op.types, std::move(actions), op.row_id_start, op.source_marker,
                          true, op.return_chunk),
        run_(std::move(run)) {}

  std::string GetName() const override { return "TARN_MERGE_INTO"; }
  duckdb::InsertionOrderPreservingMap<std::string> ParamsToString() const override {
    duckdb::InsertionOrderPreservingMap<std::string> result;
    result["Table"] = run_->entry().name;
    return result;
  }

  duckdb::unique_ptr<duckdb::GlobalSinkState> GetGlobalSinkState(
      duckdb::ClientContext& context) const override {
    Guard([&] { run_->Start(context); });
    return PhysicalMergeInto::GetGlobalSinkState(context);
  }

  duckdb::SinkFinalizeType Finalize(duckdb::Pipeline& pipeline, duckdb::Event& event,
                                    duckdb::ClientContext& context,
                                    duckdb::OperatorSinkFinalizeInput& input) const override {
    const auto result = PhysicalMergeInto::Finalize(pipeline, event, context, input);
    Guard([&] { run_->Finish(context, *this); });
    return result;
  }

 protected:
  duckdb::SourceResultType GetDataInternal(duckdb::ExecutionContext& context,
                                           duckdb::DataChunk& chunk,
                                           duckdb::OperatorSourceInput& input) const override {
    if (return_chunk) {
      return PhysicalMergeInto::GetDataInternal(context, chunk, input);
    }
    // Not what went to the actions: a row that matched twice is one.
    chunk.SetCardinality(1);
    chunk.SetValue(0, 0, duckdb::Value::BIGINT(run_->count()));
    return duckdb::SourceResultType::FINISHED;
  }

 private:
  const std::shared_ptr<ChangeRun> run_;
};

// What an INSERT action's operator gets: the table's columns, those that are not named with their
// defaults.
duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> InsertedRow(
    const duckdb::LogicalMergeInto& op, duckdb::BoundMergeIntoAction& action) {
  if (action.column_index_map.empty()) {
    return std::move(action.expressions);
  }
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> result;
  for (const auto& column : op.table.GetColumns().Physical()) {
    const auto mapped = action.column_index_map[column.Physical()];
    if (mapped == duckdb::DConstants::INVALID_INDEX) {
      result.push_back(op.bound_defaults[column.StorageOid()]->Copy());
    } else {
      result.push_back(std::move(action.expressions[mapped]));
    }
  }
  return result;
}

class ActionPlanner {
 public:
  ActionPlanner(duckdb::ClientContext& context, duckdb::PhysicalPlanGenerator& planner,
                duckdb::LogicalMergeInto& op, const duckdb::PhysicalOperator& plan,
                std::shared_ptr<ChangeRun> run)
      : context_(context), planner_(planner), op_(op), plan_(plan), run_(std::move(run)) {}

  duckdb::unique_ptr<duckdb::MergeIntoOperator> Plan(duckdb::BoundMergeIntoAction& action) {
    auto result = duckdb::make_uniq<duckdb::MergeIntoOperator>();
    result->action_type = action.action_type;
    result->condition = std::move(action.condition);
    RowChange change;
    change.run = run_;
    change.is_action = true;
    change.returns = op_.return_chunk;
    const auto& entry = run_->entry();
    switch (action.action_type) {
      case MergeActionType::MERGE_UPDATE:
        RequireRowsWritable(entry.table());
        run_->WillUpdate(context_);
        change.name = "TARN_UPDATE";
        change.row_ids = op_.row_id_start;
        change.new_row =
            NewRow(entry, action.columns, std::move(action.expressions), op_.bound_defaults);
        break;
      case MergeActionType::MERGE_DELETE:
        change.name = "TARN_DELETE";
        change.row_ids = op_.row_id_start;
        change.old_row = op_.row_id_start + kRowIdColumns;
        if (op_.return_chunk &&
            plan_.types.size() < change.old_row + entry.GetColumns().PhysicalColumnCount()) {
          throw Error(ErrorCode::kUnsupported, kNoOldRows);
        }
        break;
      case MergeActionType::MERGE_INSERT:
        RequireRowsWritable(entry.table());
        run_->WillInsert(context_);
        change.name = "TARN_INSERT";
        change.new_row = TableColumns(entry.GetTypes());
        result->expressions = InsertedRow(op_, action);
        break;
      case MergeActionType::MERGE_ERROR:
        result->expressions = std::move(action.expressions);
        return result;
      default:
        return result;
    }
    auto types = op_.types;
    if (op_.return_chunk) {
      types.pop_back();  // merge_action, which the merge adds
    }
    result->op = PlanRowChange(planner_, std::move(types), std::move(change), nullptr,
                               op_.estimated_cardinality);
    return result;
  }

 private:
  duckdb::ClientContext& context_;
  duckdb::PhysicalPlanGenerator& planner_;
  duckdb::LogicalMergeInto& op_;
  const duckdb::PhysicalOperator& plan_;
  const std::shared_ptr<ChangeRun> run_;
};

}  // namespace

duckdb::PhysicalOperator& PlanMergeInto(duckdb::ClientContext& context,
                                        duckdb::PhysicalPlanGenerator& planner,
                                        duckdb::LogicalMergeInto& op,
                                        duckdb::PhysicalOperator& plan) {
  auto& entry = op.table.Cast<TarnTableEntry>();
  auto run = std::make_shared<ChangeRun>(entry);
  ActionPlanner action_planner(context, planner, op, plan, run);
  Actions actions;
  for (auto& [condition, bound] : op.actions) {
    for (auto& action : bound) {
      actions[condition].push_back(action_planner.Plan(*action));
    }
  }
  auto& result = planner.Make<MergeOperator>(op, std::move(actions), std::move(run));
  result.children.push_back(plan);
  return result;
}

}  // namespace tarn::engine
