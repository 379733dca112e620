// What rows in memory say of each leaf column: counts, and bounds as texts of a plain cast, which
// is how inlined rows widen a table's statistics (format page, section 4).
#pragma once

#include <memory>
#include <vector>

#include "duckdb.hpp"
#include "tarn/data_file.h"
#include "tarn/schema.h"

namespace tarn::engine {

/// Of one top-level column and all that lies in it.
class ColumnBounds {
 public:
  explicit ColumnBounds(const Column& column);
  ~ColumnBounds();
  ColumnBounds(ColumnBounds&&) noexcept;

  void Add(duckdb::Vector& values, duckdb::idx_t count);
  /// One entry per leaf, in order.
  void AppendTo(std::vector<ColumnStats>& stats) const;

 private:
  class Node;
  std::unique_ptr<Node> root_;
};

}  // namespace tarn::engine
