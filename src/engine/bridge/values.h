// Values as the catalog writes them (texts) and as DuckDB has them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "duckdb.hpp"
#include "format/stats_value.h"
#include "format/type_names.h"
#include "tarn/schema.h"

namespace tarn::engine {

/// What rows written before the column existed read as: its initial default in the column's type,
/// else NULL. Throws kCorrupt for a text that the type cannot hold.
duckdb::Value InitialDefault(const Column& column, const duckdb::LogicalType& type);

/// A constant as a Predicate wants it: text in the encoding of the statistics, in the column's
/// type. Nullopt for NULL, for nested types, and for a value that `type` cannot hold without loss.
std::optional<std::string> PredicateConstant(const ScalarType& type,
                                             const duckdb::LogicalType& logical_type,
                                             const duckdb::Value& value);

/// A stored bound as a value of the column's type; nullopt when the text says nothing.
std::optional<duckdb::Value> BoundValue(const ScalarType& type,
                                        const duckdb::LogicalType& logical_type,
                                        std::string_view text, BoundSide side);

/// One value that is exact, in the encoding of the statistics; nullopt when the type cannot hold
/// it.
std::optional<duckdb::Value> ExactValue(const ScalarType& type,
                                        const duckdb::LogicalType& logical_type,
                                        std::string_view text);

/// The raw bytes of a file's encryption key, which the catalog has in base64; empty for none.
/// Throws kCorrupt for a text that is no key.
std::string FileKey(const std::optional<std::string>& base64, const std::string& path);
std::string EncodeKey(const std::string& bytes);

}  // namespace tarn::engine
