// See row_arranger.h.
#include "engine/operators/row_arranger.h"

#include <utility>

#include "duckdb/parallel/thread_context.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "engine/bridge/sort_expressions.h"
#include "engine/bridge/types.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/partition_writer.h"
#include "engine/operators/write_job.h"
#include "engine/operators/write_types.h"

namespace tarn::engine {
namespace {

using duckdb::BoundReferenceExpression;
using duckdb::DataChunk;
using duckdb::idx_t;
using duckdb::LogicalType;

// A sort gives values of such types back as they compare, which is not always as they were.
bool SortsExactly(const LogicalType& type) { return !type.IsNested() && !type.IsFloating(); }

}  // namespace

RowArranger::RowArranger(duckdb::ClientContext& context, WriteJob& job, FilePartition partition)
    : job_(job),
      keys_(job.layout(), job.options().hive_folders),
      partition_(std::move(partition)),
      written_types_(job.WrittenTypes()) {
  for (const auto& column : job.layout().columns) own_types_.push_back(ToLogicalType(column));
  duckdb::vector<duckdb::BoundOrderByNode> orders;
  BindPartitions(orders);
  duckdb::vector<idx_t> projection;
  for (idx_t i = 0; i < written_types_.size() + computed_types_.size(); ++i)
    projection.push_back(i);
  if (job.options().sorts) BindOrder(context, orders);
  auto types = written_types_;
  types.insert(types.end(), computed_types_.begin(), computed_types_.end());
  sorter_ = std::make_unique<RowSorter>(context, std::move(types), orders, projection);
}

idx_t RowArranger::AddComputed(LogicalType type) {
  computed_types_.push_back(std::move(type));
  return written_types_.size() + computed_types_.size() - 1;
}

// A key that is a column as it is written is sorted by in place.
void RowArranger::BindPartitions(duckdb::vector<duckdb::BoundOrderByNode>& orders) {
  for (size_t key = 0; key < keys_.size(); ++key) {
    const auto& type = keys_.type(key);
    const auto column = keys_.column(key);
    const bool is_written = keys_.is_identity(key) && SortsExactly(type) &&
                            job_.writes_own_shape() && written_types_[column] == type;
    key_columns_.push_back(is_written ? column : AddComputed(type));
    orders.emplace_back(duckdb::OrderType::ASCENDING, duckdb::OrderByNullType::NULLS_LAST,
                        duckdb::make_uniq<BoundReferenceExpression>(type, key_columns_.back()));
  }
}

void RowArranger::BindOrder(duckdb::ClientContext& context,
                            duckdb::vector<duckdb::BoundOrderByNode>& orders) {
  const auto& table = job_.layout();
  if (!table.sort) return;
  const auto view = TarnTransaction::Get(context, job_.catalog()).kernel().view();
  const auto& schema = view->FindSchema(table.schema)->name;
  for (auto& order : BindSortKeys(context, job_.catalog(), schema, table, table.sort->keys)) {
    const auto type = order.expression->return_type;
    const bool is_column =
        order.expression->GetExpressionClass() == duckdb::ExpressionClass::BOUND_REF;
    if (is_column && job_.writes_own_shape() && SortsExactly(type)) {
      const auto column = order.expression->Cast<BoundReferenceExpression>().index;
      if (written_types_[column] == type) {
        orders.push_back(std::move(order));
        continue;
      }
    }
    expressions_.push_back(std::move(order.expression));
    orders.emplace_back(order.type, order.null_order,
                        duckdb::make_uniq<BoundReferenceExpression>(type, AddComputed(type)));
  }
}

std::unique_ptr<RowArranger::Local> RowArranger::MakeLocal(
    duckdb::ExecutionContext& context) const {
  auto local = std::make_unique<Local>();
  local->sorted = sorter_->MakeLocal(context);
  local->own.Initialize(context.client, own_types_);
  if (!computed_types_.empty()) local->computed.Initialize(context.client, computed_types_);
  auto types = written_types_;
  types.insert(types.end(), computed_types_.begin(), computed_types_.end());
  local->combined.InitializeEmpty(types);
  local->expressions = std::make_unique<duckdb::ExpressionExecutor>(context.client, expressions_);
  return local;
}

void RowArranger::Sink(duckdb::ExecutionContext& context, Local& local, DataChunk& rows) {
  local.own.Reset();
  CastToOwnTypes(rows, local.own);
  Sink(context, local, rows, local.own);
}

void RowArranger::Sink(duckdb::ExecutionContext& context, Local& local, DataChunk& rows,
                       DataChunk& own) {
  const auto count = rows.size();
  if (!computed_types_.empty()) local.computed.Reset();
  idx_t slot = 0;
  for (size_t key = 0; key < keys_.size(); ++key) {
    if (key_columns_[key] < written_types_.size()) continue;
    keys_.Compute(key, own.data[keys_.column(key)], count, local.computed.data[slot++]);
  }
  local.expressions->SetChunk(own);
  for (idx_t i = 0; i < expressions_.size(); ++i) {
    local.expressions->ExecuteExpression(i, local.computed.data[slot++]);
  }
  for (idx_t i = 0; i < written_types_.size(); ++i) local.combined.data[i].Reference(rows.data[i]);
  for (idx_t i = 0; i < computed_types_.size(); ++i) {
    local.combined.data[written_types_.size() + i].Reference(local.computed.data[i]);
  }
  local.combined.SetCardinality(count);
  sorter_->Sink(context, local.sorted, local.combined);
}

void RowArranger::Combine(duckdb::ExecutionContext& context, Local& local) {
  sorter_->Combine(context, local.sorted);
}

void RowArranger::Finish(duckdb::ClientContext& context) {
  if (sorter_->count() == 0) return;
  sorter_->Finish(context);
  if (keys_.size() == 0) {
    PartitionWriter writer(context, job_, partition_);
    return WriteSorted(context, writer);
  }
  PartitionWriter writer(context, job_, keys_, key_columns_);
  WriteSorted(context, writer);
}

void RowArranger::WriteSorted(duckdb::ClientContext& context, PartitionWriter& writer) {
  duckdb::ThreadContext thread(context);
  duckdb::ExecutionContext execution(context, thread, nullptr);
  DataChunk rows;
  rows.Initialize(duckdb::Allocator::Get(context), sorter_->types());
  while (true) {
    sorter_->Scan(execution, rows);
    if (rows.size() == 0) break;
    writer.Append(rows);
  }
  writer.Finish();
}

}  // namespace tarn::engine
