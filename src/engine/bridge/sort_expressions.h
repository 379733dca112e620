// Columns inside the SQL texts of a table's sort order.
#pragma once

#include <string>
#include <vector>

#include "tarn/schema.h"

namespace tarn::engine {

/// True when one of the keys names the column.
bool SortsByColumn(const std::vector<SortKey>& keys, const std::string& column);
/// The keys with the column's new name; those that do not name it stay as they are written.
std::vector<SortKey> RenameInSortKeys(const std::vector<SortKey>& keys, const std::string& column,
                                      const std::string& new_name);

}  // namespace tarn::engine
