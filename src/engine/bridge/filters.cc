// Filters to Predicate. See filters.h.
#include "engine/bridge/filters.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "duckdb/execution/expression_executor.hpp"
#include "duckdb/function/scalar/struct_utils.hpp"
#include "duckdb/planner/expression/bound_between_expression.hpp"
#include "duckdb/planner/expression/bound_cast_expression.hpp"
#include "duckdb/planner/expression/bound_comparison_expression.hpp"
#include "duckdb/planner/expression/bound_conjunction_expression.hpp"
#include "duckdb/planner/expression/bound_constant_expression.hpp"
#include "duckdb/planner/expression/bound_function_expression.hpp"
#include "duckdb/planner/expression/bound_operator_expression.hpp"
#include "duckdb/planner/filter/list.hpp"
#include "engine/bridge/types.h"
#include "engine/bridge/values.h"
#include "format/type_names.h"

namespace tarn::engine {
namespace {

using duckdb::ExpressionType;
using Compare = Predicate::Compare;

std::optional<Compare> ToCompare(ExpressionType type) {
  switch (type) {
    case ExpressionType::COMPARE_EQUAL:
    case ExpressionType::COMPARE_NOT_DISTINCT_FROM:  // the constant is never NULL here
      return Compare::kEqual;
    case ExpressionType::COMPARE_NOTEQUAL:
      return Compare::kNotEqual;
    case ExpressionType::COMPARE_LESSTHAN:
      return Compare::kLess;
    case ExpressionType::COMPARE_LESSTHANOREQUALTO:
      return Compare::kLessOrEqual;
    case ExpressionType::COMPARE_GREATERTHAN:
      return Compare::kGreater;
    case ExpressionType::COMPARE_GREATERTHANOREQUALTO:
      return Compare::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

Predicate Comparison(const Column& leaf, Compare compare, const duckdb::Value& value) {
  // An ENUM is stored as text, whose order is another; DuckDB compares it to a literal as text.
  const bool has_order = leaf.logical_type.empty() ||
                         value.type().id() == duckdb::LogicalTypeId::VARCHAR ||
                         compare == Compare::kEqual || compare == Compare::kNotEqual;
  if (!leaf.children.empty() || !has_order) {
    return Predicate::True();
  }
  auto constant = PredicateConstant(RequireTypeName(leaf.type), ToLogicalType(leaf), value);
  if (!constant) {
    return Predicate::True();
  }
  Predicate result;
  result.kind = Predicate::Kind::kCompare;
  result.field = leaf.id;
  result.compare = compare;
  result.constants.push_back(std::move(*constant));
  return result;
}

Predicate InList(const Column& leaf, const duckdb::vector<duckdb::Value>& values) {
  if (!leaf.children.empty()) {
    return Predicate::True();
  }
  Predicate result;
  result.kind = Predicate::Kind::kIn;
  result.field = leaf.id;
  for (const auto& value : values) {
    if (value.IsNull()) {
      continue;  // equals nothing
    }
    auto constant = PredicateConstant(RequireTypeName(leaf.type), ToLogicalType(leaf), value);
    if (!constant) {
      return Predicate::True();
    }
    result.constants.push_back(std::move(*constant));
  }
  return result.constants.empty() ? Predicate::True() : result;
}

Predicate NullTest(const Column& leaf, bool is_null) {
  if (!leaf.children.empty()) {
    return Predicate::True();
  }
  Predicate result;
  result.kind = is_null ? Predicate::Kind::kIsNull : Predicate::Kind::kIsNotNull;
  result.field = leaf.id;
  return result;
}

Predicate Or(std::vector<Predicate> children) {
  if (children.empty() || std::any_of(children.begin(), children.end(), IsTrue)) {
    return Predicate::True();
  }
  Predicate result;
  result.kind = Predicate::Kind::kOr;
  result.children = std::move(children);
  return result;
}

// Whether every value of a type has its like in a wider one, and between two neighbours of the
// first lies no third: what a comparison in the wider type means for the narrower one is then
// certain.
bool IsWider(const duckdb::LogicalType& type, const duckdb::LogicalType& wider) {
  using duckdb::LogicalTypeId;
  switch (wider.id()) {
    case LogicalTypeId::DECIMAL:
      return type.IsIntegral() ||
             (type.id() == LogicalTypeId::DECIMAL &&
              duckdb::DecimalType::GetScale(type) <= duckdb::DecimalType::GetScale(wider));
    case LogicalTypeId::DOUBLE:
      return type.IsIntegral() && duckdb::GetTypeIdSize(type.InternalType()) <= sizeof(int32_t);
    case LogicalTypeId::TIMESTAMP:
      return type.id() == LogicalTypeId::DATE;
    default:
      return false;
  }
}

// What `CAST(leaf AS wider) <compare> value` says of the leaf itself. A value between two of the
// leaf's type is taken for the one that the cast back gives, which is the next one to either side.
Predicate WideComparison(const Column& leaf, Compare compare, const duckdb::Value& value) {
  const auto type = ToLogicalType(leaf);
  duckdb::Value near, back;
  std::string error;
  if (!value.DefaultTryCastAs(type, near, &error) || near.IsNull() ||
      !near.DefaultTryCastAs(value.type(), back, &error) || back.IsNull()) {
    return Predicate::True();  // beyond what the leaf's type has
  }
  if (back == value) return Comparison(leaf, compare, near);
  const bool is_above = back > value;
  switch (compare) {
    case Compare::kGreater:
    case Compare::kGreaterOrEqual:
      return Comparison(leaf, is_above ? Compare::kGreaterOrEqual : Compare::kGreater, near);
    case Compare::kLess:
    case Compare::kLessOrEqual:
      return Comparison(leaf, is_above ? Compare::kLess : Compare::kLessOrEqual, near);
    case Compare::kEqual:  // no row has such a value; few files are enough to find none
      return Comparison(leaf, Compare::kEqual, near);
    case Compare::kNotEqual:
      break;
  }
  return Predicate::True();
}

Predicate Compared(const Column& leaf, Compare compare, const duckdb::Value& value) {
  const bool is_wide = leaf.children.empty() && leaf.logical_type.empty() &&
                       IsWider(ToLogicalType(leaf), value.type());
  return is_wide ? WideComparison(leaf, compare, value) : Comparison(leaf, compare, value);
}

bool IsWidened(const Column& leaf, const duckdb::vector<duckdb::Value>& values) {
  return leaf.children.empty() && leaf.logical_type.empty() &&
         std::any_of(values.begin(), values.end(), [&leaf](const duckdb::Value& value) {
           return IsWider(ToLogicalType(leaf), value.type());
         });
}

// Filter expressions of a logical plan.
class Translator {
 public:
  Translator(duckdb::ClientContext& context, const ColumnResolver& resolve)
      : context_(context), resolve_(resolve) {}

  Predicate Translate(const duckdb::Expression& expression) {
    switch (expression.GetExpressionClass()) {
      case duckdb::ExpressionClass::BOUND_COMPARISON:
        return TranslateComparison(expression.Cast<duckdb::BoundComparisonExpression>());
      case duckdb::ExpressionClass::BOUND_BETWEEN:
        return TranslateBetween(expression.Cast<duckdb::BoundBetweenExpression>());
      case duckdb::ExpressionClass::BOUND_CONJUNCTION:
        return TranslateConjunction(expression.Cast<duckdb::BoundConjunctionExpression>());
      case duckdb::ExpressionClass::BOUND_OPERATOR:
        return TranslateOperator(expression.Cast<duckdb::BoundOperatorExpression>());
      default:
        return Predicate::True();
    }
  }

 private:
  // What is compared: a column, a field, or one of them cast from integer to integer or from ENUM
  // to text, which it is stored as. Such a cast keeps the value or gives none, so a comparison that
  // is true of it is true of the column; a test for NULL is not.
  const Column* FindCompared(const duckdb::Expression& expression) {
    if (expression.GetExpressionClass() != duckdb::ExpressionClass::BOUND_CAST) {
      return FindLeaf(expression);
    }
    const auto& cast = expression.Cast<duckdb::BoundCastExpression>();
    const auto* leaf = FindCompared(*cast.child);
    if (leaf == nullptr || !leaf->children.empty()) return nullptr;
    const bool keeps_value =
        leaf->logical_type.empty()
            ? cast.return_type.IsIntegral() && IsInteger(RequireTypeName(leaf->type).kind)
            : cast.return_type == duckdb::LogicalType::VARCHAR;
    return keeps_value ? leaf : nullptr;
  }

  // The same, or a column in a wider type, which DuckDB gives it where the constant needs one.
  const Column* FindComparable(const duckdb::Expression& expression) {
    if (const auto* leaf = FindCompared(expression)) return leaf;
    if (expression.GetExpressionClass() != duckdb::ExpressionClass::BOUND_CAST) return nullptr;
    const auto& cast = expression.Cast<duckdb::BoundCastExpression>();
    const auto* leaf = FindLeaf(*cast.child);
    return leaf != nullptr && leaf->children.empty() && leaf->logical_type.empty() &&
                   IsWider(ToLogicalType(*leaf), cast.return_type)
               ? leaf
               : nullptr;
  }

  // The column or struct field that an expression is, and no more than that.
  const Column* FindLeaf(const duckdb::Expression& expression) {
    switch (expression.GetExpressionClass()) {
      case duckdb::ExpressionClass::BOUND_COLUMN_REF:
        return resolve_(expression);
      case duckdb::ExpressionClass::BOUND_FUNCTION:
        return FindField(expression.Cast<duckdb::BoundFunctionExpression>());
      default:
        return nullptr;
    }
  }

  const Column* FindField(const duckdb::BoundFunctionExpression& function) {
    const auto& name = function.function.name;
    if ((name != "struct_extract" && name != "struct_extract_at") ||
        function.children.size() != 2 || !function.bind_info) {
      return nullptr;
    }
    const auto* parent = FindLeaf(*function.children[0]);
    if (parent == nullptr || RequireTypeName(parent->type).kind != TypeKind::kStruct) {
      return nullptr;
    }
    const auto index = function.bind_info->Cast<duckdb::StructExtractBindData>().index;
    return index < parent->children.size() ? &parent->children[index] : nullptr;
  }

  // A constant, folded where it is an expression of constants.
  std::optional<duckdb::Value> Fold(const duckdb::Expression& expression) {
    if (expression.GetExpressionClass() == duckdb::ExpressionClass::BOUND_CONSTANT) {
      return expression.Cast<duckdb::BoundConstantExpression>().value;
    }
    duckdb::Value value;
    if (!expression.IsFoldable() ||
        !duckdb::ExpressionExecutor::TryEvaluateScalar(context_, expression, value)) {
      return std::nullopt;
    }
    return value;
  }

  Predicate TranslateComparison(const duckdb::BoundComparisonExpression& comparison) {
    const auto* left = FindComparable(*comparison.left);
    const auto* right = FindComparable(*comparison.right);
    if ((left == nullptr) == (right == nullptr)) {
      return Predicate::True();
    }
    const auto type =
        left != nullptr ? comparison.type : duckdb::FlipComparisonExpression(comparison.type);
    const auto compare = ToCompare(type);
    const auto value = Fold(left != nullptr ? *comparison.right : *comparison.left);
    if (!compare || !value || value->IsNull()) {
      return Predicate::True();
    }
    return Compared(left != nullptr ? *left : *right, *compare, *value);
  }

  Predicate TranslateBetween(const duckdb::BoundBetweenExpression& between) {
    const auto* leaf = FindComparable(*between.input);
    if (leaf == nullptr) {
      return Predicate::True();
    }
    auto result = Predicate::True();
    if (const auto lower = Fold(*between.lower); lower && !lower->IsNull()) {
      result = Compared(
          *leaf, between.lower_inclusive ? Compare::kGreaterOrEqual : Compare::kGreater, *lower);
    }
    if (const auto upper = Fold(*between.upper); upper && !upper->IsNull()) {
      result = And(std::move(result),
                   Compared(*leaf, between.upper_inclusive ? Compare::kLessOrEqual : Compare::kLess,
                            *upper));
    }
    return result;
  }

  Predicate TranslateConjunction(const duckdb::BoundConjunctionExpression& conjunction) {
    if (conjunction.type == ExpressionType::CONJUNCTION_AND) {
      auto result = Predicate::True();
      for (const auto& child : conjunction.children) {
        result = And(std::move(result), Translate(*child));
      }
      return result;
    }
    std::vector<Predicate> children;
    for (const auto& child : conjunction.children) {
      children.push_back(Translate(*child));
    }
    return Or(std::move(children));
  }

  Predicate TranslateOperator(const duckdb::BoundOperatorExpression& op) {
    switch (op.type) {
      case ExpressionType::OPERATOR_IS_NULL:
      case ExpressionType::OPERATOR_IS_NOT_NULL:
        if (const auto* leaf = FindLeaf(*op.children[0])) {
          return NullTest(*leaf, op.type == ExpressionType::OPERATOR_IS_NULL);
        }
        return Predicate::True();
      case ExpressionType::OPERATOR_NOT:
        return TranslateNot(*op.children[0]);
      case ExpressionType::COMPARE_IN:
        return TranslateIn(op);
      default:
        return Predicate::True();
    }
  }

  Predicate TranslateNot(const duckdb::Expression& child) {
    if (child.GetExpressionClass() != duckdb::ExpressionClass::BOUND_OPERATOR) {
      return Predicate::True();
    }
    const auto& op = child.Cast<duckdb::BoundOperatorExpression>();
    if (op.type == ExpressionType::OPERATOR_IS_NULL ||
        op.type == ExpressionType::OPERATOR_IS_NOT_NULL) {
      if (const auto* leaf = FindLeaf(*op.children[0])) {
        return NullTest(*leaf, op.type == ExpressionType::OPERATOR_IS_NOT_NULL);
      }
    }
    return Predicate::True();
  }

  Predicate TranslateIn(const duckdb::BoundOperatorExpression& op) {
    const auto* leaf = FindComparable(*op.children[0]);
    if (leaf == nullptr) {
      return Predicate::True();
    }
    duckdb::vector<duckdb::Value> values;
    for (size_t i = 1; i < op.children.size(); ++i) {
      auto value = Fold(*op.children[i]);
      if (!value) {
        return Predicate::True();
      }
      values.push_back(std::move(*value));
    }
    if (IsWidened(*leaf, values)) {
      std::vector<Predicate> any;
      for (const auto& value : values) {
        if (!value.IsNull()) any.push_back(Compared(*leaf, Compare::kEqual, value));
      }
      return Or(std::move(any));
    }
    return InList(*leaf, values);
  }

  duckdb::ClientContext& context_;
  const ColumnResolver& resolve_;
};

}  // namespace

bool IsTrue(const Predicate& predicate) { return predicate.kind == Predicate::Kind::kTrue; }

bool SamePredicate(const Predicate& a, const Predicate& b) {
  return a.kind == b.kind && a.field == b.field && a.compare == b.compare &&
         a.constants == b.constants &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    SamePredicate);
}

Predicate And(Predicate a, Predicate b) {
  std::vector<Predicate> parts;
  const auto add = [&parts](Predicate part) {
    const auto same = [&part](const Predicate& other) { return SamePredicate(part, other); };
    if (!IsTrue(part) && std::none_of(parts.begin(), parts.end(), same)) {
      parts.push_back(std::move(part));
    }
  };
  for (auto* side : {&a, &b}) {
    if (side->kind == Predicate::Kind::kAnd) {
      for (auto& child : side->children) {
        add(std::move(child));
      }
    } else {
      add(std::move(*side));
    }
  }
  if (parts.empty()) {
    return Predicate::True();
  }
  if (parts.size() == 1) {
    return std::move(parts.front());
  }
  Predicate result;
  result.kind = Predicate::Kind::kAnd;
  result.children = std::move(parts);
  return result;
}

Predicate ToPredicate(duckdb::ClientContext& context, const duckdb::Expression& filter,
                      const ColumnResolver& resolve) {
  return Translator(context, resolve).Translate(filter);
}

Predicate ToPredicate(const duckdb::TableFilter& filter, const Column& column) {
  using duckdb::TableFilterType;
  switch (filter.filter_type) {
    case TableFilterType::CONSTANT_COMPARISON: {
      const auto& constant = filter.Cast<duckdb::ConstantFilter>();
      const auto compare = ToCompare(constant.comparison_type);
      return compare && !constant.constant.IsNull()
                 ? Comparison(column, *compare, constant.constant)
                 : Predicate::True();
    }
    case TableFilterType::IS_NULL:
      return NullTest(column, true);
    case TableFilterType::IS_NOT_NULL:
      return NullTest(column, false);
    case TableFilterType::IN_FILTER:
      return InList(column, filter.Cast<duckdb::InFilter>().values);
    case TableFilterType::CONJUNCTION_AND: {
      auto result = Predicate::True();
      for (const auto& child : filter.Cast<duckdb::ConjunctionAndFilter>().child_filters) {
        result = And(std::move(result), ToPredicate(*child, column));
      }
      return result;
    }
    case TableFilterType::CONJUNCTION_OR: {
      std::vector<Predicate> children;
      for (const auto& child : filter.Cast<duckdb::ConjunctionOrFilter>().child_filters) {
        children.push_back(ToPredicate(*child, column));
      }
      return Or(std::move(children));
    }
    case TableFilterType::STRUCT_EXTRACT: {
      const auto& field = filter.Cast<duckdb::StructFilter>();
      return field.child_idx < column.children.size()
                 ? ToPredicate(*field.child_filter, column.children[field.child_idx])
                 : Predicate::True();
    }
    case TableFilterType::OPTIONAL_FILTER: {
      // Not needed for a right answer, but true of every row that the query wants.
      const auto& child = filter.Cast<duckdb::OptionalFilter>().child_filter;
      return child ? ToPredicate(*child, column) : Predicate::True();
    }
    case TableFilterType::DYNAMIC_FILTER: {
      const auto& data = filter.Cast<duckdb::DynamicFilter>().filter_data;
      if (!data || !data->initialized) {
        return Predicate::True();
      }
      std::lock_guard<std::mutex> guard(data->lock);
      return data->filter ? ToPredicate(*data->filter, column) : Predicate::True();
    }
    default:
      return Predicate::True();
  }
}

bool MayPass(const duckdb::TableFilter& filter, const duckdb::Value& constant) {
  using duckdb::TableFilterType;
  switch (filter.filter_type) {
    case TableFilterType::CONSTANT_COMPARISON: {
      const auto& comparison = filter.Cast<duckdb::ConstantFilter>();
      return comparison.constant.type() != constant.type() || comparison.Compare(constant);
    }
    case TableFilterType::IN_FILTER: {
      const auto& values = filter.Cast<duckdb::InFilter>().values;
      return std::any_of(values.begin(), values.end(), [&constant](const duckdb::Value& value) {
        return value.type() != constant.type() || value == constant;
      });
    }
    case TableFilterType::CONJUNCTION_AND: {
      const auto& children = filter.Cast<duckdb::ConjunctionAndFilter>().child_filters;
      return std::all_of(children.begin(), children.end(),
                         [&constant](const auto& child) { return MayPass(*child, constant); });
    }
    case TableFilterType::CONJUNCTION_OR: {
      const auto& children = filter.Cast<duckdb::ConjunctionOrFilter>().child_filters;
      return std::any_of(children.begin(), children.end(),
                         [&constant](const auto& child) { return MayPass(*child, constant); });
    }
    case TableFilterType::OPTIONAL_FILTER: {
      const auto& child = filter.Cast<duckdb::OptionalFilter>().child_filter;
      return !child || MayPass(*child, constant);
    }
    default:
      return true;
  }
}

}  // namespace tarn::engine
