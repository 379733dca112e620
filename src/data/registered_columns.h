// Columns of a registered file matched with those of a table, by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/stats_value.h"
#include "format/type_names.h"
#include "tarn/data_file.h"
#include "tarn/footer.h"
#include "tarn/registered_file.h"
#include "tarn/schema.h"

namespace tarn {

struct MatchedColumns {
  NameMap names;
  std::vector<ColumnStats> stats;  ///< by field id
};

/// Throws kInvalid when they do not match, or a column that takes no NULLs has some or may have.
MatchedColumns MatchColumns(const ParquetFooter& footer, const FileToRegister& request,
                            const Table& table);

/// A bound of one type as one of a wider type, as texts in the encoding of statistics. Absent when
/// it says nothing there.
std::optional<std::string> WidenedBound(const ScalarType& from, const ScalarType& to,
                                        const std::optional<std::string>& text, BoundSide side);

/// A sentence that begins with the file: `File "x" …`.
[[noreturn]] void ThrowMisfit(const FileToRegister& request, const Table& table,
                              const std::string& message);

}  // namespace tarn
