// See sort_expressions.h.
#include "engine/bridge/sort_expressions.h"

#include <functional>

#include "duckdb.hpp"
#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/parsed_expression_iterator.hpp"
#include "duckdb/parser/parser.hpp"
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

}  // namespace tarn::engine
