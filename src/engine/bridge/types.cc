// Columns and types in both directions. See types.h; format page, section 3.
#include "engine/bridge/types.h"

#include <optional>
#include <string_view>
#include <utility>

#include "duckdb/common/enum_util.hpp"
#include "duckdb/parser/column_definition.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/parser/parser.hpp"
#include "format/defaults.h"
#include "format/logical_type.h"
#include "format/type_names.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

// A child with this many rows in the catalog cannot be read as its parent's type.
const Column& Child(const Column& column, size_t index, size_t expected) {
  if (column.children.size() != expected) {
    throw Error(ErrorCode::kCorrupt, "Column \"" + column.name + "\" of type " + column.type +
                                         " has " + std::to_string(column.children.size()) +
                                         " nested columns in the catalog where " +
                                         std::to_string(expected) + " are expected.");
  }
  return column.children[index];
}

using Conversion = LogicalType (*)(const Column&);

LogicalType StructOf(const Column& column, Conversion convert) {
  if (column.children.empty()) {
    throw Error(ErrorCode::kCorrupt,
                "Struct column \"" + column.name + "\" has no fields in the catalog.");
  }
  duckdb::child_list_t<LogicalType> fields;
  for (const auto& child : column.children) {
    fields.emplace_back(child.name, convert(child));
  }
  return LogicalType::STRUCT(std::move(fields));
}

LogicalType EnumOf(const std::vector<std::string>& values) {
  duckdb::Vector ordered(LogicalType::VARCHAR, values.size());
  auto* texts = duckdb::FlatVector::GetData<duckdb::string_t>(ordered);
  for (size_t i = 0; i < values.size(); ++i) {
    texts[i] = duckdb::StringVector::AddStringOrBlob(ordered, values[i]);
  }
  return LogicalType::ENUM(ordered, values.size());
}

std::string EnumTag(const LogicalType& type) {
  LogicalTypeName result;
  for (duckdb::idx_t i = 0; i < duckdb::EnumType::GetSize(type); ++i) {
    result.enum_values.push_back(duckdb::EnumType::GetString(type, i).GetString());
  }
  return FormatLogicalType(result);
}

// What to store instead of a type that the format does not have.
std::string_view Advice(LogicalTypeId id) {
  switch (id) {
    case LogicalTypeId::BIT:
      return "Store it as BLOB or VARCHAR";
    case LogicalTypeId::BIGNUM:
      return "Store it as VARCHAR, or as HUGEINT or DECIMAL if it fits";
    case LogicalTypeId::UNION:
      return "Store it as VARIANT or as a STRUCT with a field for each member";
    case LogicalTypeId::SQLNULL:
      return "Cast it to the type that the column should have";
    default:
      return "Cast it to a type that the format has";
  }
}

[[noreturn]] void ThrowUnsupported(const LogicalType& type) {
  throw Error(ErrorCode::kUnsupported,
              "Failed to convert DuckDB type to DuckLake - unsupported type " + type.ToString() +
                  ". " + std::string(Advice(type.id())) + ".");
}

