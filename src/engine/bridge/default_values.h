// What a default's expression is worth: evaluated once, for rows that are older than its column.
#pragma once

#include <optional>
#include <string>

#include "duckdb.hpp"
#include "duckdb/parser/parsed_expression.hpp"

namespace tarn::engine {

/// Binds the expression as the default of a column of this type, and evaluates it unless it gives
/// another value each time (random(), uuid()): then nothing. Throws kInvalid for one that cannot be
/// bound or does not cast to the type; `column` is for the message.
std::optional<duckdb::Value> EvaluateDefault(duckdb::ClientContext& context,
                                             const duckdb::ParsedExpression& expression,
                                             const duckdb::LogicalType& type,
                                             const std::string& column);

}  // namespace tarn::engine
