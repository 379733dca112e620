// Columns by field id at any depth.
#pragma once

#include <vector>

#include "tarn/schema.h"

namespace tarn {

/// Null when absent. (Table::FindField belongs to the kernel, which stands above this folder.)
inline const Column* FindColumnById(const std::vector<Column>& columns, FieldId id) {
  for (const Column& column : columns) {
    if (column.id == id) return &column;
    if (const Column* found = FindColumnById(column.children, id)) return found;
  }
  return nullptr;
}

}  // namespace tarn
