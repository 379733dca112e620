// See visit_scan.h.
#include "engine/operators/visit_scan.h"

#include "duckdb/execution/execution_context.hpp"
#include "duckdb/parallel/thread_context.hpp"

namespace tarn::engine {

void VisitScan(duckdb::ClientContext& context, const duckdb::TableFunction& function,
               const duckdb::FunctionData& bind_data,
               const duckdb::vector<duckdb::column_t>& columns,
               const duckdb::vector<duckdb::LogicalType>& types,
               duckdb::optional_ptr<duckdb::TableFilterSet> filters,
               const std::function<bool(duckdb::DataChunk&)>& visit) {
  duckdb::TableFunctionInitInput init(&bind_data, columns, {}, filters);
  const auto global_state = function.init_global(context, init);
  duckdb::ThreadContext thread(context);
  duckdb::ExecutionContext execution(context, thread, nullptr);
  const auto local_state = function.init_local(execution, init, global_state.get());
  duckdb::TableFunctionInput input(&bind_data, local_state.get(), global_state.get());
  duckdb::DataChunk chunk;
  chunk.Initialize(context, types);
  do {
    chunk.Reset();
    function.function(context, input, chunk);
  } while (chunk.size() > 0 && visit(chunk));
}

}  // namespace tarn::engine
