// Runs a bound scan inside of a statement, on the thread that asks, outside of any plan.
#pragma once

#include <functional>

#include "duckdb.hpp"

namespace tarn::engine {

/// Calls `visit` with chunks of `columns`, whose types are `types`, until it returns false or no
/// row is left. `filters` may be null.
void VisitScan(duckdb::ClientContext& context, const duckdb::TableFunction& function,
               const duckdb::FunctionData& bind_data,
               const duckdb::vector<duckdb::column_t>& columns,
               const duckdb::vector<duckdb::LogicalType>& types,
               duckdb::optional_ptr<duckdb::TableFilterSet> filters,
               const std::function<bool(duckdb::DataChunk&)>& visit);

}  // namespace tarn::engine
