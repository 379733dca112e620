// An attached lake: DuckDB's Catalog over a tarn::Lake.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "duckdb.hpp"
#include "duckdb/catalog/catalog.hpp"
#include "engine/catalog/attach_options.h"
#include "engine/catalog/entry_set.h"
#include "engine/catalog/upkeep_after_commits.h"
#include "tarn/lake.h"

namespace tarn::engine {

/// Lives as long as the attachment. Thread safe: all state of one transaction is in its
/// TarnTransaction.
class TarnCatalog : public duckdb::Catalog {
 public:
  TarnCatalog(duckdb::AttachedDatabase& db, std::shared_ptr<Lake> lake, LakeAttachOptions options);
  ~TarnCatalog() override;

  Lake& lake() { return *lake_; }
  const std::shared_ptr<Lake>& shared_lake() { return lake_; }
  const LakeAttachOptions& attach_options() const { return options_; }
  const UpkeepTurn& upkeep_turn() const { return upkeep_turn_; }
  /// Entries of a view, kept from one transaction to the next while the view stays the same.
  std::shared_ptr<EntrySet> EntriesOf(const std::shared_ptr<const CatalogView>& view);

  void Initialize(bool load_builtin) override;
  std::string GetCatalogType() override { return "ducklake"; }
  bool SupportsTimeTravel() const override { return true; }
  bool InMemory() override { return options_.metadata_path == ":memory:"; }
  std::string GetDBPath() override { return options_.shown_path; }
  bool IsEncrypted() const override { return lake_->encrypted(); }
  duckdb::DatabaseSize GetDatabaseSize(duckdb::ClientContext& context) override;
  bool HasConflictingAttachOptions(const std::string& path,
                                   const duckdb::AttachOptions& options) override;
  void OnDetach(duckdb::ClientContext& context) override;
  duckdb::CatalogLookupBehavior CatalogTypeLookupRule(duckdb::CatalogType type) const override;

  duckdb::optional_ptr<duckdb::CatalogEntry> CreateSchema(duckdb::CatalogTransaction transaction,
                                                          duckdb::CreateSchemaInfo& info) override;
  duckdb::optional_ptr<duckdb::SchemaCatalogEntry> LookupSchema(
      duckdb::CatalogTransaction transaction, const duckdb::EntryLookupInfo& lookup,
      duckdb::OnEntryNotFound if_not_found) override;
  void ScanSchemas(duckdb::ClientContext& context,
                   std::function<void(duckdb::SchemaCatalogEntry&)> callback) override;

  // Both refuse: the binder would go on to look for a DuckDB table's storage.
  duckdb::unique_ptr<duckdb::LogicalOperator> BindCreateIndex(
      duckdb::Binder& binder, duckdb::CreateStatement& statement, duckdb::TableCatalogEntry& table,
      duckdb::unique_ptr<duckdb::LogicalOperator> plan) override;
  duckdb::unique_ptr<duckdb::LogicalOperator> BindAlterAddIndex(
      duckdb::Binder& binder, duckdb::TableCatalogEntry& table,
      duckdb::unique_ptr<duckdb::LogicalOperator> plan,
      duckdb::unique_ptr<duckdb::CreateIndexInfo> create_info,
      duckdb::unique_ptr<duckdb::AlterTableInfo> alter_info) override;
  duckdb::ErrorData SupportsCreateTable(duckdb::BoundCreateTableInfo& info) override;
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
  duckdb::PhysicalOperator& PlanMergeInto(duckdb::ClientContext& context,
                                          duckdb::PhysicalPlanGenerator& planner,
                                          duckdb::LogicalMergeInto& op,
                                          duckdb::PhysicalOperator& plan) override;

 private:
  void DropSchema(duckdb::ClientContext& context, duckdb::DropInfo& info) override;

  const std::shared_ptr<Lake> lake_;
  const LakeAttachOptions options_;
  const UpkeepTurn upkeep_turn_ = std::make_shared<std::mutex>();
  std::mutex mutex_;
  std::shared_ptr<EntrySet> entries_;
};

}  // namespace tarn::engine
