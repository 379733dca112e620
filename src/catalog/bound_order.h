// Stored bounds that PostgreSQL can compare as WidenBound does (format/stats_text).
#pragma once

#include <optional>
#include <string>

#include "catalog/stats_merge.h"
#include "format/stats_value.h"
#include "store/statement.h"

namespace tarn {

/// How texts of one column compare in SQL. Texts of another form than `pattern` may mean something
/// that SQL does not know of: they are compared here.
struct BoundOrder {
  enum class Mode { kText, kNumber, kFloat32, kFloat64 };
  Mode mode = Mode::kText;
  std::string pattern;  ///< a regular expression, the same for SQL and for us; empty: any text
  friend bool operator==(const BoundOrder&, const BoundOrder&) = default;
};

/// Absent where it takes more than SQL: other types, and bounds in another form.
std::optional<BoundOrder> OrderOf(const ColumnSummary& added);

/// Appends the condition that the text `a` is a wider bound than `b`. Both are SQL.
void AppendIsWider(StatementBuilder& sql, BoundOrder::Mode mode, BoundSide side,
                   const std::string& a, const std::string& b);

}  // namespace tarn
