// The scan of a table's changes.
#pragma once

#include <memory>
#include <string>

#include "duckdb.hpp"
#include "engine/operators/scan_source.h"

namespace duckdb {
class ExtensionLoader;
}

namespace tarn::engine {

/// The table function that reads a feed, and its bind data. `source` is one of a feed.
duckdb::TableFunction MakeFeedFunction(duckdb::ClientContext& context,
                                       std::shared_ptr<ScanSource> source,
                                       duckdb::unique_ptr<duckdb::FunctionData>& bind_data,
                                       duckdb::vector<duckdb::LogicalType>& types,
                                       duckdb::vector<std::string>& names);

/// DuckDB copies plans by writing and reading them, and finds a feed's function by name.
void RegisterFeedScan(duckdb::ExtensionLoader& loader);

}  // namespace tarn::engine
