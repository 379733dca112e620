// Columns and types: the format's names and nesting on one side, DuckDB's LogicalType on the other.
#pragma once

#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/parser/column_list.hpp"
#include "tarn/schema.h"

namespace tarn::engine {

/// What a column is stored as. Throws kUnsupported for a type that this engine has no equal of,
/// kCorrupt for a malformed one.
duckdb::LogicalType ToLogicalType(const Column& column);

/// What SQL sees of it: the same, but for ENUMs and arrays (format/logical_type.h).
duckdb::LogicalType ToSqlType(const Column& column);

/// A column (with children, without ids) for a DuckDB type. Throws kUnsupported: "Failed to convert
/// DuckDB type to DuckLake - unsupported type BIT".
Column ToColumn(const std::string& name, const duckdb::LogicalType& type);

/// Throws kUnsupported for a type that a column may have, but not a field inside of another type.
void RequireFieldType(const std::string& name, const duckdb::LogicalType& type);

/// A column as SQL defines it, with its default. Refuses what a lake's column cannot have: computed
/// values, collations, compressions.
Column ToColumn(const duckdb::ColumnDefinition& definition);
/// The columns of a CREATE TABLE, with defaults; constraints are added by the caller.
std::vector<Column> ToColumns(const duckdb::ColumnList& columns);

/// Sets the default of a column of type `type`: a constant, which must cast to the type, or any
/// other expression; null is none. A constant is also what older rows read as: initial_default.
void SetDefault(Column& column, const duckdb::LogicalType& type,
                duckdb::optional_ptr<const duckdb::ParsedExpression> expression);

/// The other way: DuckDB's column list of a table, with default expressions and comments.
duckdb::ColumnList ToColumnList(const Table& table);

}  // namespace tarn::engine
