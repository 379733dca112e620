// See scan_columns.h.
#include "engine/operators/scan_columns.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/text.h"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/filter/expression_filter.hpp"
#include "duckdb/planner/filter/list.hpp"
#include "engine/bridge/types.h"
#include "engine/bridge/values.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using Definition = duckdb::MultiFileColumnDefinition;
using Definitions = duckdb::vector<Definition>;

// No column of a table has it: a file's column with this id is never read.
constexpr int32_t kNoField = -1;

class NameMapper {
 public:
  explicit NameMapper(const NameMap& map) : map_(map) {}

  void MapFields(std::optional<int64_t> parent, Definitions& columns) {
    for (auto& column : columns) {
      const auto* entry = Find(parent, column.name);
      column.identifier =
          duckdb::Value::INTEGER(entry ? static_cast<int32_t>(entry->target.value) : kNoField);
      if (entry != nullptr) {
        MapChildren(*entry, column);
      } else {
        Unmap(column.children);
      }
    }
  }

 private:
  void MapChildren(const NameMapEntry& entry, Definition& column) {
    if (column.children.empty()) {
      return;
    }
    switch (column.type.id()) {
      case duckdb::LogicalTypeId::STRUCT:
        MapFields(entry.id, column.children);
        break;
      case duckdb::LogicalTypeId::MAP:
        // The file has one more level, the repeated pair.
        MapPositions(entry.id, column.children[0].children);
        column.children[0].identifier = duckdb::Value::INTEGER(kNoField);
        break;
      default:
        // What the element of a list is called differs from writer to writer.
        MapPositions(entry.id, column.children);
        break;
    }
  }

  void MapPositions(int64_t parent, Definitions& columns) {
    size_t position = 0;
    for (const auto& entry : map_.entries) {
      if (entry.parent != parent || position >= columns.size()) {
        continue;
      }
      columns[position].identifier =
          duckdb::Value::INTEGER(static_cast<int32_t>(entry.target.value));
      MapChildren(entry, columns[position]);
      ++position;
    }
    for (; position < columns.size(); ++position) {
      columns[position].identifier = duckdb::Value::INTEGER(kNoField);
      Unmap(columns[position].children);
    }
  }

  static void Unmap(Definitions& columns) {
    for (auto& column : columns) {
      column.identifier = duckdb::Value::INTEGER(kNoField);
      Unmap(column.children);
    }
  }

  const NameMapEntry* Find(std::optional<int64_t> parent, const std::string& name) const {
    for (const auto& entry : map_.entries) {
      if (entry.parent == parent && !entry.is_partition &&
          EqualsIgnoreCase(entry.source_name, name)) {
        return &entry;
      }
    }
    return nullptr;
  }

  const NameMap& map_;
};

const Definition* FindDefinition(const Definitions& columns, const duckdb::Value& identifier) {
  const auto position = FindField(columns, identifier.GetValue<int32_t>());
  return position ? &columns[*position] : nullptr;
}

// A constant that casts to the narrower integer of a file stays exact; one that does not is noticed
// by DuckDB.
bool KeepsConstants(const duckdb::LogicalType& file_type, const duckdb::LogicalType& table_type) {
  const auto is_signed_integer = [](const duckdb::LogicalType& type) {
    switch (type.id()) {
      case duckdb::LogicalTypeId::TINYINT:
      case duckdb::LogicalTypeId::SMALLINT:
      case duckdb::LogicalTypeId::INTEGER:
      case duckdb::LogicalTypeId::BIGINT:
      case duckdb::LogicalTypeId::HUGEINT:
        return true;
      default:
        return false;
    }
  };
  return file_type == table_type || (is_signed_integer(file_type) && is_signed_integer(table_type));
}

/// Whether the filter or a part of it passes `test`.
template <class Test>
bool AnyPart(const duckdb::TableFilter& filter, Test test) {
  const auto any_child = [&](const auto& children) {
    return std::any_of(children.begin(), children.end(),
                       [&](const auto& child) { return AnyPart(*child, test); });
  };
  switch (filter.filter_type) {
    case duckdb::TableFilterType::OPTIONAL_FILTER: {
      const auto& child = filter.Cast<duckdb::OptionalFilter>().child_filter;
      return child && AnyPart(*child, test);
    }
    case duckdb::TableFilterType::CONJUNCTION_AND:
      return any_child(filter.Cast<duckdb::ConjunctionAndFilter>().child_filters);
    case duckdb::TableFilterType::CONJUNCTION_OR:
      return any_child(filter.Cast<duckdb::ConjunctionOrFilter>().child_filters);
    default:
      return test(filter);
  }
}

