// See reserved_names.h.
#include "engine/catalog/reserved_names.h"

#include <string_view>

#include "engine/catalog/inlining_limit.h"

namespace tarn::engine {

const Column* FindReservedName(const std::vector<Column>& columns) {
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

void RefuseReservedNames(duckdb::ClientContext& context, TarnTransaction& transaction,
                         SchemaRef schema, std::optional<TableRef> table,
                         const std::vector<Column>& columns) {
  const auto* column = FindReservedName(columns);
  if (!column || InliningRowLimit(context, transaction, schema, table) <= 0) return;
  throw duckdb::BinderException(
      "Column name \"%s\" is reserved by DuckLake for internal use when data inlining is enabled. "
      "If you must use this "
      "column name, disable inlining by setting the option data_inlining_row_limit to 0.",
      column->name);
}

}  // namespace tarn::engine
