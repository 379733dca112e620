// Columns whose type in SQL is not the one that they are stored with (ENUMs, arrays; see
// format/logical_type.h), in a scan: files and inlined rows are read as they are stored, by the
// column mapper too, and what comes out of it is converted.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "duckdb.hpp"
#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "duckdb/planner/table_filter.hpp"
#include "tarn/schema.h"

namespace tarn::engine {

class SqlTypes {
 public:
  using Columns = duckdb::vector<duckdb::MultiFileColumnDefinition>;
  using ColumnIds = duckdb::vector<duckdb::ColumnIndex>;

  SqlTypes() = default;  ///< all columns are what they are stored as
  explicit SqlTypes(const Table& table);

  bool empty() const { return columns_.empty(); }

  /// The same filters for stored values; those that only help are left out. Null when all can stay
  /// as they are.
  duckdb::unique_ptr<duckdb::TableFilterSet> ToStored(const duckdb::TableFilterSet& filters,
                                                      const Columns& columns,
                                                      const ColumnIds& column_ids) const;

  /// Puts the conversions over the expressions that make the scan's columns. A value that another
  /// client wrote and that the type does not have is an error that names it.
  void Convert(const Columns& columns, const ColumnIds& column_ids,
               duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& expressions) const;

 private:
  struct Converted {
    std::string name;
    duckdb::LogicalType type;
  };
  const Converted* Find(const Columns& columns, const duckdb::ColumnIndex& column) const;

  std::string table_;
  std::map<int32_t, Converted> columns_;  ///< by field id
};

}  // namespace tarn::engine
