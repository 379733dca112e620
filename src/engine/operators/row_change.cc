// See row_change.h.
#include "engine/operators/row_change.h"

#include <utility>

#include "duckdb/common/types/column/column_data_collection.hpp"
#include "duckdb/execution/physical_plan_generator.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/not_null_check.h"

namespace tarn::engine {
namespace {

using duckdb::ColumnDataCollection;
using duckdb::DataChunk;
using duckdb::idx_t;

// Row ids from here on are only this transaction's: the commit gives the rows others (surface page,
// section 4).
constexpr int64_t kFirstLocalRowId = 1000000000000000000;

struct GlobalState : duckdb::GlobalSinkState {
  std::mutex mutex;
  std::unique_ptr<ColumnDataCollection> returned;
};

struct LocalState : duckdb::LocalSinkState {
  RowSet removed;     ///< of a plain DELETE: no thread needs to know of another's
  DataChunk claimed;  ///< the input less the rows that were taken already
  DataChunk part;     ///< new rows for one of two writers
  DataChunk new_rows;
  DataChunk old_rows;
  std::unique_ptr<duckdb::ExpressionExecutor> new_row;
  std::unique_ptr<RowWriter::Local> inserted;
  std::unique_ptr<RowWriter::Local> updated;
  std::unique_ptr<ColumnDataCollection> returned;
};

struct SourceState : duckdb::GlobalSourceState {
  duckdb::ColumnDataScanState scan;
};

class RowChangeOperator : public duckdb::PhysicalOperator {
 public:
  RowChangeOperator(duckdb::PhysicalPlan& plan, duckdb::vector<duckdb::LogicalType> types,
                    RowChange change, idx_t estimated_cardinality)
      : PhysicalOperator(plan, duckdb::PhysicalOperatorType::EXTENSION, std::move(types),
                         estimated_cardinality),
        change_(std::move(change)),
        not_null_(change_.run->entry().name, change_.run->entry().table().columns) {}

  std::string GetName() const override { return change_.name; }
  duckdb::InsertionOrderPreservingMap<std::string> ParamsToString() const override {
    duckdb::InsertionOrderPreservingMap<std::string> result;
    result["Table"] = change_.run->entry().name;
    return result;
  }

  bool IsSink() const override { return true; }
  bool ParallelSink() const override { return !change_.keeps_order; }
  bool SinkOrderDependent() const override { return change_.keeps_order; }

  duckdb::unique_ptr<duckdb::GlobalSinkState> GetGlobalSinkState(
      duckdb::ClientContext& context) const override {
    return Guard([&]() -> duckdb::unique_ptr<duckdb::GlobalSinkState> {
      if (!change_.is_action) {
        change_.run->Start(context);
      }
      auto state = duckdb::make_uniq<GlobalState>();
      if (change_.returns) {
        state->returned =
            std::make_unique<ColumnDataCollection>(context, change_.run->entry().GetTypes());
      }
      return state;
    });
  }

  duckdb::unique_ptr<duckdb::LocalSinkState> GetLocalSinkState(
      duckdb::ExecutionContext& context) const override {
    auto state = duckdb::make_uniq<LocalState>();
    if (writes()) {
      const auto types = change_.run->entry().GetTypes();
      state->new_row =
          std::make_unique<duckdb::ExpressionExecutor>(context.client, change_.new_row);
      state->new_rows.Initialize(context.client, types);
      state->part.InitializeEmpty(types);
      state->inserted = change_.run->inserted().MakeLocal(context.client);
      if (removes()) {
        state->updated = change_.run->updated().MakeLocal(context.client);
      }
    }
    if (change_.returns) {
      state->old_rows.InitializeEmpty(change_.run->entry().GetTypes());
      state->returned =
          std::make_unique<ColumnDataCollection>(context.client, change_.run->entry().GetTypes());
    }
    return state;
  }

  duckdb::SinkResultType Sink(duckdb::ExecutionContext& context, DataChunk& chunk,
                              duckdb::OperatorSinkInput& input) const override {
    Guard([&] { Change(context, chunk, input.local_state.Cast<LocalState>()); });
    return duckdb::SinkResultType::NEED_MORE_INPUT;
  }

  duckdb::SinkCombineResultType Combine(duckdb::ExecutionContext& context,
                                        duckdb::OperatorSinkCombineInput& input) const override {
    auto& local = input.local_state.Cast<LocalState>();
    Guard([&] {
      if (!local.removed.empty()) {
        change_.run->Remove(std::move(local.removed));
      }
      if (local.inserted) {
        change_.run->inserted().Combine(context, *local.inserted);
      }
      if (local.updated) {
        change_.run->updated().Combine(context, *local.updated);
      }
    });
    if (local.returned && local.returned->Count() > 0) {
      auto& global = input.global_state.Cast<GlobalState>();
      std::lock_guard<std::mutex> guard(global.mutex);
      global.returned->Combine(*local.returned);
    }
    return duckdb::SinkCombineResultType::FINISHED;
  }

  duckdb::SinkFinalizeType Finalize(duckdb::Pipeline&, duckdb::Event&,
                                    duckdb::ClientContext& context,
                                    duckdb::OperatorSinkFinalizeInput&) const override {
    if (!change_.is_action) {
      Guard([&] { change_.run->Finish(context, *this); });
    }
    return duckdb::SinkFinalizeType::READY;
  }

  bool IsSource() const override { return true; }

  duckdb::unique_ptr<duckdb::GlobalSourceState> GetGlobalSourceState(
      duckdb::ClientContext&) const override {
    auto state = duckdb::make_uniq<SourceState>();
    if (change_.returns) {
      sink_state->Cast<GlobalState>().returned->InitializeScan(state->scan);
    }
    return state;
  }

