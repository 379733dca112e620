// DuckDB's catalog entries for one CatalogView. See entry_set.h.
#include "engine/catalog/entry_set.h"

#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"

namespace tarn::engine {

EntrySet::EntrySet(TarnCatalog& catalog, std::shared_ptr<const CatalogView> view,
                   std::optional<Snapshot> at)
    : catalog_(catalog), view_(std::move(view)), at_(std::move(at)) {}

EntrySet::~EntrySet() = default;

TarnSchemaEntry* EntrySet::FindSchema(const std::string& name) {
  const auto found = view_->schemas().find(name);
  return found == view_->schemas().end() ? nullptr : &EntryOf(found->second);
}

void EntrySet::VisitSchemas(const std::function<void(TarnSchemaEntry&)>& visit) {
  for (const auto& [name, entries] : view_->schemas()) visit(EntryOf(entries));
}

TarnSchemaEntry& EntrySet::EntryOf(
    const std::shared_ptr<const CatalogView::SchemaEntries>& entries) {
  std::lock_guard lock(mutex_);
  auto& entry = schemas_[entries->schema->ref];
  if (!entry) {
    duckdb::CreateSchemaInfo info;
    info.schema = entries->schema->name;
    entry = std::make_unique<TarnSchemaEntry>(*this, info, entries);
  }
  return *entry;
}

}  // namespace tarn::engine
