// See restored_view.h.
#include "catalog/restored_view.h"

#include <algorithm>
#include <map>
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

/// The schema that takes the place of an old one, and whether it is there already.
struct Home {
  std::shared_ptr<const Schema> schema;
  bool is_present = false;
};

Home FindHome(const ViewsToRestore& views, const Schema& old) {
  if (const CatalogView::SchemaEntries* same = views.base.FindEntries(old.ref))
    return {same->schema, true};
  const CatalogView::SchemaEntries* namesake = views.base.FindSchema(old.name);
  // Another folder would change what the old rows of its tables say of their files.
  if (namesake != nullptr && namesake->schema->path == old.path &&
      namesake->schema->path_is_relative == old.path_is_relative)
    return {namesake->schema, true};
  auto schema = std::make_shared<Schema>(old);
  schema->ref = SchemaRef::New(views.next_ordinal());
  schema->uuid = views.new_uuid();
  schema->begin_snapshot = {};
  return {schema, false};
}

std::shared_ptr<const Table> RestoreTable(const ViewsToRestore& views, SchemaRef home,
                                          const Table& old) {
  const std::shared_ptr<const Table> before = views.base.FindTable(old.ref);
  auto table = std::make_shared<Table>(old);
  table->schema = home;
  if (home != old.schema) {
    table->ref = TableRef::New(views.next_ordinal());
    table->uuid = views.new_uuid();
  }
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

std::shared_ptr<const View> RestoreView(const ViewsToRestore& views, SchemaRef home,
                                        const View& old) {
  const std::shared_ptr<const View> before = views.base.FindView(old.ref);
  auto view = std::make_shared<View>(old);
  view->schema = home;
  if (home != old.schema) {
    view->ref = ViewRef::New(views.next_ordinal());
    view->uuid = views.new_uuid();
    view->begin_snapshot = {};
  }
  const bool is_same =
      before != nullptr && SameViewRow(*before, *view) && before->tags == view->tags;
  return is_same ? before : view;
}

std::shared_ptr<const Macro> RestoreMacro(const ViewsToRestore& views, SchemaRef home,
                                          const std::shared_ptr<const Macro>& old) {
  const auto before = views.base.macros().find(old->ref);
  if (before != views.base.macros().end())
    return before->second->tags == old->tags ? before->second : old;
  auto macro = std::make_shared<Macro>(*old);
  macro->ref = MacroRef::New(views.next_ordinal());
  macro->schema = home;
  macro->begin_snapshot = {};
  return macro;
}

Error SchemaTaken(const std::string& name, const std::string& table) {
  return Error(ErrorCode::kAlreadyExists,
               "Schema with name \"" + name +
                   "\" already exists! Its folder is not the one that \"" + table +
                   "\" was in; drop it, or go back with the whole lake.");
}

Error NameTaken(const char* kind, const std::string& name) {
  return Error(ErrorCode::kAlreadyExists,
               std::string(kind) + " with name \"" + name +
                   "\" already exists! Rename it before another one comes back under that name.");
}

}  // namespace

RestoredView RestoreObjects(const ViewsToRestore& views) {
  CatalogViewBuilder builder;
  RestoredView restored;
  std::map<SchemaRef, SchemaRef> homes;
  for (const auto& [ref, entries] : views.old.schemas_by_ref()) {
    const Home home = FindHome(views, *entries->schema);
    builder.Put(home.schema);
    homes.emplace(ref, home.schema->ref);
  }
  for (const auto& [ref, old] : views.old.tables()) {
    const auto table = RestoreTable(views, homes.at(old->schema), *old);
    restored.tables.emplace(ref, table->ref);
    builder.Put(table);
  }
  for (const auto& [ref, view] : views.old.views())
    builder.Put(RestoreView(views, homes.at(view->schema), *view));
  for (const auto& [ref, macro] : views.old.macros())
    builder.Put(RestoreMacro(views, homes.at(macro->schema), macro));
  restored.view = builder.Build();
  return restored;
}

RestoredView RestoreObject(const ViewsToRestore& views, const Table& table, bool replaces) {
  CatalogViewBuilder builder(views.base);
  const Home home = FindHome(views, *views.old.FindEntries(table.schema)->schema);
  if (!home.is_present) {
    if (views.base.FindSchema(home.schema->name) != nullptr)
      throw SchemaTaken(home.schema->name, table.name);
    builder.Put(home.schema);
  } else {
    const CatalogView::SchemaEntries& entries = *views.base.FindEntries(home.schema->ref);
    if (entries.views.count(table.name) > 0) throw NameTaken("View", table.name);
    const auto holder = entries.tables.find(table.name);
    if (holder != entries.tables.end() && holder->second->ref != table.ref) {
      if (!replaces || views.base.FindTable(table.ref) != nullptr)
        throw NameTaken("Table", table.name);
      builder.Remove(holder->second->ref);
    }
  }
  const auto restored = RestoreTable(views, home.schema->ref, table);
  builder.Put(restored);
  return {builder.Build(), {{table.ref, restored->ref}}};
}

}  // namespace tarn
