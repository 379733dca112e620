// Staged rows without DuckDB: one integer per row, for a table whose first column is one.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catalog/inlining.h"
#include "tarn/staged_rows.h"

namespace tarn::test {

class FakeStagedRows final : public StagedRows {
 public:
  FakeStagedRows(std::shared_ptr<const Table> shape, std::vector<int64_t> values,
                 std::vector<int64_t> row_ids = {})
      : shape_(std::move(shape)), values_(std::move(values)), row_ids_(std::move(row_ids)) {}

  int64_t count() const override { return static_cast<int64_t>(values_.size()); }
  const std::shared_ptr<const Table>& shape() const override { return shape_; }
  bool keeps_row_ids() const override { return !row_ids_.empty(); }

  std::shared_ptr<const StagedRows> Join(const StagedRows& next) const override {
    const auto& other = dynamic_cast<const FakeStagedRows&>(next);
    if (other.shape_ != shape_ || other.keeps_row_ids() != keeps_row_ids()) return nullptr;
    auto joined = std::make_shared<FakeStagedRows>(*this);
    joined->values_.insert(joined->values_.end(), other.values_.begin(), other.values_.end());
    joined->row_ids_.insert(joined->row_ids_.end(), other.row_ids_.begin(), other.row_ids_.end());
    return joined;
  }

  std::vector<ColumnStats> Describe(const Table& table,
                                    std::span<const int64_t> without) const override {
    std::vector<ColumnStats> stats;
    for (const Column& column : table.columns) {
      ColumnStats& leaf = stats.emplace_back();
      leaf.field = column.id;
      leaf.value_count = 0;
      leaf.null_count = 0;
      for (size_t i = 0; i < values_.size(); ++i) {
        if (Left(without, i)) continue;
        if (column.id != FieldId(1)) {
          ++*leaf.null_count;
          continue;
        }
        ++*leaf.value_count;
        const auto text = std::to_string(values_[i]);
        if (!leaf.min_value || values_[i] < std::stoll(*leaf.min_value)) leaf.min_value = text;
        if (!leaf.max_value || values_[i] > std::stoll(*leaf.max_value)) leaf.max_value = text;
      }
    }
    return stats;
  }

  void Insert(StoreConnection& connection, const Target& target,
              std::span<const int64_t> without) const override {
    std::vector<std::vector<Value>> rows;
    int64_t next = target.first_row_id;
    for (size_t i = 0; i < values_.size(); ++i) {
      if (Left(without, i)) continue;
      std::vector<Value>& row = rows.emplace_back(target.table.columns.size() + 3);
      row[0] = keeps_row_ids() ? row_ids_[i] : next++;
      row[1] = target.snapshot.value;
      for (size_t c = 0; c < target.table.columns.size(); ++c) {
        if (target.table.columns[c].id == FieldId(1)) row[3 + c] = values_[i];
      }
    }
    connection.InsertRows(target.table_name, InlinedColumnNames(target.table), rows);
  }

 private:
  static bool Left(std::span<const int64_t> without, size_t i) {
    return std::binary_search(without.begin(), without.end(), static_cast<int64_t>(i));
  }

  std::shared_ptr<const Table> shape_;
  std::vector<int64_t> values_;
  std::vector<int64_t> row_ids_;
};

}  // namespace tarn::test
