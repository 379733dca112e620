// Statistics in the file encoding (format page, section 4): what is stored in min_value and
// max_value for a written file, and how two bounds become one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "format/stats_value.h"
#include "format/type_names.h"

namespace tarn {

/// Text and blob bounds over this many bytes are cut.
inline constexpr size_t kMaxBoundBytes = 256;

/// A value as a stored bound: file encoding; text and blobs cut to kMaxBoundBytes, text also before
/// a zero byte, a maximum's last kept byte raised. Nullopt when there is no such bound (NaN, kinds
/// without bounds, a maximum that cannot be raised).
std::optional<std::string> EncodeBound(const ScalarType& type, const StatsValue& value,
                                       BoundSide side);

/// A bound as DuckDB's Parquet writer reports it (WRITTEN_FILE_STATISTICS, RETURN_STATS) as the
/// text that is stored. Nullopt when none is.
std::optional<std::string> NormalizeWriterStat(const ScalarType& type, std::string_view text,
                                               BoundSide side);

/// The wider of two stored bounds: the lower minimum, the higher maximum, each as its text stands.
/// Absent in either, or a text that says nothing: absent.
std::optional<std::string> WidenBound(const ScalarType& type, const std::optional<std::string>& a,
                                      const std::optional<std::string>& b, BoundSide side);

}  // namespace tarn
