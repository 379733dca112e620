// CatalogView: look-ups, and changed copies through CatalogViewBuilder.
#include "catalog/catalog_view.h"

#include <type_traits>
#include <utility>
#include <vector>

#include "base/text.h"
#include "tarn/error.h"

namespace tarn {

bool NameLess::operator()(std::string_view a, std::string_view b) const {
  return CompareIgnoreCase(a, b) < 0;
}

bool SameName(std::string_view a, std::string_view b) { return EqualsIgnoreCase(a, b); }

namespace {

const Column* FindIn(const std::vector<Column>& columns, FieldId id) {
  for (const Column& column : columns) {
    if (column.id == id) return &column;
    if (const Column* found = FindIn(column.children, id)) return found;
  }
  return nullptr;
}

template <class Map, class Key>
auto FindOrNull(const Map& map, const Key& key) -> typename Map::mapped_type {
  auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

/// Takes `name` out of a map by name, but only if it still stands for `ref`: two objects may have
/// swapped names.
template <class Map, class RefType>
void EraseName(Map& map, const std::string& name, RefType ref) {
  auto found = map.find(name);
  if (found != map.end() && found->second->ref == ref) map.Erase(name);
}

/// Two live objects with one name should not be, but lakes exist where another client let them: the
/// newer one has the name, and both stay reachable by id.
template <class Map, class Object>
void PutName(Map& map, std::shared_ptr<const Object> object) {
  auto place = map.find(object->name);
  if (place != map.end() && place->second->ref > object->ref) return;
  std::string name = object->name;
  map.Put(std::move(name), std::move(object));
}

}  // namespace

bool Column::HasDefault() const {
  return default_value && (default_value_type == "expression" || *default_value != "NULL");
}

const Column* Table::FindColumn(std::string_view column_name) const {
  for (const Column& column : columns) {
    if (SameName(column.name, column_name)) return &column;
  }
  return nullptr;
}

const Column* Table::FindField(FieldId id) const { return FindIn(columns, id); }

const CatalogView::SchemaEntries* CatalogView::FindSchema(std::string_view name) const {
  return FindOrNull(schemas_, name).get();
}

const CatalogView::SchemaEntries* CatalogView::FindEntries(SchemaRef ref) const {
  return FindOrNull(schemas_by_ref_, ref).get();
}

const Schema* CatalogView::FindSchema(SchemaRef ref) const {
  const SchemaEntries* entries = FindEntries(ref);
  return entries == nullptr ? nullptr : entries->schema.get();
}

std::shared_ptr<const Table> CatalogView::FindTable(std::string_view schema,
                                                    std::string_view name) const {
  const SchemaEntries* entries = FindSchema(schema);
  return entries == nullptr ? nullptr : FindOrNull(entries->tables, name);
}

std::shared_ptr<const Table> CatalogView::FindTable(TableRef ref) const {
  return FindOrNull(tables_, ref);
}

std::shared_ptr<const View> CatalogView::FindView(std::string_view schema,
                                                  std::string_view name) const {
  const SchemaEntries* entries = FindSchema(schema);
  return entries == nullptr ? nullptr : FindOrNull(entries->views, name);
}

std::shared_ptr<const View> CatalogView::FindView(ViewRef ref) const {
  return FindOrNull(views_, ref);
}

namespace {
template <class Change>
std::shared_ptr<const CatalogView> Changed(const CatalogView& view, Change change) {
  CatalogViewBuilder builder(view);
  change(builder);
  return builder.Build();
}
}  // namespace

std::shared_ptr<const CatalogView> CatalogView::WithSchema(
    std::shared_ptr<const Schema> schema) const {
  return Changed(*this, [&](CatalogViewBuilder& builder) { builder.Put(std::move(schema)); });
}
std::shared_ptr<const CatalogView> CatalogView::WithoutSchema(SchemaRef ref) const {
  return Changed(*this, [&](CatalogViewBuilder& builder) { builder.Remove(ref); });
}
std::shared_ptr<const CatalogView> CatalogView::WithTable(
    std::shared_ptr<const Table> table) const {
  return Changed(*this, [&](CatalogViewBuilder& builder) { builder.Put(std::move(table)); });
}
std::shared_ptr<const CatalogView> CatalogView::WithoutTable(TableRef ref) const {
  return Changed(*this, [&](CatalogViewBuilder& builder) { builder.Remove(ref); });
}
std::shared_ptr<const CatalogView> CatalogView::WithView(std::shared_ptr<const View> view) const {
  return Changed(*this, [&](CatalogViewBuilder& builder) { builder.Put(std::move(view)); });
}
std::shared_ptr<const CatalogView> CatalogView::WithoutView(ViewRef ref) const {
  return Changed(*this, [&](CatalogViewBuilder& builder) { builder.Remove(ref); });
}
std::shared_ptr<const CatalogView> CatalogView::WithMacro(
    std::shared_ptr<const Macro> macro) const {
  return Changed(*this, [&](CatalogViewBuilder& builder) { builder.Put(std::move(macro)); });
}
std::shared_ptr<const CatalogView> CatalogView::WithoutMacro(MacroRef ref) const {
  return Changed(*this, [&](CatalogViewBuilder& builder) { builder.Remove(ref); });
}

CatalogViewBuilder::SchemaEntries& CatalogViewBuilder::Edit(SchemaRef ref,
                                                            const std::string& what) {
  auto own = own_.find(ref);
  if (own != own_.end()) return *own->second;
  const SchemaEntries* shared = view_.FindEntries(ref);
  if (shared == nullptr) {
    throw Error(ErrorCode::kCorrupt,
                what + " belongs to a schema that does not exist; run `tarn check` on the lake");
  }
  auto copy = std::make_shared<SchemaEntries>(*shared);
  view_.schemas_by_ref_.Put(ref, copy);
  view_.schemas_.Put(copy->schema->name, copy);
  return *own_.emplace(ref, std::move(copy)).first->second;
}

void CatalogViewBuilder::Put(std::shared_ptr<const Schema> schema) {
  SchemaRef ref = schema->ref;
  if (view_.FindEntries(ref) != nullptr) {
    SchemaEntries& entries = Edit(ref, schema->name);
    auto named = view_.schemas_.find(entries.schema->name);
    if (named != view_.schemas_.end() && named->second.get() == &entries)
      view_.schemas_.Erase(entries.schema->name);
    entries.schema = std::move(schema);
  } else {
    auto entries = std::make_shared<SchemaEntries>();
    entries->schema = std::move(schema);
    view_.schemas_by_ref_.Put(ref, entries);
    own_.emplace(ref, std::move(entries));
  }
  const std::shared_ptr<SchemaEntries>& entries = own_.at(ref);
  view_.schemas_.Put(entries->schema->name, entries);
}

void CatalogViewBuilder::Put(std::shared_ptr<const Table> table) {
  Remove(table->ref);
  SchemaEntries& entries = Edit(table->schema, "Table \"" + table->name + "\"");
  view_.tables_.Put(table->ref, table);
  PutName(entries.tables, std::move(table));
}

void CatalogViewBuilder::Put(std::shared_ptr<const View> view) {
  Remove(view->ref);
  SchemaEntries& entries = Edit(view->schema, "View \"" + view->name + "\"");
  view_.views_.Put(view->ref, view);
  PutName(entries.views, std::move(view));
}

void CatalogViewBuilder::Put(std::shared_ptr<const Macro> macro) {
  Remove(macro->ref);
  SchemaEntries& entries = Edit(macro->schema, "Macro \"" + macro->name + "\"");
  view_.macros_.Put(macro->ref, macro);
  auto& names = macro->is_table_macro() ? entries.table_macros : entries.scalar_macros;
  PutName(names, std::move(macro));
}

void CatalogViewBuilder::Remove(SchemaRef ref) {
  auto found = view_.schemas_by_ref_.find(ref);
  if (found == view_.schemas_by_ref_.end()) return;
  std::shared_ptr<const SchemaEntries> entries = found->second;
  // By ref and not by the names in `entries`: of two objects with one name only one is listed
  // there.
  auto erase_all = [ref](auto& map) {
    std::vector<typename std::remove_cvref_t<decltype(map)>::key_type> gone;
    for (const auto& [object_ref, object] : map) {
      if (object->schema == ref) gone.push_back(object_ref);
    }
    for (const auto& object_ref : gone) map.Erase(object_ref);
  };
  erase_all(view_.tables_);
  erase_all(view_.views_);
  erase_all(view_.macros_);
  auto named = view_.schemas_.find(entries->schema->name);
  if (named != view_.schemas_.end() && named->second->schema->ref == ref)
    view_.schemas_.Erase(entries->schema->name);
  view_.schemas_by_ref_.Erase(ref);
  own_.erase(ref);
}

void CatalogViewBuilder::Remove(TableRef ref) {
  auto found = view_.tables_.find(ref);
  if (found == view_.tables_.end()) return;
  EraseName(Edit(found->second->schema, found->second->name).tables, found->second->name, ref);
  view_.tables_.Erase(ref);
}

void CatalogViewBuilder::Remove(ViewRef ref) {
  auto found = view_.views_.find(ref);
  if (found == view_.views_.end()) return;
  EraseName(Edit(found->second->schema, found->second->name).views, found->second->name, ref);
  view_.views_.Erase(ref);
}

void CatalogViewBuilder::Remove(MacroRef ref) {
  auto found = view_.macros_.find(ref);
  if (found == view_.macros_.end()) return;
  SchemaEntries& entries = Edit(found->second->schema, found->second->name);
  EraseName(found->second->is_table_macro() ? entries.table_macros : entries.scalar_macros,
            found->second->name, ref);
  view_.macros_.Erase(ref);
}

std::shared_ptr<const CatalogView> CatalogViewBuilder::Build() {
  own_.clear();  // what was built is shared from now on
  return std::make_shared<const CatalogView>(std::move(view_));
}

}  // namespace tarn
