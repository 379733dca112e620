// See sql_types.h.
#include "engine/operators/sql_types.h"

#include <optional>
#include <utility>

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/planner/expression/bound_cast_expression.hpp"
#include "duckdb/planner/expression/bound_comparison_expression.hpp"
#include "duckdb/planner/expression/bound_constant_expression.hpp"
#include "duckdb/planner/expression/bound_function_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/expression_iterator.hpp"
#include "duckdb/planner/filter/expression_filter.hpp"
#include "duckdb/planner/filter/list.hpp"
#include "engine/bridge/types.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::Expression;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::TableFilter;
using duckdb::TableFilterType;
using duckdb::Value;
using duckdb::Vector;
using FilterPointer = duckdb::unique_ptr<TableFilter>;

struct ColumnInfo : duckdb::FunctionData {
  ColumnInfo(std::string table, std::string column)
      : table(std::move(table)), column(std::move(column)) {}
  duckdb::unique_ptr<FunctionData> Copy() const override {
    return duckdb::make_uniq<ColumnInfo>(table, column);
  }
  bool Equals(const FunctionData& other) const override {
    const auto& info = other.Cast<ColumnInfo>();
    return table == info.table && column == info.column;
  }

  const std::string table;
  const std::string column;
};

[[noreturn]] void ThrowForeign(const ColumnInfo& info, const Value& value,
                               const LogicalType& type) {
  constexpr size_t kShown = 200;
  auto text = value.ToSQLString();
  if (text.size() > kShown) text = text.substr(0, kShown) + "…";
  throw Error(ErrorCode::kInvalid,
              "Column \"" + info.column + "\" of table \"" + info.table + "\" is of type " +
                  type.ToString() + ", but another client or a registered file has stored " + text +
                  " in it. Change the column's type to one that has the value, or to the one that "
                  "it is stored as (VARCHAR for an ENUM, a list for an array), with ALTER TABLE.");
}

void ConvertValues(duckdb::DataChunk& input, duckdb::ExpressionState& state, Vector& result) {
  std::string message;
  auto& stored = input.data[0];
  if (duckdb::VectorOperations::DefaultTryCast(stored, result, input.size(), &message)) return;
  const auto& info =
      state.expr.Cast<duckdb::BoundFunctionExpression>().bind_info->Cast<ColumnInfo>();
  for (duckdb::idx_t row = 0; row < input.size(); ++row) {
    const auto value = stored.GetValue(row);
    auto converted = value;
    if (!converted.DefaultTryCastAs(result.GetType())) ThrowForeign(info, value, result.GetType());
  }
  throw Error(ErrorCode::kInvalid, "Column \"" + info.column + "\" of table \"" + info.table +
                                       "\" cannot be read: " + message);
}

duckdb::unique_ptr<Expression> WithConversion(duckdb::unique_ptr<Expression> stored,
                                              const LogicalType& type, const std::string& table,
                                              const std::string& column) {
  duckdb::ScalarFunction function("tarn_sql_type", {stored->return_type}, type, ConvertValues);
  function.SetErrorMode(duckdb::FunctionErrors::CAN_THROW_RUNTIME_ERROR);
  duckdb::vector<duckdb::unique_ptr<Expression>> children;
  children.push_back(std::move(stored));
  return duckdb::make_uniq<duckdb::BoundFunctionExpression>(
      type, std::move(function), std::move(children), duckdb::make_uniq<ColumnInfo>(table, column));
}

// The text of an ENUM's value equals another's where the values do; their order is another.
bool ComparesAsText(duckdb::ExpressionType comparison) {
  return comparison == duckdb::ExpressionType::COMPARE_EQUAL ||
         comparison == duckdb::ExpressionType::COMPARE_NOTEQUAL;
}

bool IsEnum(const Value& value) {
  return value.type().id() == LogicalTypeId::ENUM && !value.IsNull();
}

// DuckDB compares an ENUM to a literal as text: as it is stored.
bool IsText(const Expression& expression) {
  if (expression.GetExpressionClass() != duckdb::ExpressionClass::BOUND_CAST) return false;
  const auto& cast = expression.Cast<duckdb::BoundCastExpression>();
  return cast.return_type == LogicalType::VARCHAR &&
         cast.child->GetExpressionClass() == duckdb::ExpressionClass::BOUND_REF &&
         cast.child->return_type.id() == LogicalTypeId::ENUM;
}

void ReferToStored(duckdb::unique_ptr<Expression>& expression, const Expression& column) {
  if (IsText(*expression)) {
    expression =
        duckdb::make_uniq<duckdb::BoundReferenceExpression>(LogicalType::VARCHAR, duckdb::idx_t{0});
  } else if (expression->GetExpressionClass() == duckdb::ExpressionClass::BOUND_REF) {
    expression = column.Copy();
  } else {
    duckdb::ExpressionIterator::EnumerateChildren(
        *expression, [&](duckdb::unique_ptr<Expression>& child) { ReferToStored(child, column); });
  }
}

