// `__ducklake_metadata_<lake>`: the tables of a lake's catalog database in SQL, read through Tarn's
// own driver. (The tables of a catalog in a DuckDB file need none of this: the file itself is
// attached.)
//
// Read-only: a lake changes through its own statements, and its bookkeeping through set_option and
// the like.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "duckdb.hpp"
#include "duckdb/catalog/catalog.hpp"
#include "duckdb/catalog/catalog_entry/schema_catalog_entry.hpp"
#include "duckdb/transaction/transaction.hpp"
#include "duckdb/transaction/transaction_manager.hpp"
#include "engine/store/owned_attachment.h"
#include "tarn/catalog_store.h"

namespace tarn::engine {

/// Registers the storage extension behind these databases. Call it where Tarn's own is registered.
void RegisterMetadataStorage(duckdb::DatabaseInstance& db);

/// Shows the tables of `store` as database `name`, as long as the result lives.
std::shared_ptr<OwnedAttachment> AttachMetadata(duckdb::DatabaseInstance& instance,
                                                std::shared_ptr<CatalogStore> store,
                                                const std::string& name, bool hidden, bool replace);

class MetadataSchemaEntry;

class MetadataCatalog : public duckdb::Catalog {
 public:
  MetadataCatalog(duckdb::AttachedDatabase& db, std::shared_ptr<CatalogStore> store);
  ~MetadataCatalog() override;

  const std::shared_ptr<CatalogStore>& store() const { return store_; }
  /// A connection that ends with the query that asked for it.
  std::unique_ptr<StoreConnection> Connect(duckdb::ClientContext& context) const;

  void Initialize(bool load_builtin) override;
  std::string GetCatalogType() override { return std::string(store_->dialect().name()); }
  bool InMemory() override { return false; }
  std::string GetDBPath() override { return store_->location(); }
  duckdb::DatabaseSize GetDatabaseSize(duckdb::ClientContext& context) override;

  duckdb::optional_ptr<duckdb::SchemaCatalogEntry> LookupSchema(
      duckdb::CatalogTransaction transaction, const duckdb::EntryLookupInfo& lookup,
      duckdb::OnEntryNotFound if_not_found) override;
  void ScanSchemas(duckdb::ClientContext& context,
                   std::function<void(duckdb::SchemaCatalogEntry&)> callback) override;

  // All that would change something.
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateSchema(duckdb::CatalogTransaction transaction,
                                                          duckdb::CreateSchemaInfo& info) override;
  duckdb::PhysicalOperator& PlanCreateTableAs(duckdb::ClientContext& context,
                                              duckdb::PhysicalPlanGenerator& planner,
                                              duckdb::LogicalCreateTable& op,
                                              duckdb::PhysicalOperator& plan) override;
  duckdb::PhysicalOperator& PlanInsert(
      duckdb::ClientContext& context, duckdb::PhysicalPlanGenerator& planner,
      duckdb::LogicalInsert& op, duckdb::optional_ptr<duckdb::PhysicalOperator> plan) override;
  duckdb::PhysicalOperator& PlanDelete(duckdb::ClientContext& context,
                                       duckdb::PhysicalPlanGenerator& planner,
                                       duckdb::LogicalDelete& op,
                                       duckdb::PhysicalOperator& plan) override;
  duckdb::PhysicalOperator& PlanUpdate(duckdb::ClientContext& context,
                                       duckdb::PhysicalPlanGenerator& planner,
                                       duckdb::LogicalUpdate& op,
                                       duckdb::PhysicalOperator& plan) override;

  /// One sentence for each refused change.
  [[noreturn]] void Refuse() const;

 private:
  void DropSchema(duckdb::ClientContext& context, duckdb::DropInfo& info) override;

  const std::shared_ptr<CatalogStore> store_;
  duckdb::unique_ptr<MetadataSchemaEntry> schema_;
};

/// Keeps the entries that were handed out, since DuckDB holds plain references to them while it
/// plans and runs.
class MetadataTransaction : public duckdb::Transaction {
 public:
  MetadataTransaction(duckdb::TransactionManager& manager, duckdb::ClientContext& context)
      : Transaction(manager, context) {}

  /// Null when there is no such table. Looked up once per transaction and name.
  duckdb::CatalogEntry* FindTable(MetadataSchemaEntry& schema, duckdb::ClientContext& context,
                                  const std::string& name);

 private:
  std::mutex mutex_;
  duckdb::case_insensitive_map_t<duckdb::unique_ptr<duckdb::CatalogEntry>> tables_;
};

class MetadataTransactionManager : public duckdb::TransactionManager {
 public:
  using TransactionManager::TransactionManager;
  duckdb::Transaction& StartTransaction(duckdb::ClientContext& context) override;
  duckdb::ErrorData CommitTransaction(duckdb::ClientContext& context,
                                      duckdb::Transaction& transaction) override;
  void RollbackTransaction(duckdb::Transaction& transaction) override;
  void Checkpoint(duckdb::ClientContext& context, bool force) override;

 private:
  std::mutex mutex_;
  std::map<duckdb::Transaction*, duckdb::unique_ptr<MetadataTransaction>> transactions_;
};

/// The one schema, `main`.
class MetadataSchemaEntry : public duckdb::SchemaCatalogEntry {
 public:
  MetadataSchemaEntry(MetadataCatalog& catalog, duckdb::CreateSchemaInfo& info);

  MetadataCatalog& metadata_catalog() const { return metadata_catalog_; }

  void Scan(duckdb::ClientContext& context, duckdb::CatalogType type,
            const std::function<void(duckdb::CatalogEntry&)>& callback) override;
  void Scan(duckdb::CatalogType type,
            const std::function<void(duckdb::CatalogEntry&)>& callback) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> LookupEntry(
      duckdb::CatalogTransaction transaction, const duckdb::EntryLookupInfo& lookup) override;

  void DropEntry(duckdb::ClientContext& context, duckdb::DropInfo& info) override;
  void Alter(duckdb::CatalogTransaction transaction, duckdb::AlterInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateIndex(duckdb::CatalogTransaction transaction,
                                                         duckdb::CreateIndexInfo& info,
                                                         duckdb::TableCatalogEntry& table) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateFunction(
      duckdb::CatalogTransaction transaction, duckdb::CreateFunctionInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateTable(
      duckdb::CatalogTransaction transaction, duckdb::BoundCreateTableInfo& info) override;
  duckdb::optional_ptr<duckdb::CatalogEntry> CreateView(duckdb::CatalogTransaction transaction,
                                                        duckdb::CreateViewInfo& info) override;
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
  MetadataCatalog& metadata_catalog_;
};

}  // namespace tarn::engine