ScalarType ScalarOf(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::BOOLEAN:
      return {TypeKind::kBoolean};
    case LogicalTypeId::TINYINT:
      return {TypeKind::kInt8};
    case LogicalTypeId::SMALLINT:
      return {TypeKind::kInt16};
    case LogicalTypeId::INTEGER:
      return {TypeKind::kInt32};
    case LogicalTypeId::BIGINT:
      return {TypeKind::kInt64};
    case LogicalTypeId::HUGEINT:
      return {TypeKind::kInt128};
    case LogicalTypeId::UTINYINT:
      return {TypeKind::kUint8};
    case LogicalTypeId::USMALLINT:
      return {TypeKind::kUint16};
    case LogicalTypeId::UINTEGER:
      return {TypeKind::kUint32};
    case LogicalTypeId::UBIGINT:
      return {TypeKind::kUint64};
    case LogicalTypeId::UHUGEINT:
      return {TypeKind::kUint128};
    case LogicalTypeId::FLOAT:
      return {TypeKind::kFloat32};
    case LogicalTypeId::DOUBLE:
      return {TypeKind::kFloat64};
    case LogicalTypeId::DECIMAL:
      return {TypeKind::kDecimal, duckdb::DecimalType::GetWidth(type),
              duckdb::DecimalType::GetScale(type)};
    case LogicalTypeId::DATE:
      return {TypeKind::kDate};
    case LogicalTypeId::TIME:
      return {TypeKind::kTime};
    case LogicalTypeId::TIME_NS:
      return {TypeKind::kTimeNs};
    case LogicalTypeId::TIME_TZ:
      return {TypeKind::kTimeTz};
    case LogicalTypeId::TIMESTAMP:
      return {TypeKind::kTimestamp};
    case LogicalTypeId::TIMESTAMP_TZ:
      return {TypeKind::kTimestampTz};
    case LogicalTypeId::TIMESTAMP_SEC:
      return {TypeKind::kTimestampS};
    case LogicalTypeId::TIMESTAMP_MS:
      return {TypeKind::kTimestampMs};
    case LogicalTypeId::TIMESTAMP_NS:
      return {TypeKind::kTimestampNs};
    case LogicalTypeId::INTERVAL:
      return {TypeKind::kInterval};
    case LogicalTypeId::VARCHAR:
      return {type.IsJSONType() ? TypeKind::kJson : TypeKind::kVarchar};
    case LogicalTypeId::BLOB:
      return {TypeKind::kBlob};
    case LogicalTypeId::UUID:
      return {TypeKind::kUuid};
    case LogicalTypeId::VARIANT:
      return {TypeKind::kVariant};
    case LogicalTypeId::GEOMETRY:
      return {TypeKind::kGeometry};
    default:
      ThrowUnsupported(type);
  }
}

duckdb::unique_ptr<duckdb::ParsedExpression> DefaultExpression(const Column& column) {
  switch (KindOfDefault(column)) {
    case DefaultKind::kNone:
      return nullptr;
    case DefaultKind::kLiteral:
      return duckdb::make_uniq<duckdb::ConstantExpression>(duckdb::Value(*column.default_value));
    case DefaultKind::kExpression:
      break;
  }
  auto expressions = duckdb::Parser::ParseExpressionList(*column.default_value);
  if (expressions.size() != 1) {
    throw Error(ErrorCode::kCorrupt, "The default of column \"" + column.name +
                                         "\" is not one expression: " + *column.default_value);
  }
  return std::move(expressions[0]);
}

}  // namespace

LogicalType ToLogicalType(const Column& column) {
  const auto type = RequireTypeName(column.type);
  switch (type.kind) {
    case TypeKind::kBoolean:
      return LogicalType::BOOLEAN;
    case TypeKind::kInt8:
      return LogicalType::TINYINT;
    case TypeKind::kInt16:
      return LogicalType::SMALLINT;
    case TypeKind::kInt32:
      return LogicalType::INTEGER;
    case TypeKind::kInt64:
      return LogicalType::BIGINT;
    case TypeKind::kInt128:
      return LogicalType::HUGEINT;
    case TypeKind::kUint8:
      return LogicalType::UTINYINT;
    case TypeKind::kUint16:
      return LogicalType::USMALLINT;
    case TypeKind::kUint32:
      return LogicalType::UINTEGER;
    case TypeKind::kUint64:
      return LogicalType::UBIGINT;
    case TypeKind::kUint128:
      return LogicalType::UHUGEINT;
    case TypeKind::kFloat32:
      return LogicalType::FLOAT;
    case TypeKind::kFloat64:
      return LogicalType::DOUBLE;
    case TypeKind::kDecimal:
      return LogicalType::DECIMAL(type.width, type.scale);
    case TypeKind::kDate:
      return LogicalType::DATE;
    case TypeKind::kTime:
      return LogicalType::TIME;
    case TypeKind::kTimeNs:
      return LogicalType::TIME_NS;
    case TypeKind::kTimeTz:
      return LogicalType::TIME_TZ;
    case TypeKind::kTimestamp:
      return LogicalType::TIMESTAMP;
    case TypeKind::kTimestampTz:
      return LogicalType::TIMESTAMP_TZ;
    case TypeKind::kTimestampS:
      return LogicalType::TIMESTAMP_S;
    case TypeKind::kTimestampMs:
      return LogicalType::TIMESTAMP_MS;
    case TypeKind::kTimestampNs:
      return LogicalType::TIMESTAMP_NS;
    case TypeKind::kInterval:
      return LogicalType::INTERVAL;
    case TypeKind::kVarchar:
      return LogicalType::VARCHAR;
    case TypeKind::kJson:
      return LogicalType::JSON();
    case TypeKind::kBlob:
      return LogicalType::BLOB;
    case TypeKind::kUuid:
      return LogicalType::UUID;
    case TypeKind::kVariant:
      return LogicalType::VARIANT();
    case TypeKind::kGeometry:
      return LogicalType::GEOMETRY();
    case TypeKind::kList:
      return LogicalType::LIST(ToLogicalType(Child(column, 0, 1)));
    case TypeKind::kMap:
      return LogicalType::MAP(ToLogicalType(Child(column, 0, 2)),
                              ToLogicalType(Child(column, 1, 2)));
    case TypeKind::kStruct:
      return StructOf(column, ToLogicalType);
  }
  throw Error(ErrorCode::kUnsupported, "Column \"" + column.name + "\" has type " + column.type +
                                           ", which this engine cannot read.");
}

