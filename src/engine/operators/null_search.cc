// See null_search.h.
#include "engine/operators/null_search.h"

#include "duckdb/execution/execution_context.hpp"
#include "duckdb/parallel/thread_context.hpp"
#include "duckdb/planner/filter/null_filter.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"

namespace tarn::engine {

bool HasNulls(duckdb::ClientContext& context, TarnTableEntry& table, duckdb::column_t column) {
  Predicate is_null;
  is_null.kind = Predicate::Kind::kIsNull;
  is_null.field = table.FindColumn(column)->id;
  TableScan question;
  question.table = table.shared_table();
  question.predicate = is_null;
  const auto plan = TarnTransaction::Get(context, table.lake_catalog()).kernel().PlanScan(question);
  if (plan.files.empty() && plan.inlined.empty() && plan.staged_rows.empty()) return false;

  duckdb::unique_ptr<duckdb::FunctionData> bind_data;
  const duckdb::EntryLookupInfo lookup(duckdb::CatalogType::TABLE_ENTRY, table.name);
  auto function = table.GetScanFunction(context, bind_data, lookup);

  duckdb::TableFilterSet filters;
  filters.filters[0] = duckdb::make_uniq<duckdb::IsNullFilter>();
  duckdb::TableFunctionInitInput init_input(bind_data.get(),
                                            duckdb::vector<duckdb::column_t>{column}, {}, &filters);
  const auto global_state = function.init_global(context, init_input);
  duckdb::ThreadContext thread(context);
  duckdb::ExecutionContext execution(context, thread, nullptr);
  const auto local_state = function.init_local(execution, init_input, global_state.get());

  duckdb::DataChunk chunk;
  chunk.Initialize(duckdb::Allocator::Get(context),
                   {table.GetColumns().GetColumn(duckdb::LogicalIndex(column)).Type()});
  duckdb::TableFunctionInput input(bind_data.get(), local_state.get(), global_state.get());
  function.function(context, input, chunk);
  return chunk.size() > 0;
}

}  // namespace tarn::engine
