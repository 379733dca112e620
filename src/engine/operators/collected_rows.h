// Rows that an insert or update keeps in memory for the catalog, and how they are written there:
// bound as the database's own types want them, or in DuckDB's where the catalog is a DuckDB file.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/common/types/column/column_data_collection.hpp"
#include "tarn/staged_rows.h"

namespace tarn::engine {

using RowCollection = duckdb::ColumnDataCollection;

/// Memory of its own, which outlives the statement.
std::shared_ptr<RowCollection> MakeRowCollection(duckdb::vector<duckdb::LogicalType> types);

class CollectedRows final : public StagedRows {
 public:
  /// `rows`: the shape's columns, then their ids if `keeps_row_ids`.
  CollectedRows(std::shared_ptr<const Table> shape, std::shared_ptr<const RowCollection> rows,
                bool keeps_row_ids);

  const RowCollection& rows() const { return *rows_; }
  int64_t count() const override { return static_cast<int64_t>(rows_->Count()); }
  const std::shared_ptr<const Table>& shape() const override { return shape_; }
  bool keeps_row_ids() const override { return keeps_row_ids_; }
  std::shared_ptr<const StagedRows> Join(const StagedRows& next) const override;
  std::vector<ColumnStats> Describe(const Table& table,
                                    std::span<const int64_t> without) const override;
  void Insert(StoreConnection& connection, const Target& target,
              std::span<const int64_t> without) const override;

 private:
  const std::shared_ptr<const Table> shape_;
  const std::shared_ptr<const RowCollection> rows_;
  const bool keeps_row_ids_;
};

/// False for rows with values that the database cannot hold: those go to a file.
bool FitsIntoCatalog(const Dialect& dialect, const Table& table, const RowCollection& rows);

}  // namespace tarn::engine