LogicalType ToSqlType(const Column& column) {
  const auto kind = RequireTypeName(column.type).kind;
  const auto logical = ParseLogicalType(column.logical_type, kind);
  if (logical && logical->is_enum()) return EnumOf(logical->enum_values);
  switch (kind) {
    case TypeKind::kList: {
      auto element = ToSqlType(Child(column, 0, 1));
      return logical ? LogicalType::ARRAY(element, static_cast<duckdb::idx_t>(logical->array_size))
                     : LogicalType::LIST(std::move(element));
    }
    case TypeKind::kMap:
      return LogicalType::MAP(ToSqlType(Child(column, 0, 2)), ToSqlType(Child(column, 1, 2)));
    case TypeKind::kStruct:
      return StructOf(column, ToSqlType);
    default:
      return ToLogicalType(column);
  }
}

void RequireFieldType(const std::string& name, const LogicalType& type) {
  if (type.id() == LogicalTypeId::VARIANT) {
    throw Error(ErrorCode::kUnsupported,
                "VARIANT inside of another type is not supported (\"" + name +
                    "\"): DuckDB cannot write it to Parquet files. Make it a column of its own, or "
                    "make the whole column a VARIANT, which may hold structs and lists.");
  }
}

namespace {

// A field of a struct, a list's element, a map's key or value.
Column ToField(const std::string& name, const LogicalType& type) {
  RequireFieldType(name, type);
  return ToColumn(name, type);
}

}  // namespace

Column ToColumn(const std::string& name, const LogicalType& type) {
  if (!duckdb::StringType::GetCollation(type).empty()) {
    throw Error(ErrorCode::kUnsupported,
                "Collations are not supported in DuckLake storage: use COLLATE in queries on \"" +
                    name + "\" instead.");
  }
  Column column;
  column.name = name;
  SetNoDefault(column);
  switch (type.id()) {
    case LogicalTypeId::LIST:
      column.type = TypeName({TypeKind::kList});
      column.children.push_back(ToField("element", duckdb::ListType::GetChildType(type)));
      break;
    case LogicalTypeId::ARRAY: {
      LogicalTypeName array;
      array.array_size = static_cast<int64_t>(duckdb::ArrayType::GetSize(type));
      column.type = TypeName({TypeKind::kList});
      column.logical_type = FormatLogicalType(array);
      column.children.push_back(ToField("element", duckdb::ArrayType::GetChildType(type)));
      break;
    }
    case LogicalTypeId::ENUM:
      column.type = TypeName({TypeKind::kVarchar});
      column.logical_type = EnumTag(type);
      return column;
    case LogicalTypeId::MAP:
      column.type = TypeName({TypeKind::kMap});
      column.children.push_back(ToField("key", duckdb::MapType::KeyType(type)));
      column.children.push_back(ToField("value", duckdb::MapType::ValueType(type)));
      break;
    case LogicalTypeId::STRUCT:
      if (duckdb::StructType::IsUnnamed(type)) {
        throw Error(ErrorCode::kUnsupported,
                    "Column \"" + name +
                        "\" is a struct whose fields have no names. Name them, for example with "
                        "{'a': 1} in place of row(1).");
      }
      column.type = TypeName({TypeKind::kStruct});
      for (const auto& [field, field_type] : duckdb::StructType::GetChildTypes(type)) {
        column.children.push_back(ToField(field, field_type));
      }
      break;
    default:
      column.type = TypeName(ScalarOf(type));
      return column;
  }
  // As the reference has it: the type of "no default" is empty for nested columns.
  column.default_value_type = "";
  return column;
}

