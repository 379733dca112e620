// See literals.h.
#include "engine/bridge/literals.h"

#include <utility>

#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/expression/cast_expression.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/parser/expression/function_expression.hpp"
#include "duckdb/parser/expression/operator_expression.hpp"
#include "duckdb/parser/parser.hpp"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::ParsedExpression;
using duckdb::Value;
using Children = duckdb::vector<duckdb::unique_ptr<ParsedExpression>>;

std::optional<Value> Evaluate(const ParsedExpression& expression, const LogicalType& type);

std::optional<Value> CastTo(const Value& value, const LogicalType& type) {
  Value result;
  std::string message;
  if (!value.DefaultTryCastAs(type, result, &message)) return std::nullopt;
  return result;
}

std::optional<duckdb::vector<Value>> EvaluateAll(const Children& children,
                                                 const LogicalType& type) {
  duckdb::vector<Value> values;
  for (const auto& child : children) {
    auto value = Evaluate(*child, type);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

std::optional<Value> EvaluateStruct(const Children& children, const LogicalType& type) {
  duckdb::child_list_t<Value> fields;
  for (const auto& [name, field_type] : duckdb::StructType::GetChildTypes(type)) {
    std::optional<Value> value = Value(field_type);
    for (const auto& child : children) {
      if (duckdb::StringUtil::CIEquals(child->GetAlias(), name))
        value = Evaluate(*child, field_type);
    }
    if (!value) return std::nullopt;
    fields.emplace_back(name, std::move(*value));
  }
  return Value::STRUCT(std::move(fields));
}

std::optional<Value> EvaluateList(const Children& children, const LogicalType& type) {
  const auto& element = duckdb::ListType::GetChildType(type);
  auto values = EvaluateAll(children, element);
  if (!values) return std::nullopt;
  return Value::LIST(element, std::move(*values));
}

std::optional<Value> EvaluateMap(const Children& children, const LogicalType& type) {
  if (children.size() != 2) return std::nullopt;
  const auto& key = duckdb::MapType::KeyType(type);
  const auto& value = duckdb::MapType::ValueType(type);
  const auto keys = Evaluate(*children[0], LogicalType::LIST(key));
  const auto values = Evaluate(*children[1], LogicalType::LIST(value));
  if (!keys || !values || keys->IsNull() || values->IsNull()) return std::nullopt;
  const auto& key_list = duckdb::ListValue::GetChildren(*keys);
  const auto& value_list = duckdb::ListValue::GetChildren(*values);
  if (key_list.size() != value_list.size()) return std::nullopt;
  return Value::MAP(key, value, key_list, value_list);
}

std::optional<Value> EvaluateFunction(const duckdb::FunctionExpression& function,
                                      const LogicalType& type) {
  const auto& name = function.function_name;
  if (name == "struct_pack" && type.id() == LogicalTypeId::STRUCT)
    return EvaluateStruct(function.children, type);
  if (name == "list_value" && type.id() == LogicalTypeId::LIST)
    return EvaluateList(function.children, type);
  if (name == "map" && type.id() == LogicalTypeId::MAP) return EvaluateMap(function.children, type);
  if (name == "-" && function.children.size() == 1) {  // a negative number
    const auto digits = Evaluate(*function.children[0], LogicalType::VARCHAR);
    if (digits && !digits->IsNull()) return CastTo(Value("-" + digits->ToString()), type);
  }
  return std::nullopt;
}

std::optional<Value> Evaluate(const ParsedExpression& expression, const LogicalType& type) {
  switch (expression.GetExpressionClass()) {
    case duckdb::ExpressionClass::CONSTANT:
      return CastTo(expression.Cast<duckdb::ConstantExpression>().value, type);
    case duckdb::ExpressionClass::CAST:  // to the type that the column has anyway
      return Evaluate(*expression.Cast<duckdb::CastExpression>().child, type);
    case duckdb::ExpressionClass::FUNCTION:
      return EvaluateFunction(expression.Cast<duckdb::FunctionExpression>(), type);
    case duckdb::ExpressionClass::OPERATOR: {
      const auto& operation = expression.Cast<duckdb::OperatorExpression>();
      if (operation.GetExpressionType() == duckdb::ExpressionType::ARRAY_CONSTRUCTOR &&
          type.id() == LogicalTypeId::LIST)
        return EvaluateList(operation.children, type);
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Value> ParseLiteral(const std::string& text, const LogicalType& type) {
  try {
    const auto expressions = duckdb::Parser::ParseExpressionList(text);
    if (expressions.size() != 1) return std::nullopt;
    return Evaluate(*expressions.front(), type);
  } catch (const duckdb::Exception&) {
    return std::nullopt;  // no SQL: some other form of text
  }
}

}  // namespace tarn::engine
