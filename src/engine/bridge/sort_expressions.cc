// See sort_expressions.h.
#include "engine/bridge/sort_expressions.h"

#include <functional>
#include <utility>

#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/expression/function_expression.hpp"
#include "duckdb/parser/parsed_expression_iterator.hpp"
#include "duckdb/parser/parser.hpp"
#include "duckdb/planner/binder.hpp"
#include "duckdb/planner/expression/bound_columnref_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/expression_binder/relation_binder.hpp"
#include "duckdb/planner/expression_iterator.hpp"
#include "engine/bridge/types.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using Expressions = duckdb::vector<duckdb::unique_ptr<duckdb::ParsedExpression>>;

Expressions Parse(const SortKey& key) {
  try {
    return duckdb::Parser::ParseExpressionList(key.expression);
  } catch (const duckdb::Exception&) {
    return {};  // another dialect: nothing in it is known
  }
}

/// Calls `visit` for the first name of each column that an expression refers to.
void VisitColumns(duckdb::ParsedExpression& expression,
                  const std::function<void(std::string& name)>& visit) {
  if (expression.GetExpressionClass() == duckdb::ExpressionClass::COLUMN_REF)
    visit(expression.Cast<duckdb::ColumnRefExpression>().column_names.front());
  duckdb::ParsedExpressionIterator::EnumerateChildren(
      expression,
      [&](duckdb::unique_ptr<duckdb::ParsedExpression>& child) { VisitColumns(*child, visit); });
}

/// Macros of the lake stay found when it is attached under another name.
void ForgetLakeName(duckdb::ParsedExpression& expression, const std::string& lake) {
  if (expression.GetExpressionClass() == duckdb::ExpressionClass::FUNCTION) {
    auto& function = expression.Cast<duckdb::FunctionExpression>();
    if (SameName(function.catalog, lake)) function.catalog = "";
  }
  duckdb::ParsedExpressionIterator::EnumerateChildren(
      expression,
      [&](duckdb::unique_ptr<duckdb::ParsedExpression>& child) { ForgetLakeName(*child, lake); });
}

void RequireKnownColumns(duckdb::ParsedExpression& expression, const Table& table,
                         std::vector<std::string>& unknown) {
  if (expression.GetExpressionClass() == duckdb::ExpressionClass::COLUMN_REF) {
    const auto& reference = expression.Cast<duckdb::ColumnRefExpression>();
    if (reference.IsQualified()) {
      throw Error(ErrorCode::kInvalid,
                  "Unexpected qualified column reference - only unqualified columns are "
                  "supported: write the name of a column of the table instead of " +
                      reference.ToString() + ".");
    }
    const auto& name = reference.GetColumnName();
    if (table.FindColumn(name) == nullptr) unknown.push_back(name);
  }
  duckdb::ParsedExpressionIterator::EnumerateChildren(
      expression, [&](duckdb::unique_ptr<duckdb::ParsedExpression>& child) {
        RequireKnownColumns(*child, table, unknown);
      });
}

void ReferToRows(duckdb::unique_ptr<duckdb::Expression>& expression) {
  if (expression->GetExpressionClass() == duckdb::ExpressionClass::BOUND_COLUMN_REF) {
    const auto& reference = expression->Cast<duckdb::BoundColumnRefExpression>();
    expression = duckdb::make_uniq<duckdb::BoundReferenceExpression>(
        reference.GetAlias(), reference.return_type, reference.binding.column_index);
    return;
  }
  duckdb::ExpressionIterator::EnumerateChildren(
      *expression, [](duckdb::unique_ptr<duckdb::Expression>& child) { ReferToRows(child); });
}

}  // namespace

bool SortsByColumn(const std::vector<SortKey>& keys, const std::string& column) {
  bool found = false;
  for (const auto& key : keys) {
    for (auto& expression : Parse(key))
      VisitColumns(*expression, [&](std::string& name) { found |= SameName(name, column); });
  }
  return found;
}

std::vector<SortKey> RenameInSortKeys(const std::vector<SortKey>& keys, const std::string& column,
                                      const std::string& new_name) {
  auto result = keys;
  for (auto& key : result) {
    auto expressions = Parse(key);
    if (expressions.size() != 1) continue;
    bool found = false;
    VisitColumns(*expressions.front(), [&](std::string& name) {
      if (!SameName(name, column)) return;
      name = new_name;
      found = true;
    });
    if (found) key.expression = expressions.front()->ToString();
  }
  return result;
}

std::vector<SortKey> ToSortKeys(duckdb::ClientContext& context, duckdb::Catalog& catalog,
                                const std::string& schema, const Table& table,
                                const duckdb::vector<duckdb::OrderByNode>& orders) {
  std::vector<SortKey> keys;
  std::vector<std::string> unknown;
  for (const auto& order : orders) {
    auto expression = order.expression->Copy();
    RequireKnownColumns(*expression, table, unknown);
    ForgetLakeName(*expression, catalog.GetName());
    SortKey key;
    key.expression = expression->ToString();
    key.descending = order.type == duckdb::OrderType::DESCENDING;
    key.nulls_first = order.null_order == duckdb::OrderByNullType::NULLS_FIRST;
    keys.push_back(std::move(key));
  }
  if (unknown.empty()) {
    BindSortKeys(context, catalog, schema, table, keys);
    return keys;
  }
  std::string names;
  for (const auto& name : unknown) names += (names.empty() ? "" : ", ") + name;
  throw Error(ErrorCode::kInvalid,
              "Columns in the SET SORTED BY statement were not found in the DuckLake table. "
              "Unmatched columns were: " +
                  names);
}

duckdb::vector<duckdb::BoundOrderByNode> BindSortKeys(duckdb::ClientContext& context,
                                                      duckdb::Catalog& catalog,
                                                      const std::string& schema, const Table& table,
                                                      const std::vector<SortKey>& keys) {
  auto binder = duckdb::Binder::CreateBinder(context);
  binder->SetSearchPath(catalog, schema);
  duckdb::vector<std::string> names;
  duckdb::vector<duckdb::LogicalType> types;
  for (const auto& column : table.columns) {
    names.push_back(column.name);
    types.push_back(ToLogicalType(column));
  }
  binder->bind_context.AddGenericBinding(0, table.name, names, types);
  duckdb::RelationBinder expressions(*binder, context, "SORTED BY");
  duckdb::vector<duckdb::BoundOrderByNode> result;
  for (const auto& key : keys) {
    auto parsed = duckdb::Parser::ParseExpressionList(key.expression);
    if (key.dialect != "duckdb" || parsed.size() != 1) {
      throw Error(ErrorCode::kUnsupported,
                  "Table \"" + table.name + "\" is sorted by " + key.expression +
                      ", which is no expression of DuckDB: set another sort order.");
    }
    auto bound = expressions.Bind(parsed.front());
    duckdb::ExpressionBinder::PushCollation(context, bound, bound->return_type);
    ReferToRows(bound);
    result.emplace_back(
        key.descending ? duckdb::OrderType::DESCENDING : duckdb::OrderType::ASCENDING,
        key.nulls_first ? duckdb::OrderByNullType::NULLS_FIRST
                        : duckdb::OrderByNullType::NULLS_LAST,
        std::move(bound));
  }
  return result;
}

}  // namespace tarn::engine