Column ToColumn(const duckdb::ColumnDefinition& definition) {
  if (definition.Generated()) {
    throw Error(ErrorCode::kUnsupported, "DuckLake does not support generated columns: compute \"" +
                                             definition.Name() +
                                             "\" in a view, or when rows are inserted.");
  }
  if (definition.CompressionType() != duckdb::CompressionType::COMPRESSION_AUTO) {
    throw Error(ErrorCode::kUnsupported,
                "USING COMPRESSION is not supported in DuckLake: set the option "
                "parquet_compression for the lake, schema or table instead.");
  }
  auto column = ToColumn(definition.Name(), definition.Type());
  SetDefault(column, definition.Type(),
             definition.HasDefaultValue() ? &definition.DefaultValue() : nullptr);
  return column;
}

std::vector<Column> ToColumns(const duckdb::ColumnList& columns) {
  std::vector<Column> result;
  for (const auto& definition : columns.Logical()) result.push_back(ToColumn(definition));
  return result;
}

void SetDefault(Column& column, const LogicalType& type,
                duckdb::optional_ptr<const duckdb::ParsedExpression> expression) {
  column.initial_default.reset();
  const bool is_constant =
      expression && expression->GetExpressionClass() == duckdb::ExpressionClass::CONSTANT;
  if (!expression ||
      (is_constant && expression->Cast<duckdb::ConstantExpression>().value.IsNull())) {
    SetNoDefault(column);
    return;
  }
  if (!column.children.empty()) {
    throw Error(ErrorCode::kUnsupported, "Default value for " +
                                             duckdb::EnumUtil::ToString(type.id()) +
                                             " type not supported: column \"" + column.name +
                                             "\". Give its value in each INSERT.");
  }
  if (!is_constant) {
    SetExpressionDefault(column, expression->ToString());
    return;
  }
  // The text that is stored is what the user wrote; what rows read as is that text in the column's
  // type.
  const auto& value = expression->Cast<duckdb::ConstantExpression>().value;
  duckdb::Value typed = value;
  if (!typed.DefaultTryCastAs(type)) {
    throw Error(ErrorCode::kInvalid, "The default " + value.ToSQLString() + " of column \"" +
                                         column.name + "\" cannot be converted to " +
                                         type.ToString() + ".");
  }
  SetLiteralDefault(column, value.ToString());
  column.initial_default = typed.ToString();
}

duckdb::ColumnList ToColumnList(const Table& table) {
  duckdb::ColumnList result;
  for (const auto& column : table.columns) {
    duckdb::ColumnDefinition definition(column.name, ToSqlType(column));
    if (auto expression = DefaultExpression(column)) {
      definition.SetDefaultValue(std::move(expression));
    }
    if (auto tags = table.column_tags.find(column.id); tags != table.column_tags.end()) {
      if (auto comment = tags->second.find("comment"); comment != tags->second.end()) {
        definition.SetComment(duckdb::Value(comment->second));
      }
    }
    result.AddColumn(std::move(definition));
  }
  return result;
}

}  // namespace tarn::engine
