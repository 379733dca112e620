// The options of a lake: what each takes, how its value is stored, and what it does.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "duckdb.hpp"

namespace tarn::engine {

enum class OptionKind {
  kBoolean,
  kCount,          ///< 0, 1, 2, …
  kPositiveCount,  ///< 1, 2, …
  kLevel,          ///< 0 to 22, as zstd has them
  kFraction,       ///< 0 to 1
  kInterval,       ///< or an empty text
  kSize,           ///< bytes, given with a unit
  kCodec,
  kParquetVersion,
  kInternal,  ///< the lake's own: shown, but not to be set
};

struct OptionRule {
  std::string_view name;
  OptionKind kind;
  bool is_global_only;  ///< has no meaning for one schema or table
  std::string_view description;
};

/// Null for a name that is no option.
const OptionRule* FindOptionRule(std::string_view name);

/// A value as the catalog stores it. Throws for NULL and for what the option does not take.
std::string StoredOptionValue(duckdb::ClientContext& context, const OptionRule& rule,
                              const duckdb::Value& value);

}  // namespace tarn::engine