FilterPointer ToStoredExpression(const Expression& filter, const Expression& column) {
  // In this form it skips row groups.
  if (filter.GetExpressionClass() == duckdb::ExpressionClass::BOUND_COMPARISON) {
    const auto& comparison = filter.Cast<duckdb::BoundComparisonExpression>();
    if (ComparesAsText(comparison.type) && IsText(*comparison.left) &&
        comparison.right->GetExpressionClass() == duckdb::ExpressionClass::BOUND_CONSTANT) {
      const auto& value = comparison.right->Cast<duckdb::BoundConstantExpression>().value;
      if (!value.IsNull() && value.type() == LogicalType::VARCHAR)
        return duckdb::make_uniq<duckdb::ConstantFilter>(comparison.type, value);
    }
  }
  auto stored = filter.Copy();
  ReferToStored(stored, column);
  return duckdb::make_uniq<duckdb::ExpressionFilter>(std::move(stored));
}

template <class Conjunction>
std::optional<FilterPointer> ConvertAll(const Conjunction& from, const Expression& column,
                                        bool needs_all);

// Absent for a filter that nothing depends on. `column` gives the converted values.
std::optional<FilterPointer> ToStoredFilter(const TableFilter& filter, const Expression& column) {
  switch (filter.filter_type) {
    case TableFilterType::IS_NULL:
    case TableFilterType::IS_NOT_NULL:
      return filter.Copy();
    case TableFilterType::OPTIONAL_FILTER:
    case TableFilterType::DYNAMIC_FILTER:
    case TableFilterType::BLOOM_FILTER:
      return std::nullopt;
    case TableFilterType::CONJUNCTION_AND:
      return ConvertAll(filter.Cast<duckdb::ConjunctionAndFilter>(), column, false);
    case TableFilterType::CONJUNCTION_OR:
      return ConvertAll(filter.Cast<duckdb::ConjunctionOrFilter>(), column, true);
    case TableFilterType::CONSTANT_COMPARISON: {
      const auto& comparison = filter.Cast<duckdb::ConstantFilter>();
      if (!IsEnum(comparison.constant) || !ComparesAsText(comparison.comparison_type)) break;
      return duckdb::make_uniq<duckdb::ConstantFilter>(comparison.comparison_type,
                                                       Value(comparison.constant.ToString()));
    }
    case TableFilterType::IN_FILTER: {
      duckdb::vector<Value> texts;
      const auto& values = filter.Cast<duckdb::InFilter>().values;
      for (const auto& value : values) {
        if (IsEnum(value)) texts.emplace_back(value.ToString());
      }
      if (texts.size() != values.size()) break;
      return duckdb::make_uniq<duckdb::InFilter>(std::move(texts));
    }
    case TableFilterType::EXPRESSION_FILTER:
      return ToStoredExpression(*filter.Cast<duckdb::ExpressionFilter>().expr, column);
    default:
      break;
  }
  return duckdb::make_uniq<duckdb::ExpressionFilter>(filter.ToExpression(column));
}

template <class Conjunction>
std::optional<FilterPointer> ConvertAll(const Conjunction& from, const Expression& column,
                                        bool needs_all) {
  auto result = duckdb::make_uniq<Conjunction>();
  for (const auto& child : from.child_filters) {
    if (auto converted = ToStoredFilter(*child, column)) {
      result->child_filters.push_back(std::move(*converted));
    } else if (needs_all) {
      return std::nullopt;
    }
  }
  if (result->child_filters.empty()) return std::nullopt;
  return result;
}

bool IsConverted(const Column& column) {
  if (!column.logical_type.empty()) return true;
  for (const auto& child : column.children) {
    if (IsConverted(child)) return true;
  }
  return false;
}

}  // namespace

SqlTypes::SqlTypes(const Table& table) : table_(table.name) {
  for (const auto& column : table.columns) {
    if (!IsConverted(column)) continue;
    columns_.emplace(static_cast<int32_t>(column.id.value),
                     Converted{column.name, ToSqlType(column)});
  }
}

const SqlTypes::Converted* SqlTypes::Find(const Columns& columns,
                                          const duckdb::ColumnIndex& column) const {
  if (column.GetPrimaryIndex() >= columns.size()) return nullptr;  // a virtual column
  const auto found = columns_.find(columns[column.GetPrimaryIndex()].GetIdentifierFieldId());
  return found == columns_.end() ? nullptr : &found->second;
}

duckdb::unique_ptr<duckdb::TableFilterSet> SqlTypes::ToStored(const duckdb::TableFilterSet& filters,
                                                              const Columns& columns,
                                                              const ColumnIds& column_ids) const {
  bool changed = false;
  auto result = duckdb::make_uniq<duckdb::TableFilterSet>();
  for (const auto& [index, filter] : filters.filters) {
    const auto* found = Find(columns, column_ids[index]);
    if (found == nullptr) {
      result->filters[index] = filter->Copy();
      continue;
    }
    changed = true;
    const auto& stored = columns[column_ids[index].GetPrimaryIndex()].type;
    const auto column = WithConversion(
        duckdb::make_uniq<duckdb::BoundReferenceExpression>(stored, duckdb::idx_t{0}), found->type,
        table_, found->name);
    if (auto converted = ToStoredFilter(*filter, *column)) {
      result->filters[index] = std::move(*converted);
    }
  }
  return changed ? std::move(result) : nullptr;
}

void SqlTypes::Convert(const Columns& columns, const ColumnIds& column_ids,
                       duckdb::vector<duckdb::unique_ptr<Expression>>& expressions) const {
  for (duckdb::idx_t i = 0; i < column_ids.size(); ++i) {
    if (const auto* found = Find(columns, column_ids[i])) {
      expressions[i] = WithConversion(std::move(expressions[i]), found->type, table_, found->name);
    }
  }
}

}  // namespace tarn::engine
