// See row_sorter.h.
#include "engine/operators/row_sorter.h"

#include <utility>

#include "duckdb/parallel/interrupt.hpp"

namespace tarn::engine {

RowSorter::RowSorter(duckdb::ClientContext& context, duckdb::vector<duckdb::LogicalType> types,
                     const duckdb::vector<duckdb::BoundOrderByNode>& orders,
                     const duckdb::vector<duckdb::idx_t>& projection)
    : sort_(context, orders, types, projection), sink_(sort_.GetGlobalSinkState(context)) {
  for (const auto column : projection) types_.push_back(types[column]);
}

RowSorter::Local RowSorter::MakeLocal(duckdb::ExecutionContext& context) const {
  return sort_.GetLocalSinkState(context);
}

void RowSorter::Sink(duckdb::ExecutionContext& context, Local& local, duckdb::DataChunk& rows) {
  duckdb::InterruptState interrupt;
  duckdb::OperatorSinkInput input{*sink_, *local, interrupt};
  count_ += rows.size();
  sort_.Sink(context, rows, input);
}

void RowSorter::Combine(duckdb::ExecutionContext& context, Local& local) {
  duckdb::InterruptState interrupt;
  duckdb::OperatorSinkCombineInput input{*sink_, *local, interrupt};
  sort_.Combine(context, input);
  local.reset();
}

void RowSorter::Finish(duckdb::ClientContext& context) {
  if (count_ == 0) return;
  duckdb::InterruptState interrupt;
  duckdb::OperatorSinkFinalizeInput input{*sink_, interrupt};
  sort_.Finalize(context, input);
}

void RowSorter::Scan(duckdb::ExecutionContext& context, duckdb::DataChunk& rows) {
  rows.Reset();
  if (count_ == 0) return;
  if (!source_) {
    source_ = sort_.GetGlobalSourceState(context.client, *sink_);
    local_source_ = sort_.GetLocalSourceState(context, *source_);
  }
  duckdb::InterruptState interrupt;
  duckdb::OperatorSourceInput input{*source_, *local_source_, interrupt};
  sort_.GetData(context, rows, input);
}

}  // namespace tarn::engine
