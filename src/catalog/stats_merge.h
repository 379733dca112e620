// How statistics of files become those of a table (format page, section 4). Bounds only ever get
// wider; a bound that one file with values lacks is gone for good; files with only NULLs say
// nothing about bounds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/row_changes.h"
#include "format/type_names.h"
#include "store/statement.h"
#include "tarn/data_file.h"
#include "tarn/schema.h"

namespace tarn {

/// What a transaction's files of one table say about one leaf column.
struct ColumnSummary {
  FieldId field;
  ScalarType type;
  bool known = false;                ///< at least one file has statistics of it
  bool contains_null = false;        ///< true also when it is not known
  std::optional<bool> contains_nan;  ///< absent: not known, or a type without NaN
  bool has_values = false;           ///< false: only NULLs, so that there is nothing to widen with
  std::optional<std::string> min_value;  ///< absent with has_values: spoilt
  std::optional<std::string> max_value;
  std::optional<std::string> extra_stats;
};

/// A file of which every value of a leaf is NULL, so that it says nothing of bounds. Writers leave
/// both counts at zero for columns that they keep no statistics of: then nothing is known. A leaf
/// inside lists may have bounds though its value count is zero: bounds are believed.
bool HoldsOnlyNulls(const ColumnStats& stats);
/// The same as a condition on rows of ducklake_file_column_stats behind an alias.
void AppendHoldsOnlyNulls(StatementBuilder& sql, std::string_view alias);

/// One summary per leaf column, in the table's order.
std::vector<ColumnSummary> SummarizeFiles(const Table& table, std::span<const DataFile> files);
/// The same of all rows that a transaction inserts, as the table is now.
std::vector<ColumnSummary> SummarizeRows(const Table& table, const RowChanges& rows);

/// The NULLs of a file whose rows are in the statistics already, as rows of the catalog: there a
/// list without elements is nothing, in files it counts as a NULL of each leaf inside of it.
void AddNulls(const DataFile& file, std::vector<ColumnSummary>& summaries);

/// The table's column statistics when these files are its first. Only for what is known: no row
/// says the same as an empty one.
TableStats::Column FirstStats(const ColumnSummary& summary);

/// True when the stored bounds are NULL in a way that may only mean that every row so far was NULL
/// there. Then, and only then, Widen needs to be told whether that is so.
bool MayBeAllNull(const TableStats::Column& stored, const ColumnSummary& added);

/// `all_null`: every row that the stored statistics stand for is NULL in this column.
TableStats::Column WidenStats(const TableStats::Column& stored, const ColumnSummary& added,
                              bool all_null);

bool SameStats(const TableStats::Column& a, const TableStats::Column& b);

}  // namespace tarn
