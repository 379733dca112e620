// See reshape.h.
#include "engine/operators/reshape.h"

#include <algorithm>
#include <utility>

#include "engine/bridge/types.h"
#include "engine/bridge/values.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Value;

const Column* FindById(const std::vector<Column>& columns, FieldId id) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [id](const Column& column) { return column.id == id; });
  return found == columns.end() ? nullptr : &*found;
}

// The same type with the same fields, so that values can stay as they are.
bool SameValues(const Column& a, const Column& b) {
  return a.type == b.type && a.children.size() == b.children.size() &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(),
                    [](const Column& x, const Column& y) {
                      return x.id == y.id && x.name == y.name && SameValues(x, y);
                    });
}

Value Reshape(const Value& value, const Column& from, const Column& to);

Value ReshapeStruct(const Value& value, const Column& from, const Column& to) {
  duckdb::child_list_t<Value> fields;
  const auto& values = duckdb::StructValue::GetChildren(value);
  for (const Column& field : to.children) {
    const Column* old = FindById(from.children, field.id);
    fields.emplace_back(
        field.name,
        old == nullptr
            ? InitialDefault(field, ToLogicalType(field))
            : Reshape(values[static_cast<size_t>(old - from.children.data())], *old, field));
  }
  return Value::STRUCT(std::move(fields));
}

Value Reshape(const Value& value, const Column& from, const Column& to) {
  const auto type = ToLogicalType(to);
  if (value.IsNull()) return Value(type);
  if (SameValues(from, to)) return value;
  switch (type.id()) {
    case LogicalTypeId::STRUCT:
      return ReshapeStruct(value, from, to);
    case LogicalTypeId::LIST: {
      duckdb::vector<Value> elements;
      for (const auto& element : duckdb::ListValue::GetChildren(value))
        elements.push_back(Reshape(element, from.children.at(0), to.children.at(0)));
      return Value::LIST(duckdb::ListType::GetChildType(type), std::move(elements));
    }
    case LogicalTypeId::MAP: {
      duckdb::vector<Value> keys, values;
      for (const auto& pair : duckdb::MapValue::GetChildren(value)) {
        const auto& parts = duckdb::StructValue::GetChildren(pair);
        keys.push_back(Reshape(parts[0], from.children.at(0), to.children.at(0)));
        values.push_back(Reshape(parts[1], from.children.at(1), to.children.at(1)));
      }
      return Value::MAP(duckdb::MapType::KeyType(type), duckdb::MapType::ValueType(type),
                        std::move(keys), std::move(values));
    }
    default:
      return value.DefaultCastAs(type);
  }
}

}  // namespace

RowReshaper::RowReshaper(const Table& from, const Table& to) {
  for (const Column& column : to.columns) {
    types_.push_back(ToLogicalType(column));
    Source& source = sources_.emplace_back();
    const Column* old = FindById(from.columns, column.id);
    if (old == nullptr) {
      source.constant = InitialDefault(column, types_.back());
      continue;
    }
    source.column = static_cast<size_t>(old - from.columns.data());
    if (SameValues(*old, column)) continue;
    source.from = old;
    source.to = &column;
  }
}

void RowReshaper::Apply(duckdb::DataChunk& from, duckdb::DataChunk& to) const {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (!source.column) {
      to.data[i].Reference(source.constant);
    } else if (source.from == nullptr) {
      to.data[i].Reference(from.data[*source.column]);
    } else {
      duckdb::Vector values(types_[i], std::max<duckdb::idx_t>(from.size(), 1));
      for (duckdb::idx_t row = 0; row < from.size(); ++row) {
        values.SetValue(row,
                        Reshape(from.data[*source.column].GetValue(row), *source.from, *source.to));
      }
      to.data[i].Reference(values);
    }
  }
  to.SetCardinality(from);
}

}  // namespace tarn::engine
