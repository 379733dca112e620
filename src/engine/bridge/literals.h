// Values written as SQL literals: on SQLite other clients keep inlined structs as such texts.
#pragma once

#include <optional>
#include <string>

#include "duckdb/common/types/value.hpp"

namespace tarn::engine {

/// The value of an SQL literal such as {'a': 'it''s', 'd': CAST('2020-01-01' AS DATE)}, as `type`:
/// constants, casts of them, structs, lists and maps. Nothing is looked up or executed. Absent when
/// the text is anything else, or does not fit the type.
std::optional<duckdb::Value> ParseLiteral(const std::string& text, const duckdb::LogicalType& type);

}  // namespace tarn::engine
