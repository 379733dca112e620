// See null_search.h.
#include "engine/operators/null_search.h"

#include "duckdb/planner/filter/null_filter.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/visit_scan.h"

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
  bool found = false;
  VisitScan(context, function, *bind_data, {column},
            {table.GetColumns().GetColumn(duckdb::LogicalIndex(column)).Type()}, &filters,
            [&](duckdb::DataChunk&) {
              found = true;
              return false;
            });
  return found;
}

}  // namespace tarn::engine
