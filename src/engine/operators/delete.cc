// See delete.h.
#include "engine/operators/delete.h"

#include <memory>
#include <utility>

#include "duckdb/execution/operator/projection/physical_projection.hpp"
#include "duckdb/execution/physical_plan_generator.hpp"
#include "duckdb/planner/operator/logical_delete.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/row_change.h"
#include "engine/operators/row_changes_bind.h"
#include "engine/operators/scan.h"
#include "engine/operators/write_job.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

// Ends all files of a table, of which none is opened.
class DeleteAll : public duckdb::PhysicalOperator {
 public:
  DeleteAll(duckdb::PhysicalPlan& plan, duckdb::vector<duckdb::LogicalType> types,
            TarnTableEntry& entry)
      : PhysicalOperator(plan, duckdb::PhysicalOperatorType::EXTENSION, std::move(types), 1),
        entry_(entry) {}

  std::string GetName() const override { return "TARN_DELETE_ALL"; }
  duckdb::InsertionOrderPreservingMap<std::string> ParamsToString() const override {
    duckdb::InsertionOrderPreservingMap<std::string> result;
    result["Table"] = entry_.name;
    return result;
  }

  bool IsSource() const override { return true; }

 protected:
  duckdb::SourceResultType GetDataInternal(duckdb::ExecutionContext& context,
                                           duckdb::DataChunk& chunk,
                                           duckdb::OperatorSourceInput&) const override {
    const auto count = Guard([&] {
      return TarnTransaction::Get(context.client, entry_.lake_catalog())
          .kernel()
          .DeleteAllRows(entry_.table().ref);
    });
    if (!count) {
      throw duckdb::TransactionException(
          "The rows of table \"%s\" could be counted when the statement was planned and cannot be "
          "any more. Run it again.",
          entry_.name);
    }
    chunk.SetCardinality(1);
    chunk.SetValue(0, 0, duckdb::Value::BIGINT(*count));
    return duckdb::SourceResultType::FINISHED;
  }

 private:
  TarnTableEntry& entry_;
};

}  // namespace

duckdb::PhysicalOperator& PlanDelete(duckdb::ClientContext&, duckdb::PhysicalPlanGenerator& planner,
                                     duckdb::LogicalDelete& op, duckdb::PhysicalOperator& plan) {
  auto& entry = op.table.Cast<TarnTableEntry>();
  if (!op.return_chunk && ScansWholeTable(plan, entry)) {
    return planner.Make<DeleteAll>(op.types, entry);
  }
  // Filters and joins may give the columns in any order: here they get theirs.
  auto columns = std::move(op.expressions);
  if (!op.return_chunk) {
    columns.resize(kRowIdColumns - 1);  // ids do not matter where no row is written
  } else if (columns.size() == kRowIdColumns) {
    throw Error(ErrorCode::kUnsupported, kNoOldRows);
  }
  duckdb::vector<duckdb::LogicalType> types;
  for (const auto& column : columns) {
    types.push_back(column->return_type);
  }
  auto& rows = planner.Make<duckdb::PhysicalProjection>(std::move(types), std::move(columns),
                                                        op.estimated_cardinality);
  rows.children.push_back(plan);

  RowChange change;
  change.run = std::make_shared<ChangeRun>(entry);
  change.name = "TARN_DELETE";
  change.row_ids = 0;
  change.returns = op.return_chunk;
  change.old_row = kRowIdColumns;
  return PlanRowChange(planner, op.types, std::move(change), rows, op.estimated_cardinality);
}

}  // namespace tarn::engine