 protected:
  duckdb::SourceResultType GetDataInternal(duckdb::ExecutionContext&, DataChunk& chunk,
                                           duckdb::OperatorSourceInput& input) const override {
    if (!change_.returns) {
      chunk.SetCardinality(1);
      // Old rows of updates are counted, so their new ones are not.
      chunk.SetValue(0, 0, duckdb::Value::BIGINT(change_.run->count()));
      return duckdb::SourceResultType::FINISHED;
    }
    sink_state->Cast<GlobalState>().returned->Scan(input.global_state.Cast<SourceState>().scan,
                                                   chunk);
    return chunk.size() == 0 ? duckdb::SourceResultType::FINISHED
                             : duckdb::SourceResultType::HAVE_MORE_OUTPUT;
  }

 private:
  bool removes() const { return change_.row_ids.has_value(); }
  bool writes() const { return !change_.new_row.empty(); }

  void Change(duckdb::ExecutionContext& context, DataChunk& chunk, LocalState& local) const {
    if (chunk.size() == 0) {
      return;
    }
    auto* rows = &chunk;
    if (removes()) {
      const RowPlaces places(chunk, *change_.row_ids);
      if (!writes() && !change_.returns && !change_.is_action) {
        local.removed.Add(places, chunk.size());
        return;
      }
      rows = Claim(places, chunk, local);
      if (rows == nullptr) {
        return;
      }
    }
    if (writes()) {
      Write(context, *rows, local);
    }
    if (change_.returns) {
      Return(*rows, local);
    }
  }

  // A join may bring a row several times; the first one counts.
  DataChunk* Claim(const RowPlaces& places, DataChunk& chunk, LocalState& local) const {
    duckdb::SelectionVector fresh(STANDARD_VECTOR_SIZE);
    const auto count = change_.run->Claim(places, chunk.size(), fresh);
    if (count == 0) {
      return nullptr;
    }
    if (count == chunk.size()) {
      return &chunk;
    }
    if (local.claimed.ColumnCount() == 0) {
      local.claimed.InitializeEmpty(chunk.GetTypes());
    }
    local.claimed.Reset();
    local.claimed.Slice(chunk, fresh, count);
    return &local.claimed;
  }

  void Write(duckdb::ExecutionContext& context, DataChunk& rows, LocalState& local) const {
    local.new_rows.Reset();
    local.new_row->Execute(rows, local.new_rows);
    not_null_.Check(local.new_rows);
    if (!removes()) {
      change_.run->CountInserted(rows.size());
      change_.run->inserted().Write(context, *local.inserted, local.new_rows, nullptr);
      return;
    }
    auto& row_ids = rows.data[*change_.row_ids + kRowIdColumns - 1];
    duckdb::SelectionVector kept(STANDARD_VECTOR_SIZE);
    duckdb::SelectionVector renumbered(STANDARD_VECTOR_SIZE);
    const auto kept_count = SplitByRowId(row_ids, rows.size(), kept, renumbered);
    if (kept_count == rows.size()) {
      change_.run->updated().Write(context, *local.updated, local.new_rows, &row_ids);
      return;
    }
    if (kept_count > 0) {
      duckdb::Vector kept_ids(row_ids, kept, kept_count);
      local.part.Slice(local.new_rows, kept, kept_count);
      change_.run->updated().Write(context, *local.updated, local.part, &kept_ids);
    }
    local.part.Slice(local.new_rows, renumbered, rows.size() - kept_count);
    change_.run->inserted().Write(context, *local.inserted, local.part, nullptr);
  }

  // Rows that this transaction inserted are still without ids that others will see: new versions of
  // them are inserted rows themselves.
  static idx_t SplitByRowId(duckdb::Vector& row_ids, idx_t count, duckdb::SelectionVector& kept,
                            duckdb::SelectionVector& renumbered) {
    duckdb::UnifiedVectorFormat format;
    row_ids.ToUnifiedFormat(count, format);
    const auto* ids = duckdb::UnifiedVectorFormat::GetData<int64_t>(format);
    idx_t kept_count = 0;
    for (idx_t row = 0; row < count; ++row) {
      const auto index = format.sel->get_index(row);
      if (format.validity.RowIsValid(index) && ids[index] < kFirstLocalRowId) {
        kept.set_index(kept_count++, row);
      } else {
        renumbered.set_index(row - kept_count, row);
      }
    }
    return kept_count;
  }

  void Return(DataChunk& rows, LocalState& local) const {
    if (writes()) {
      local.returned->Append(local.new_rows);
      return;
    }
    for (idx_t i = 0; i < local.old_rows.ColumnCount(); ++i) {
      local.old_rows.data[i].Reference(rows.data[change_.old_row + i]);
    }
    local.old_rows.SetCardinality(rows);
    local.returned->Append(local.old_rows);
  }

  const RowChange change_;
  const NotNullColumns not_null_;
};

}  // namespace

duckdb::PhysicalOperator& PlanRowChange(duckdb::PhysicalPlanGenerator& planner,
                                        duckdb::vector<duckdb::LogicalType> types, RowChange change,
                                        duckdb::optional_ptr<duckdb::PhysicalOperator> plan,
                                        idx_t estimated_cardinality) {
  auto& result =
      planner.Make<RowChangeOperator>(std::move(types), std::move(change), estimated_cardinality);
  if (plan) {
    result.children.push_back(*plan);
  }
  return result;
}

duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> TableColumns(
    const duckdb::vector<duckdb::LogicalType>& types) {
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> result;
  for (idx_t i = 0; i < types.size(); ++i) {
    result.push_back(duckdb::make_uniq<duckdb::BoundReferenceExpression>(types[i], i));
  }
  return result;
}

}  // namespace tarn::engine
