// Intervals as DuckDB prints them: `1 year 2 months -3 days -00:00:01.5`.
#pragma once

#include <optional>
#include <string_view>

#include "format/stats_value.h"

namespace tarn {

/// Years, months, days and a clock part, each at most once and in this order. Nullopt for anything
/// else.
std::optional<StatsValue> ParseIntervalText(std::string_view text);

}  // namespace tarn
