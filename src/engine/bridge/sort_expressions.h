// A table's sort order: SQL texts in the catalog, clauses of statements, and what rows are sorted
// by.
#pragma once

#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/parser/result_modifier.hpp"
#include "duckdb/planner/bound_result_modifier.hpp"
#include "tarn/schema.h"

namespace tarn::engine {

/// True when one of the keys names the column.
bool SortsByColumn(const std::vector<SortKey>& keys, const std::string& column);
/// The keys with the column's new name; those that do not name it stay as they are written.
std::vector<SortKey> RenameInSortKeys(const std::vector<SortKey>& keys, const std::string& column,
                                      const std::string& new_name);

/// SORTED BY as the catalog keeps it: without the name of the lake itself. Throws kInvalid for
/// columns that the table does not have, and as BindSortKeys does.
std::vector<SortKey> ToSortKeys(duckdb::ClientContext& context, duckdb::Catalog& catalog,
                                const std::string& schema, const Table& table,
                                const duckdb::vector<duckdb::OrderByNode>& orders);

/// The sort order over rows of the table's columns: expressions refer to column i as reference i.
/// Macros are looked up in the table's schema first. Throws what DuckDB's binder says of an
/// expression that cannot be computed for a row.
duckdb::vector<duckdb::BoundOrderByNode> BindSortKeys(duckdb::ClientContext& context,
                                                      duckdb::Catalog& catalog,
                                                      const std::string& schema, const Table& table,
                                                      const std::vector<SortKey>& keys);

}  // namespace tarn::engine
