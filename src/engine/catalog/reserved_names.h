// Names that a lake's column cannot have while its table's rows may be inlined: the catalog table
// that holds such rows has columns of these names itself.
#pragma once

#include <vector>

#include "tarn/schema.h"

namespace tarn::engine {

/// The first top-level column with such a name; null when there is none.
inline const Column* FindReservedName(const std::vector<Column>& columns) {
  static constexpr std::string_view kReserved[] = {"row_id", "begin_snapshot", "end_snapshot",
                                                   "_ducklake_internal_row_id",
                                                   "_ducklake_internal_snapshot_id"};
  for (const auto& column : columns) {
    for (const auto name : kReserved) {
      if (SameName(column.name, name)) return &column;
    }
  }
  return nullptr;
}

}  // namespace tarn::engine
