// A lake's schema as DuckDB sees it: look-ups, listings, and what the format has no place for. See
// tarn_schema_entry.h; CREATE and DROP are in tarn_schema_ddl.cc, ALTER and COMMENT ON in
// tarn_schema_alter.cc, macros in tarn_schema_macros.cc.
#include "engine/catalog/tarn_schema_entry.h"

#include "duckdb/common/string_util.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/entry_factory.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"

namespace tarn::engine {

TarnSchemaEntry::TarnSchemaEntry(EntrySet& set, duckdb::CreateSchemaInfo& info,
                                 std::shared_ptr<const CatalogView::SchemaEntries> entries)
    : duckdb::SchemaCatalogEntry(set.catalog(), info), set_(set), entries_(std::move(entries)) {}

TarnSchemaEntry::~TarnSchemaEntry() = default;

duckdb::unique_ptr<duckdb::CreateInfo> TarnSchemaEntry::GetInfo() const {
  auto info = SchemaCatalogEntry::GetInfo();
  info->on_conflict = duckdb::OnCreateConflict::IGNORE_ON_CONFLICT;
  return info;
}

TarnCatalog& TarnSchemaEntry::lake_catalog() const { return set_.catalog(); }

const CatalogView& TarnSchemaEntry::view() const { return *set_.view(); }

TarnSchemaEntry* TarnSchemaEntry::Present(TarnTransaction& transaction) {
  if (set_.at()) return this;
  auto& present = transaction.Entries();
  return &present == &set_ ? this : present.FindSchema(name);
}

TarnSchemaEntry& TarnSchemaEntry::Changeable(TarnTransaction& transaction) {
  auto* schema = Present(transaction);
  if (!schema)
    throw Error(ErrorCode::kNotFound, "Schema \"" + name + "\" was dropped in this transaction.");
  return *schema;
}

duckdb::CatalogEntry* TarnSchemaEntry::FindTableOrView(const std::string& entry_name) {
  std::lock_guard lock(mutex_);
  if (const auto table = entries_->tables.find(entry_name); table != entries_->tables.end()) {
    auto& entry = tables_[table->first];
    if (!entry) entry = MakeTableEntry(set_.catalog(), *this, table->second, set_.at());
    return entry.get();
  }
  if (const auto view = entries_->views.find(entry_name); view != entries_->views.end()) {
    auto& entry = views_[view->first];
    if (!entry) entry = MakeViewEntry(set_.catalog(), *this, *view->second);
    return entry.get();
  }
  return nullptr;
}

duckdb::CatalogEntry* TarnSchemaEntry::FindScalarMacro(const std::string& entry_name) {
  std::lock_guard lock(mutex_);
  const auto macro = entries_->scalar_macros.find(entry_name);
  if (macro == entries_->scalar_macros.end()) return nullptr;
  auto& entry = scalar_macros_[macro->first];
  if (!entry) entry = MakeMacroEntry(set_.catalog(), *this, *macro->second);
  return entry.get();
}

duckdb::CatalogEntry* TarnSchemaEntry::FindTableFunction(const std::string& entry_name) {
  std::lock_guard lock(mutex_);
  if (const auto macro = entries_->table_macros.find(entry_name);
      macro != entries_->table_macros.end()) {
    auto& entry = table_macros_[macro->first];
    if (!entry) entry = MakeMacroEntry(set_.catalog(), *this, *macro->second);
    return entry.get();
  }
  // The functions of a lake: lake.snapshots(). They answer in every schema.
  auto& entry = functions_[entry_name];
  if (!entry) entry = MakeLakeMethod(set_.catalog(), *this, entry_name);
  return entry.get();
}

duckdb::CatalogEntry* TarnSchemaEntry::Find(duckdb::CatalogType type,
                                            const std::string& entry_name) {
  switch (type) {
    case duckdb::CatalogType::TABLE_ENTRY:
    case duckdb::CatalogType::VIEW_ENTRY:
      return FindTableOrView(entry_name);
    case duckdb::CatalogType::MACRO_ENTRY:
    case duckdb::CatalogType::SCALAR_FUNCTION_ENTRY:
    case duckdb::CatalogType::AGGREGATE_FUNCTION_ENTRY:
      return FindScalarMacro(entry_name);
    case duckdb::CatalogType::TABLE_MACRO_ENTRY:
    case duckdb::CatalogType::TABLE_FUNCTION_ENTRY:
      return FindTableFunction(entry_name);
    default:
      return nullptr;
  }
}

void TarnSchemaEntry::VisitNames(duckdb::CatalogType type,
                                 const std::function<void(const std::string&)>& visit) const {
  const auto all = [&](const auto& objects) {
    for (const auto& [object_name, object] : objects) visit(object_name);
  };
  switch (type) {
    case duckdb::CatalogType::TABLE_ENTRY:
    case duckdb::CatalogType::VIEW_ENTRY:
      all(entries_->tables);
      all(entries_->views);
      break;
    case duckdb::CatalogType::MACRO_ENTRY:
    case duckdb::CatalogType::SCALAR_FUNCTION_ENTRY:
      all(entries_->scalar_macros);
      break;
    case duckdb::CatalogType::TABLE_MACRO_ENTRY:
    case duckdb::CatalogType::TABLE_FUNCTION_ENTRY:
      all(entries_->table_macros);
      break;
    default:
      break;
  }
}

void TarnSchemaEntry::Scan(duckdb::ClientContext& context, duckdb::CatalogType type,
                           const std::function<void(duckdb::CatalogEntry&)>& callback) {
  Guard([&] {
    auto* present = Present(TarnTransaction::Get(context, catalog));
    if (present)
      present->VisitNames(
          type, [&](const std::string& entry_name) { callback(*present->Find(type, entry_name)); });
  });
}

void TarnSchemaEntry::Scan(duckdb::CatalogType type,
                           const std::function<void(duckdb::CatalogEntry&)>& callback) {
  Guard([&] {
    VisitNames(type, [&](const std::string& entry_name) { callback(*Find(type, entry_name)); });
  });
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::LookupEntry(
    duckdb::CatalogTransaction transaction, const duckdb::EntryLookupInfo& lookup) {
  return Guard([&]() -> duckdb::optional_ptr<duckdb::CatalogEntry> {
    auto* present = Present(transaction.transaction->Cast<TarnTransaction>());
    if (!present) return nullptr;
    return present->Find(lookup.GetCatalogType(), lookup.GetEntryName());
  });
}

duckdb::SimilarCatalogEntry TarnSchemaEntry::GetSimilarEntry(
    duckdb::CatalogTransaction transaction, const duckdb::EntryLookupInfo& lookup) {
  return Guard([&] {
    duckdb::SimilarCatalogEntry result;
    const auto* present = Present(transaction.transaction->Cast<TarnTransaction>());
    if (!present) return result;
    present->VisitNames(lookup.GetCatalogType(), [&](const std::string& entry_name) {
      const auto score = duckdb::StringUtil::SimilarityRating(entry_name, lookup.GetEntryName());
      if (score > result.score) {
        result.score = score;
        result.name = entry_name;
      }
    });
    return result;
  });
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreateIndex(
    duckdb::CatalogTransaction, duckdb::CreateIndexInfo&, duckdb::TableCatalogEntry&) {
  throw duckdb::NotImplementedException(
      "DuckLake does not support indexes: a lake finds rows by the statistics of its files.");
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreateSequence(
    duckdb::CatalogTransaction, duckdb::CreateSequenceInfo& info) {
  throw duckdb::NotImplementedException(
      "DuckLake does not support sequences: create \"%s\" in another database and use it from "
      "there.",
      info.name);
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreateType(
    duckdb::CatalogTransaction, duckdb::CreateTypeInfo& info) {
  throw duckdb::NotImplementedException(
      "DuckLake does not support user-defined types: write the type \"%s\" where a column is "
      "defined.",
      info.name);
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreateTableFunction(
    duckdb::CatalogTransaction, duckdb::CreateTableFunctionInfo&) {
  throw duckdb::NotImplementedException("DuckLake does not support table functions of extensions.");
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreateCopyFunction(
    duckdb::CatalogTransaction, duckdb::CreateCopyFunctionInfo&) {
  throw duckdb::NotImplementedException("DuckLake does not support copy functions.");
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreatePragmaFunction(
    duckdb::CatalogTransaction, duckdb::CreatePragmaFunctionInfo&) {
  throw duckdb::NotImplementedException("DuckLake does not support pragma functions.");
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreateCollation(
    duckdb::CatalogTransaction, duckdb::CreateCollationInfo&) {
  throw duckdb::NotImplementedException("DuckLake does not support collations.");
}

}  // namespace tarn::engine
