// Column defaults as rows hold them.
#include "format/defaults.h"

#include <utility>

#include "base/text.h"
#include "format/type_names.h"

namespace tarn {
namespace {

constexpr const char* kNone = "NULL";
constexpr const char* kLiteral = "literal";
constexpr const char* kExpression = "expression";
constexpr const char* kDialect = "duckdb";

}  // namespace

DefaultKind KindOfDefault(const Column& column) {
  if (!column.default_value) return DefaultKind::kNone;
  if (column.default_value_type == kExpression) return DefaultKind::kExpression;
  return *column.default_value == kNone ? DefaultKind::kNone : DefaultKind::kLiteral;
}

void SetNoDefault(Column& column) {
  const auto type = ParseTypeName(column.type);
  column.default_value = kNone;
  column.default_value_type = type && IsNested(type->kind) ? "" : kLiteral;
  column.default_value_dialect = kDialect;
}

void SetLiteralDefault(Column& column, std::string text) {
  if (text == kNone) {
    SetExpressionDefault(column, QuoteLiteral(text));
    return;
  }
  column.default_value = std::move(text);
  column.default_value_type = kLiteral;
  column.default_value_dialect = kDialect;
}

void SetExpressionDefault(Column& column, std::string sql) {
  column.default_value = std::move(sql);
  column.default_value_type = kExpression;
  column.default_value_dialect = kDialect;
}

}  // namespace tarn
