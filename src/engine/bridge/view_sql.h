// SQL texts of views as the format stores them: the lake's own name is a mark in them, since a lake
// may be attached under any name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/parser/statement/select_statement.hpp"

namespace tarn::engine {

/// A view's query as text, with the lake's name (`lake_name`, as it is attached now) replaced where
/// it qualifies a table, a function or a column.
std::string ToStoredViewSql(const duckdb::SelectStatement& query, const std::string& lake_name);

/// The other way: the query for a lake attached as `lake_name`. Throws DuckDB's parser exception
/// for a text that is not one SELECT.
duckdb::unique_ptr<duckdb::SelectStatement> FromStoredViewSql(const std::string& sql,
                                                              const std::string& lake_name);

/// Macros are stored as they are written, with the name that the lake was attached under: calls
/// `is_lake` for what may be that name, and puts `lake_name` where it says so.
void RenameLake(duckdb::QueryNode& query, const std::function<bool(const std::string&)>& is_lake,
                const std::string& lake_name);
void RenameLake(duckdb::ParsedExpression& expression,
                const std::function<bool(const std::string&)>& is_lake,
                const std::string& lake_name);

/// ducklake_view.column_aliases: quoted names with commas; read with and without parentheses.
std::string ToColumnAliases(const duckdb::vector<std::string>& aliases);
duckdb::vector<std::string> FromColumnAliases(const std::string& text);

}  // namespace tarn::engine
