// Which tables a catalog database has, and what columns of what DuckDB types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "tarn/catalog_store.h"

namespace tarn::engine {

struct MetadataColumn {
  std::string name;
  duckdb::LogicalType type;
  bool not_null = false;
  bool primary_key = false;
};

struct MetadataTable {
  std::string name;  ///< as the database spells it
  std::vector<MetadataColumn> columns;
};

/// Nullopt for a table that is not there. Throws tarn::Error.
std::optional<MetadataTable> DescribeMetadataTable(StoreConnection& connection,
                                                   const std::string& table);

}  // namespace tarn::engine
