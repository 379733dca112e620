// See row_changes_bind.h.
#include "engine/operators/row_changes_bind.h"

#include <algorithm>
#include <utility>

#include "duckdb/main/config.hpp"
#include "duckdb/optimizer/optimizer_extension.hpp"
#include "duckdb/planner/expression/bound_columnref_expression.hpp"
#include "duckdb/planner/operator/logical_delete.hpp"
#include "duckdb/planner/operator/logical_merge_into.hpp"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/row_change.h"

namespace tarn::engine {
namespace {

using duckdb::BoundColumnRefExpression;
using duckdb::LogicalOperator;

// A reference to a column of a scan that reads it already or does so from now on. Once only: our
// reader takes no column twice.
duckdb::unique_ptr<duckdb::Expression> ReadColumn(duckdb::LogicalGet& get,
                                                  const duckdb::ColumnDefinition& column) {
  const auto id = column.Logical().index;
  const auto& ids = get.GetColumnIds();
  const auto found = std::find_if(ids.begin(), ids.end(), [id](const duckdb::ColumnIndex& index) {
    return index.GetPrimaryIndex() == id && !index.HasChildren();
  });
  const auto position = static_cast<duckdb::idx_t>(found - ids.begin());
  if (found == ids.end()) {
    get.AddColumnId(id);
  }
  return duckdb::make_uniq<BoundColumnRefExpression>(
      column.Name(), column.Type(), duckdb::ColumnBinding(get.table_index, position));
}

duckdb::LogicalGet* FindScan(LogicalOperator& op, duckdb::idx_t table_index) {
  if (op.type == duckdb::LogicalOperatorType::LOGICAL_GET) {
    auto& get = op.Cast<duckdb::LogicalGet>();
    return get.table_index == table_index ? &get : nullptr;
  }
  for (auto& child : op.children) {
    if (auto* get = FindScan(*child, table_index)) {
      return get;
    }
  }
  return nullptr;
}

// `row_id` is one of the references that the binder made to the scan of the target.
void AddOldRow(const duckdb::TableCatalogEntry& table, LogicalOperator& below,
               const duckdb::Expression& row_id,
               duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& expressions) {
  auto* get = FindScan(below, row_id.Cast<BoundColumnRefExpression>().binding.table_index);
  if (get == nullptr) {
    return;
  }
  for (const auto& column : table.GetColumns().Physical()) {
    expressions.push_back(ReadColumn(*get, column));
  }
}

bool IsOurs(const duckdb::TableCatalogEntry& table) {
  return dynamic_cast<const TarnTableEntry*>(&table) != nullptr;
}

void AddOldRows(duckdb::OptimizerExtensionInput& input, duckdb::unique_ptr<LogicalOperator>& plan) {
  if (plan->type == duckdb::LogicalOperatorType::LOGICAL_DELETE) {
    auto& remove = plan->Cast<duckdb::LogicalDelete>();
    if (remove.return_chunk && IsOurs(remove.table)) {
      AddOldRow(remove.table, *remove.children[0], *remove.expressions[0], remove.expressions);
    }
  } else if (plan->type == duckdb::LogicalOperatorType::LOGICAL_MERGE_INTO) {
    auto& merge = plan->Cast<duckdb::LogicalMergeInto>();
    if (merge.return_chunk && IsOurs(merge.table)) {
      auto& projection = merge.children[0]->Cast<duckdb::LogicalProjection>();
      AddOldRow(merge.table, *projection.children[0], *projection.expressions[merge.row_id_start],
                projection.expressions);
    }
  }
  for (auto& child : plan->children) {
    AddOldRows(input, child);
  }
}

}  // namespace

void AddUnchangedColumns(const TarnTableEntry& table, duckdb::LogicalGet& get,
                         duckdb::LogicalProjection& projection, duckdb::LogicalUpdate& update) {
  for (const auto& column : table.GetColumns().Physical()) {
    if (std::find(update.columns.begin(), update.columns.end(), column.Physical()) !=
        update.columns.end()) {
      continue;
    }
    update.columns.push_back(column.Physical());
    update.expressions.push_back(duckdb::make_uniq<BoundColumnRefExpression>(
        column.Type(),
        duckdb::ColumnBinding(projection.table_index, projection.expressions.size())));
    projection.expressions.push_back(ReadColumn(get, column));
  }
}

void RegisterOldRows(duckdb::DatabaseInstance& db) {
  duckdb::OptimizerExtension extension;
  extension.pre_optimize_function = AddOldRows;
  duckdb::OptimizerExtension::Register(duckdb::DBConfig::GetConfig(db), std::move(extension));
}

}  // namespace tarn::engine
