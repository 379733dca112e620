// See the header.
#include "engine/operators/vanished_structs.h"

#include <algorithm>

#include "base/text.h"
#include "engine/operators/scan_columns.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using Definition = duckdb::MultiFileColumnDefinition;
using Definitions = duckdb::vector<Definition>;

const Definition* FindInFile(const Definitions& columns, const duckdb::Value& identifier) {
  for (const auto& column : columns) {
    if (!column.identifier.IsNull() && column.identifier == identifier) return &column;
    // Levels that only files have, such as the pairs of a map, carry no id.
    const bool is_bare = column.identifier.IsNull() || column.identifier.GetValue<int32_t>() < 0;
    if (!is_bare) continue;
    if (const auto* inside = FindInFile(column.children, identifier)) return inside;
  }
  return nullptr;
}

/// `depth` nested columns are around it, a list or map among them if `in_list`.
void Check(const Definition& column, const Definition& in_file, const std::string& path, int depth,
           bool in_list) {
  const bool is_struct = column.type.id() == duckdb::LogicalTypeId::STRUCT;
  const bool is_list = column.type.id() == duckdb::LogicalTypeId::LIST ||
                       column.type.id() == duckdb::LogicalTypeId::MAP;
  bool has_any = false;
  for (const auto& child : column.children) {
    const auto* found = FindInFile(in_file.children, child.identifier);
    if (found == nullptr) continue;
    has_any = true;
    Check(child, *found, path + "." + child.name, depth + 1, in_list || is_list);
  }
  if (!is_struct || has_any || !in_list || depth < 2) return;
  throw Error(ErrorCode::kUnsupported,
              "the struct " + QuoteIdentifier(path) +
                  " in it has none of the fields that the table has now, and DuckDB cannot read "
                  "such a struct inside of nested lists and maps. Read the other columns, or an "
                  "older version of the table with AT (VERSION => …).");
}

}  // namespace

void RefuseVanishedStructs(const Definitions& table_columns,
                           const duckdb::vector<duckdb::ColumnIndex>& column_ids,
                           const Definitions& file_columns) {
  for (const auto& column_id : column_ids) {
    if (column_id.GetPrimaryIndex() >= table_columns.size()) continue;  // a virtual column
    const auto& column = table_columns[column_id.GetPrimaryIndex()];
    if (column.children.empty()) continue;
    if (const auto* in_file = FindInFile(file_columns, column.identifier))
      Check(column, *in_file, column.name, 0, false);
  }
}

}  // namespace tarn::engine
