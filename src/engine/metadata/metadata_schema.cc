// The schema of a catalog database's tables: looks up, lists, and refuses every change.
#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/parsed_data/create_schema_info.hpp"
#include "engine/bridge/errors.h"
#include "engine/metadata/metadata_catalog.h"

namespace tarn::engine {

MetadataSchemaEntry::MetadataSchemaEntry(MetadataCatalog& catalog, duckdb::CreateSchemaInfo& info)
    : SchemaCatalogEntry(catalog, info), metadata_catalog_(catalog) {}

void MetadataSchemaEntry::Scan(duckdb::ClientContext& context, duckdb::CatalogType type,
                               const std::function<void(duckdb::CatalogEntry&)>& callback) {
  if (type != duckdb::CatalogType::TABLE_ENTRY) return;
  Guard([&] {
    auto& transaction =
        duckdb::Transaction::Get(context, metadata_catalog_).Cast<MetadataTransaction>();
    for (const std::string& table : metadata_catalog_.Connect(context)->ListTables()) {
      if (auto* entry = transaction.FindTable(*this, context, table)) callback(*entry);
    }
  });
}

// Without a client there is no transaction that could keep entries; DuckDB asks so only for its own
// databases.
void MetadataSchemaEntry::Scan(duckdb::CatalogType,
                               const std::function<void(duckdb::CatalogEntry&)>&) {}

duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::LookupEntry(
    duckdb::CatalogTransaction transaction, const duckdb::EntryLookupInfo& lookup) {
  if (lookup.GetCatalogType() != duckdb::CatalogType::TABLE_ENTRY || !transaction.HasContext())
    return nullptr;
  return Guard([&]() -> duckdb::optional_ptr<duckdb::CatalogEntry> {
    auto& own = duckdb::Transaction::Get(transaction.GetContext(), metadata_catalog_)
                    .Cast<MetadataTransaction>();
    return own.FindTable(*this, transaction.GetContext(), lookup.GetEntryName());
  });
}

void MetadataSchemaEntry::DropEntry(duckdb::ClientContext&, duckdb::DropInfo&) {
  metadata_catalog_.Refuse();
}
void MetadataSchemaEntry::Alter(duckdb::CatalogTransaction, duckdb::AlterInfo&) {
  metadata_catalog_.Refuse();
}

duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreateIndex(
    duckdb::CatalogTransaction, duckdb::CreateIndexInfo&, duckdb::TableCatalogEntry&) {
  metadata_catalog_.Refuse();
}
duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreateFunction(
    duckdb::CatalogTransaction, duckdb::CreateFunctionInfo&) {
  metadata_catalog_.Refuse();
}
duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreateTable(
    duckdb::CatalogTransaction, duckdb::BoundCreateTableInfo&) {
  metadata_catalog_.Refuse();
}
duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreateView(
    duckdb::CatalogTransaction, duckdb::CreateViewInfo&) {
  metadata_catalog_.Refuse();
}
duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreateSequence(
    duckdb::CatalogTransaction, duckdb::CreateSequenceInfo&) {
  metadata_catalog_.Refuse();
}
duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreateTableFunction(
    duckdb::CatalogTransaction, duckdb::CreateTableFunctionInfo&) {
  metadata_catalog_.Refuse();
}
duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreateCopyFunction(
    duckdb::CatalogTransaction, duckdb::CreateCopyFunctionInfo&) {
  metadata_catalog_.Refuse();
}
duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreatePragmaFunction(
    duckdb::CatalogTransaction, duckdb::CreatePragmaFunctionInfo&) {
  metadata_catalog_.Refuse();
}
duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreateCollation(
    duckdb::CatalogTransaction, duckdb::CreateCollationInfo&) {
  metadata_catalog_.Refuse();
}
duckdb::optional_ptr<duckdb::CatalogEntry> MetadataSchemaEntry::CreateType(
    duckdb::CatalogTransaction, duckdb::CreateTypeInfo&) {
  metadata_catalog_.Refuse();
}

}  // namespace tarn::engine
