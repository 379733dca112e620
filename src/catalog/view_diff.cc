// The difference of two views, kind by kind.
#include "catalog/view_diff.h"

#include <algorithm>

#include "format/type_promotion.h"

namespace tarn {
namespace {

void CompareColumns(const std::vector<Column>& before, const std::vector<Column>& after,
                    TableAlterations& out) {
  for (const Column& old_column : before) {
    auto found = std::find_if(after.begin(), after.end(),
                              [&](const Column& c) { return c.id == old_column.id; });
    if (found == after.end()) {
      out.columns_dropped = true;
      continue;
    }
    if (old_column.name != found->name) out.columns_renamed = true;
    if (old_column.type != found->type) {
      out.types_changed = true;
      if (MayOverflow(RequireTypeName(old_column.type), RequireTypeName(found->type)))
        out.values_may_overflow = true;
    }
    if (old_column.nulls_allowed && !found->nulls_allowed) out.not_null_set = true;
    if (!old_column.nulls_allowed && found->nulls_allowed) out.not_null_dropped = true;
    if (old_column.default_value != found->default_value ||
        old_column.default_value_type != found->default_value_type) {
      out.defaults_changed = true;
    }
    CompareColumns(old_column.children, found->children, out);
  }
  for (const Column& new_column : after) {
    if (std::none_of(before.begin(), before.end(),
                     [&](const Column& c) { return c.id == new_column.id; })) {
      out.columns_added = true;
    }
  }
}

}  // namespace

bool ViewDiff::empty() const {
  return created_schemas.empty() && dropped_schemas.empty() && created_tables.empty() &&
         dropped_tables.empty() && altered_tables.empty() && created_views.empty() &&
         dropped_views.empty() && altered_views.empty() && created_macros.empty() &&
         dropped_macros.empty() && altered_macros.empty();
}

bool SameColumnRow(const Column& a, const Column& b) {
  return a.order == b.order && a.name == b.name && a.type == b.type &&
         a.nulls_allowed == b.nulls_allowed && a.initial_default == b.initial_default &&
         a.default_value == b.default_value && a.default_value_type == b.default_value_type &&
         a.default_value_dialect == b.default_value_dialect;
}

bool SameViewRow(const View& a, const View& b) {
  return a.schema == b.schema && a.name == b.name && a.dialect == b.dialect && a.sql == b.sql &&
         a.column_aliases == b.column_aliases;
}

TableAlterations CompareTables(const Table& before, const Table& after) {
  TableAlterations out;
  out.renamed = before.name != after.name || before.schema != after.schema;
  CompareColumns(before.columns, after.columns, out);
  out.partition_changed = before.partition != after.partition;
  out.sort_changed = before.sort != after.sort;
  out.tags_changed = before.tags != after.tags || before.column_tags != after.column_tags;
  // Less than before it is where rows of the history have expired.
  out.fields_taken = before.next_field_id < after.next_field_id;
  return out;
}

ViewDiff DiffViews(const CatalogView& before, const CatalogView& after) {
  ViewDiff diff;
  auto add_to = [](auto& list) { return [&list](const auto& object) { list.push_back(object); }; };
  // Refs of the lake sort before new ones, so what is created comes in the order it was made.
  auto compare = [](const auto& left, const auto& right, auto dropped, auto created, auto both) {
    std::remove_cvref_t<decltype(left)>::Compare(
        left, right, dropped, created, [&](const auto& old_object, const auto& new_object) {
          if (old_object != new_object) both(old_object, new_object);
        });
  };
  compare(
      before.schemas_by_ref(), after.schemas_by_ref(),
      [&](const auto& entries) { diff.dropped_schemas.push_back(entries->schema); },
      [&](const auto& entries) { diff.created_schemas.push_back(entries->schema); },
      [](const auto&, const auto&) {});
  compare(before.tables(), after.tables(), add_to(diff.dropped_tables), add_to(diff.created_tables),
          [&](const auto& left, const auto& right) {
            if (CompareTables(*left, *right).any()) diff.altered_tables.push_back({left, right});
          });
  compare(before.views(), after.views(), add_to(diff.dropped_views), add_to(diff.created_views),
          [&](const auto& left, const auto& right) {
            if (!SameViewRow(*left, *right) || left->tags != right->tags)
              diff.altered_views.push_back({left, right});
          });
  compare(before.macros(), after.macros(), add_to(diff.dropped_macros), add_to(diff.created_macros),
          [&](const auto& left, const auto& right) {
            if (left->tags != right->tags) diff.altered_macros.push_back({left, right});
          });
  return diff;
}

}  // namespace tarn