bool HasBloomFilter(const duckdb::TableFilter& filter) {
  return AnyPart(filter, [](const duckdb::TableFilter& part) {
    return part.filter_type == duckdb::TableFilterType::BLOOM_FILTER;
  });
}

/// DuckDB takes a row group of NULLs alone for one that no comparison matches, this one included.
bool HasDistinctFrom(const duckdb::TableFilter& filter) {
  return AnyPart(filter, [](const duckdb::TableFilter& part) {
    return part.filter_type == duckdb::TableFilterType::CONSTANT_COMPARISON &&
           part.Cast<duckdb::ConstantFilter>().comparison_type ==
               duckdb::ExpressionType::COMPARE_DISTINCT_FROM;
  });
}

// The filter as an expression over the column in the table's type; null when nothing of it is
// required.
duckdb::unique_ptr<duckdb::TableFilter> AsExpression(const duckdb::TableFilter& filter,
                                                     const duckdb::LogicalType& table_type) {
  if (filter.filter_type == duckdb::TableFilterType::OPTIONAL_FILTER ||
      filter.filter_type == duckdb::TableFilterType::BLOOM_FILTER) {
    return nullptr;
  }
  if (filter.filter_type == duckdb::TableFilterType::CONJUNCTION_AND) {
    auto result = duckdb::make_uniq<duckdb::ConjunctionAndFilter>();
    for (const auto& child : filter.Cast<duckdb::ConjunctionAndFilter>().child_filters) {
      if (auto required = AsExpression(*child, table_type)) {
        result->child_filters.push_back(std::move(required));
      }
    }
    return result->child_filters.empty() ? nullptr : std::move(result);
  }
  const duckdb::BoundReferenceExpression reference(table_type, 0);
  return duckdb::make_uniq<duckdb::ExpressionFilter>(filter.ToExpression(reference));
}

// Whether DuckDB asks a file's Bloom filter for other bytes than those of the values that equal the
// constant: 0.0 equals -0.0, NaN any other NaN, and of a blob it takes the text with escapes.
bool MissesInBloomFilter(const duckdb::Value& constant) {
  if (constant.IsNull()) return false;
  switch (constant.type().id()) {
    case duckdb::LogicalTypeId::FLOAT:
    case duckdb::LogicalTypeId::DOUBLE: {
      const auto value = constant.GetValue<double>();
      return value == 0 || std::isnan(value);
    }
    case duckdb::LogicalTypeId::BLOB:
      return constant.GetValue<std::string>() != duckdb::StringValue::Get(constant);
    default:
      return false;
  }
}

// Such an equality as a range, which no Bloom filter is asked for: rows would be lost.
duckdb::unique_ptr<duckdb::TableFilter> AroundBloomFilters(const duckdb::TableFilter& filter) {
  const auto adapt_children = [](const auto& conjunction) {
    auto result = duckdb::make_uniq<std::remove_cvref_t<decltype(conjunction)>>();
    for (const auto& child : conjunction.child_filters) {
      result->child_filters.push_back(AroundBloomFilters(*child));
    }
    return duckdb::unique_ptr<duckdb::TableFilter>(std::move(result));
  };
  switch (filter.filter_type) {
    case duckdb::TableFilterType::CONJUNCTION_AND:
      return adapt_children(filter.Cast<duckdb::ConjunctionAndFilter>());
    case duckdb::TableFilterType::CONJUNCTION_OR:
      return adapt_children(filter.Cast<duckdb::ConjunctionOrFilter>());
    case duckdb::TableFilterType::CONSTANT_COMPARISON: {
      const auto& comparison = filter.Cast<duckdb::ConstantFilter>();
      if (comparison.comparison_type != duckdb::ExpressionType::COMPARE_EQUAL ||
          !MissesInBloomFilter(comparison.constant)) {
        break;
      }
      auto range = duckdb::make_uniq<duckdb::ConjunctionAndFilter>();
      for (const auto side : {duckdb::ExpressionType::COMPARE_GREATERTHANOREQUALTO,
                              duckdb::ExpressionType::COMPARE_LESSTHANOREQUALTO}) {
        range->child_filters.push_back(
            duckdb::make_uniq<duckdb::ConstantFilter>(side, comparison.constant));
      }
      return range;
    }
    default:
      break;
  }
  return filter.Copy();
}

