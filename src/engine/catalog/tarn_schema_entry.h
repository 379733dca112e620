// A lake's schema as DuckDB sees it: looks up and lists what is in it, creates and drops.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "duckdb.hpp"
#include "duckdb/catalog/catalog_entry/schema_catalog_entry.hpp"
#include "duckdb/parser/parsed_data/alter_table_info.hpp"
#include "duckdb/parser/parsed_data/create_schema_info.hpp"
#include "tarn/schema.h"

namespace tarn::engine {

class EntrySet;
class TarnCatalog;
class TarnTransaction;

/// What a comment says; nullopt for NULL, which takes it away.
inline std::optional<std::string> CommentOf(const duckdb::Value& comment) {
  return comment.IsNull() ? std::nullopt : std::optional(comment.ToString());
}

/// Part of an EntrySet. Look-ups of an entry that belongs to no AT clause go to the transaction's
/// present view, so a reference to a schema stays useful while its transaction changes what is in
/// it.
class TarnSchemaEntry : public duckdb::SchemaCatalogEntry {
 public:
  TarnSchemaEntry(EntrySet& set, duckdb::CreateSchemaInfo& info,
                  std::shared_ptr<const CatalogView::SchemaEntries> entries);
  ~TarnSchemaEntry() override;

  const tarn::Schema& lake_schema() const { return *entries_->schema; }
  TarnCatalog& lake_catalog() const;
  /// The lake's objects that this entry is one of.
  const CatalogView& view() const;

  /// For EXPORT DATABASE: where it is imported, a schema of the name may be there.
  duckdb::unique_ptr<duckdb::CreateInfo> GetInfo() const override;

  void Scan(duckdb::ClientContext& context, duckdb::CatalogType type,
            const std::function<void(duckdb::CatalogEntry&)>& callback) override;
  void Scan(duckdb::CatalogType type,
            const std::function<void(duckdb::CatalogEntry&)>& callback) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> LookupEntry(
      duckdb::CatalogTransaction transaction, const duckdb::EntryLookupInfo& lookup) override;
  /// Compares names only: a misspelled name must not make an entry of each table.
  duckdb::SimilarCatalogEntry GetSimilarEntry(duckdb::CatalogTransaction transaction,
                                              const duckdb::EntryLookupInfo& lookup) override;
  void DropEntry(duckdb::ClientContext& context, duckdb::DropInfo& info) override;
  void Alter(duckdb::CatalogTransaction transaction, duckdb::AlterInfo& info) override;

  duckdb::optional_ptr<duckdb::CatalogEntry> CreateTable(
      duckdb::CatalogTransaction transaction, duckdb::BoundCreateTableInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateView(duckdb::CatalogTransaction transaction,
                                                        duckdb::CreateViewInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateFunction(
      duckdb::CatalogTransaction transaction, duckdb::CreateFunctionInfo& info) override;
  // What the format has no place for: one clear sentence each.
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateIndex(duckdb::CatalogTransaction transaction,
                                                         duckdb::CreateIndexInfo& info,
                                                         duckdb::TableCatalogEntry& table) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateSequence(
      duckdb::CatalogTransaction transaction, duckdb::CreateSequenceInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateTableFunction(
      duckdb::CatalogTransaction transaction, duckdb::CreateTableFunctionInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateCopyFunction(
      duckdb::CatalogTransaction transaction, duckdb::CreateCopyFunctionInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreatePragmaFunction(
      duckdb::CatalogTransaction transaction, duckdb::CreatePragmaFunctionInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateCollation(
      duckdb::CatalogTransaction transaction, duckdb::CreateCollationInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateType(duckdb::CatalogTransaction transaction,
                                                        duckdb::CreateTypeInfo& info) override;

 private:
  friend class EntrySet;
  using EntryMap = std::map<std::string, duckdb::unique_ptr<duckdb::CatalogEntry>, NameLess>;

  /// This schema in the transaction's present view, or itself under an AT clause; null when it was
  /// dropped.
  TarnSchemaEntry* Present(TarnTransaction& transaction);
  /// The present schema, to change it; throws when it was dropped.
  TarnSchemaEntry& Changeable(TarnTransaction& transaction);

  // Entries of this set's view, made at the first look. Null when there is no such object.
  duckdb::CatalogEntry* FindTableOrView(const std::string& name);
  duckdb::CatalogEntry* FindScalarMacro(const std::string& name);
  duckdb::CatalogEntry* FindTableFunction(const std::string& name);
  /// What DuckDB may know as `type`: all kinds that share its names.
  duckdb::CatalogEntry* Find(duckdb::CatalogType type, const std::string& name);
  void VisitNames(duckdb::CatalogType type,
                  const std::function<void(const std::string&)>& visit) const;
  /// Clears the way for a new table or view as `on_conflict` says; false when the statement is to
  /// do nothing.
  bool PrepareCreate(TarnTransaction& transaction, duckdb::CatalogType type,
                     const std::string& name, duckdb::OnCreateConflict on_conflict);

  void DropMacro(TarnTransaction& transaction, const duckdb::DropInfo& info);
  void SetComment(TarnTransaction& transaction, duckdb::SetCommentInfo& info);

  EntrySet& set_;
  std::shared_ptr<const CatalogView::SchemaEntries> entries_;
  std::mutex mutex_;                                                    ///< guards the maps below
  EntryMap tables_, views_, scalar_macros_, table_macros_, functions_;  ///< made so far
};

}  // namespace tarn::engine
