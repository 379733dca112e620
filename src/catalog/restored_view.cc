// See restored_view.h.
#include "catalog/restored_view.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog_view.h"
#include "catalog/view_diff.h"
#include "tarn/error.h"

namespace tarn {
namespace {

/// Columns whose rows will be written begin with the commit, as after any alteration.
void MarkNewColumns(const Table* before, std::vector<Column>& columns) {
  for (Column& column : columns) {
    const Column* present = before == nullptr ? nullptr : before->FindField(column.id);
    const bool is_same = present != nullptr && SameColumnRow(*present, column);
    column.begin_snapshot = is_same ? present->begin_snapshot : SnapshotId();
    MarkNewColumns(before, column.children);
  }
}

std::shared_ptr<const Table> RestoreTable(const ViewsToRestore& views, const Table& old) {
  const std::shared_ptr<const Table> before = views.base.FindTable(old.ref);
  auto table = std::make_shared<Table>(old);
  if (before != nullptr)
    table->next_field_id = std::max(table->next_field_id, before->next_field_id);
  if (table->partition) {
    const bool is_present =
        before != nullptr && before->partition && before->partition->keys == table->partition->keys;
    table->partition->ref =
        is_present ? before->partition->ref : PartitionRef::New(views.next_ordinal());
  }
  if (table->sort) {
    const bool is_present =
        before != nullptr && before->sort && before->sort->keys == table->sort->keys;
    table->sort->ref = is_present ? before->sort->ref : SortRef::New(views.next_ordinal());
  }
  MarkNewColumns(before.get(), table->columns);
  if (before == nullptr) {
    table->begin_snapshot = {};
    return table;
  }
  return CompareTables(*before, *table).any() ? table : before;
}

std::shared_ptr<const View> RestoreView(const ViewsToRestore& views,
                                        const std::shared_ptr<const View>& old) {
  const std::shared_ptr<const View> before = views.base.FindView(old->ref);
  const bool is_same = before != nullptr && SameViewRow(*before, *old) && before->tags == old->tags;
  return is_same ? before : old;
}

std::shared_ptr<const Macro> RestoreMacro(const ViewsToRestore& views,
                                          const std::shared_ptr<const Macro>& old) {
  const auto before = views.base.macros().find(old->ref);
  if (before != views.base.macros().end())
    return before->second->tags == old->tags ? before->second : old;
  auto macro = std::make_shared<Macro>(*old);
  macro->ref = MacroRef::New(views.next_ordinal());
  macro->begin_snapshot = {};
  return macro;
}

Error NameTaken(const char* kind, const std::string& name) {
  return Error(ErrorCode::kAlreadyExists,
               std::string(kind) + " with name \"" + name +
                   "\" already exists! Rename it before another one comes back under that name.");
}

}  // namespace

std::shared_ptr<const CatalogView> RestoreObjects(const ViewsToRestore& views) {
  CatalogViewBuilder builder;
  for (const auto& [ref, entries] : views.old.schemas_by_ref()) {
    const CatalogView::SchemaEntries* present = views.base.FindEntries(ref);
    builder.Put(present == nullptr ? entries->schema : present->schema);
  }
  for (const auto& [ref, table] : views.old.tables()) builder.Put(RestoreTable(views, *table));
  for (const auto& [ref, view] : views.old.views()) builder.Put(RestoreView(views, view));
  for (const auto& [ref, macro] : views.old.macros()) builder.Put(RestoreMacro(views, macro));
  return builder.Build();
}

std::shared_ptr<const CatalogView> RestoreObject(const ViewsToRestore& views, const Table& table,
                                                 bool replaces) {
  CatalogViewBuilder builder(views.base);
  if (views.base.FindEntries(table.schema) == nullptr) {
    const std::shared_ptr<const Schema> schema = views.old.FindEntries(table.schema)->schema;
    if (views.base.FindSchema(schema->name) != nullptr) throw NameTaken("Schema", schema->name);
    builder.Put(schema);
  } else {
    const CatalogView::SchemaEntries& entries = *views.base.FindEntries(table.schema);
    if (entries.views.count(table.name) > 0) throw NameTaken("View", table.name);
    const auto holder = entries.tables.find(table.name);
    if (holder != entries.tables.end() && holder->second->ref != table.ref) {
      if (!replaces || views.base.FindTable(table.ref) != nullptr)
        throw NameTaken("Table", table.name);
      builder.Remove(holder->second->ref);
    }
  }
  builder.Put(RestoreTable(views, table));
  return builder.Build();
}

}  // namespace tarn