bool MayMissInBloomFilters(const duckdb::LogicalType& type) {
  return type.id() == duckdb::LogicalTypeId::FLOAT || type.id() == duckdb::LogicalTypeId::DOUBLE ||
         type.id() == duckdb::LogicalTypeId::BLOB;
}

}  // namespace

Definition ToDefinition(const Column& column) {
  const auto type = ToLogicalType(column);
  Definition result(column.name, type);
  result.identifier = duckdb::Value::INTEGER(static_cast<int32_t>(column.id.value));
  result.default_expression =
      duckdb::make_uniq<duckdb::ConstantExpression>(InitialDefault(column, type));
  for (const auto& child : column.children) {
    result.children.push_back(ToDefinition(child));
  }
  return result;
}

Definition ToFileDefinition(const Column& column) {
  auto result = ToDefinition(column);
  Definitions children;
  for (const auto& child : column.children) {
    children.push_back(ToFileDefinition(child));
  }
  if (result.type.id() == duckdb::LogicalTypeId::LIST) {
    children.at(0).name = "list";  // what DuckDB's struct remapping calls the element
  }
  if (result.type.id() == duckdb::LogicalTypeId::MAP) {
    // Files have the repeated pair as one more level, and DuckDB's mapper expects it.
    Definition pair("key_value", LogicalType::STRUCT({{"key", children.at(0).type},
                                                      {"value", children.at(1).type}}));
    pair.identifier = duckdb::Value::INTEGER(kNoField);
    pair.children = std::move(children);
    children = Definitions{std::move(pair)};
  }
  result.children = std::move(children);
  return result;
}

Definition EmbeddedColumn(const char* name, int32_t field_id) {
  Definition result(name, duckdb::LogicalType::BIGINT);
  result.identifier = duckdb::Value::INTEGER(field_id);
  result.default_expression =
      duckdb::make_uniq<duckdb::ConstantExpression>(duckdb::Value(duckdb::LogicalType::BIGINT));
  return result;
}

std::optional<size_t> FindField(const Definitions& columns, int32_t field_id) {
  for (size_t i = 0; i < columns.size(); ++i) {
    // Virtual columns and those of files from elsewhere have none.
    if (!columns[i].identifier.IsNull() && columns[i].GetIdentifierFieldId() == field_id) {
      return i;
    }
  }
  return std::nullopt;
}

void ApplyNameMap(const NameMap& map, Definitions& columns) {
  NameMapper(map).MapFields(std::nullopt, columns);
}

duckdb::unique_ptr<duckdb::TableFilterSet> AdaptFilters(
    const duckdb::TableFilterSet& filters, const Definitions& table_columns,
    const duckdb::vector<duckdb::ColumnIndex>& column_ids, const Definitions& file_columns) {
  bool changed = false;
  auto result = duckdb::make_uniq<duckdb::TableFilterSet>();
  for (const auto& [index, filter] : filters.filters) {
    const auto column_id = column_ids[index].GetPrimaryIndex();
    if (column_id >= table_columns.size()) {
      result->filters[index] = filter->Copy();  // a virtual column
      continue;
    }
    const auto& column = table_columns[column_id];
    const auto* in_file = FindDefinition(file_columns, column.identifier);
    const bool keep =
        !HasDistinctFrom(*filter) &&
        (in_file == nullptr || (KeepsConstants(in_file->type, column.type) &&
                                (column.children.empty() || !HasBloomFilter(*filter)) &&
                                (in_file->type == column.type || !HasBloomFilter(*filter))));
    if (keep && !MayMissInBloomFilters(column.type)) {
      result->filters[index] = filter->Copy();
      continue;
    }
    changed = true;
    if (keep) {
      result->filters[index] = AroundBloomFilters(*filter);
      continue;
    }
    if (auto adapted = AsExpression(*filter, column.type)) {
      result->filters[index] = std::move(adapted);
    }
  }
  return changed ? std::move(result) : nullptr;
}

}  // namespace tarn::engine
