// See logical_types.h.
#include "catalog/logical_types.h"

#include <charconv>
#include <string>
#include <string_view>

#include "format/logical_type.h"
#include "format/type_names.h"

namespace tarn {
namespace {

bool IsOurs(const Column& column, const std::string& tag) {
  const auto stored = ParseTypeName(column.type);
  return stored && ParseLogicalType(tag, stored->kind);
}

std::string KeyOf(FieldId field) { return kLogicalTypeTag + std::to_string(field.value); }

/// The field that a key is for; nothing for other programs' keys.
std::optional<FieldId> FieldOf(std::string_view key) {
  const std::string_view prefix = kLogicalTypeTag;
  if (!key.starts_with(prefix)) return std::nullopt;
  key.remove_prefix(prefix.size());
  FieldId field;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), field.value);
  if (error != std::errc() || end != key.data() + key.size()) return std::nullopt;
  return field;
}

void Read(std::vector<Column>& columns, const Tags& tags) {
  for (Column& column : columns) {
    Read(column.children, tags);
    const auto tag = tags.find(KeyOf(column.id));
    if (tag != tags.end() && IsOurs(column, tag->second)) column.logical_type = tag->second;
  }
}

void Write(const std::vector<Column>& columns, Tags& tags) {
  for (const Column& column : columns) {
    Write(column.children, tags);
    if (!column.logical_type.empty()) tags[KeyOf(column.id)] = column.logical_type;
  }
}

}  // namespace

void ReadLogicalTypes(Table& table) {
  const auto first = table.tags.lower_bound(kLogicalTypeTag);
  if (first != table.tags.end() && first->first.starts_with(kLogicalTypeTag))
    Read(table.columns, table.tags);
}

void WriteLogicalTypes(Table& table) {
  std::erase_if(table.tags, [&](const auto& tag) {
    const auto field = FieldOf(tag.first);
    if (!field) return false;
    const Column* column = table.FindField(*field);
    return column == nullptr || (column->logical_type.empty() && IsOurs(*column, tag.second));
  });
  Write(table.columns, table.tags);
}

}  // namespace tarn
