// Counts and extremes of a table's rows, and what of them the catalog alone can tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarn/ids.h"
#include "tarn/scan.h"

namespace tarn {

/// Counts, least and greatest values of the rows for which `scan.predicate` is true, which here is
/// all of the condition and no weaker one; for each combination of values of `groups`.
struct AggregateQuestion {
  struct Aggregate {
    enum class Kind { kCountRows, kCount, kMin, kMax };
    Kind kind = Kind::kCountRows;
    FieldId field;  ///< of all but kCountRows
  };

  TableScan scan;
  std::vector<FieldId> groups;  ///< top-level columns
  std::vector<Aggregate> aggregates;
};

/// What is surely known without opening a file. Values are texts in the encoding of the statistics
/// (format page, section 4), whole and in the column's present type.
struct AggregateAnswers {
  struct Answer {
    int64_t count = 0;                 ///< of counts
    std::optional<std::string> value;  ///< of extremes; absent: there is none
  };
  struct Group {
    std::vector<std::optional<std::string>> keys;  ///< absent: NULL
    std::vector<Answer> answers;                   ///< one for each aggregate
  };

  /// Of the files that are settled; none where these have no row. Without groups, one at most.
  std::vector<Group> groups;
  int64_t settled_files = 0;
  /// What must be read, with the condition: the answers of those rows come on top.
  ScanPlan rest;
  /// Nothing has to be read.
  bool is_complete() const {
    return rest.files.empty() && rest.inlined.empty() && rest.staged_rows.empty();
  }
};

}  // namespace tarn
