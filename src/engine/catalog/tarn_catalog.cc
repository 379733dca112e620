// An attached lake. See tarn_catalog.h.
#include "engine/catalog/tarn_catalog.h"

#include "duckdb/common/string_util.hpp"
#include "duckdb/main/attached_database.hpp"
#include "duckdb/parser/parsed_data/create_schema_info.hpp"
#include "duckdb/parser/parsed_data/create_table_info.hpp"
#include "duckdb/parser/parsed_data/drop_info.hpp"
#include "duckdb/planner/operator/logical_create_table.hpp"
#include "duckdb/planner/parsed_data/bound_create_table_info.hpp"
#include "duckdb/storage/database_size.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/delete.h"
#include "engine/operators/insert.h"
#include "engine/operators/merge.h"
#include "engine/operators/update.h"
#include "engine/store/lake_store.h"

namespace tarn::engine {
namespace {

TarnTransaction& TransactionOf(duckdb::CatalogTransaction& transaction) {
  return transaction.transaction->Cast<TarnTransaction>();
}

}  // namespace

TarnCatalog::TarnCatalog(duckdb::AttachedDatabase& db, std::shared_ptr<Lake> lake,
                         LakeAttachOptions options)
    : duckdb::Catalog(db), lake_(std::move(lake)), options_(std::move(options)) {
  db.tags["data_path"] = lake_->data_path();
}

TarnCatalog::~TarnCatalog() = default;

std::shared_ptr<EntrySet> TarnCatalog::EntriesOf(const std::shared_ptr<const CatalogView>& view) {
  std::lock_guard lock(mutex_);
  if (!entries_ || entries_->view() != view)
    entries_ = std::make_shared<EntrySet>(*this, view, std::nullopt);
  return entries_;
}

void TarnCatalog::Initialize(bool) {}

duckdb::DatabaseSize TarnCatalog::GetDatabaseSize(duckdb::ClientContext& context) {
  return Guard([&] {
    duckdb::DatabaseSize size;
    for (const auto& table : TarnTransaction::Get(context, *this).kernel().ListTableInfo()) {
      size.bytes +=
          static_cast<duckdb::idx_t>(table.file_size_bytes + table.delete_file_size_bytes);
    }
    return size;
  });
}

bool TarnCatalog::HasConflictingAttachOptions(const std::string& path,
                                              const duckdb::AttachOptions& options) {
  const bool same_type = options.db_type == "ducklake" || options.db_type == "tarn";
  return !same_type || path != options_.attach_path || options.options != options_.attach_values;
}

void TarnCatalog::OnDetach(duckdb::ClientContext&) {
  // Transactions that began before keep the lake itself.
  ReleaseLakeStoreName(lake_->store());
}

duckdb::CatalogLookupBehavior TarnCatalog::CatalogTypeLookupRule(duckdb::CatalogType type) const {
  switch (type) {
    case duckdb::CatalogType::TYPE_ENTRY:
    case duckdb::CatalogType::COLLATION_ENTRY:
    case duckdb::CatalogType::COPY_FUNCTION_ENTRY:
    case duckdb::CatalogType::PRAGMA_FUNCTION_ENTRY:
      return duckdb::CatalogLookupBehavior::NEVER_LOOKUP;
    default:
      return duckdb::CatalogLookupBehavior::STANDARD;
  }
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnCatalog::CreateSchema(
    duckdb::CatalogTransaction transaction, duckdb::CreateSchemaInfo& info) {
  return Guard([&]() -> duckdb::optional_ptr<duckdb::CatalogEntry> {
    auto& own = TransactionOf(transaction);
    if (const auto* existing = own.Entries().FindSchema(info.schema)) {
      switch (info.on_conflict) {
        case duckdb::OnCreateConflict::IGNORE_ON_CONFLICT:
          return nullptr;
        case duckdb::OnCreateConflict::REPLACE_ON_CONFLICT:
          own.DropSchema(existing->lake_schema(), false);
          break;
        default:
          throw duckdb::CatalogException::EntryAlreadyExists(duckdb::CatalogType::SCHEMA_ENTRY,
                                                             info.schema);
      }
    }
    own.kernel().CreateSchema(info.schema);
    return own.Entries().FindSchema(info.schema);
  });
}

void TarnCatalog::DropSchema(duckdb::ClientContext& context, duckdb::DropInfo& info) {
  Guard([&] {
    auto& transaction = TarnTransaction::Get(context, *this);
    const auto* schema = transaction.Entries().FindSchema(info.name);
    if (!schema) {
      if (info.if_not_found == duckdb::OnEntryNotFound::RETURN_NULL) return;
      throw duckdb::BinderException("Schema \"%s\" not found in DuckLakeCatalog \"%s\"", info.name,
                                    GetName());
    }
    try {
      transaction.DropSchema(schema->lake_schema(), info.cascade);
    } catch (const Error& error) {
      // A schema that is not empty is an error of the catalog in DuckDB: the transaction goes on.
      if (error.code() != ErrorCode::kInvalid) throw;
      throw duckdb::CatalogException(error.message());
    }
  });
}

duckdb::optional_ptr<duckdb::SchemaCatalogEntry> TarnCatalog::LookupSchema(
    duckdb::CatalogTransaction transaction, const duckdb::EntryLookupInfo& lookup,
    duckdb::OnEntryNotFound if_not_found) {
  return Guard([&]() -> duckdb::optional_ptr<duckdb::SchemaCatalogEntry> {
    auto& own = TransactionOf(transaction);
    const auto at = lookup.GetAtClause();
    auto& entries = at ? own.EntriesAt(transaction.GetContext(), *at) : own.Entries();
    if (auto* schema = entries.FindSchema(lookup.GetEntryName())) return schema;
    if (if_not_found == duckdb::OnEntryNotFound::RETURN_NULL) return nullptr;
    throw duckdb::BinderException("Schema \"%s\" not found in DuckLakeCatalog \"%s\"",
                                  lookup.GetEntryName(), GetName());
  });
}

void TarnCatalog::ScanSchemas(duckdb::ClientContext& context,
                              std::function<void(duckdb::SchemaCatalogEntry&)> callback) {
  Guard([&] { TarnTransaction::Get(context, *this).Entries().VisitSchemas(callback); });
}

duckdb::unique_ptr<duckdb::LogicalOperator> TarnCatalog::BindCreateIndex(
    duckdb::Binder&, duckdb::CreateStatement&, duckdb::TableCatalogEntry&,
    duckdb::unique_ptr<duckdb::LogicalOperator>) {
  throw duckdb::NotImplementedException(
      "DuckLake does not support indexes: a lake finds rows by the statistics of its files.");
}

duckdb::unique_ptr<duckdb::LogicalOperator> TarnCatalog::BindAlterAddIndex(
    duckdb::Binder&, duckdb::TableCatalogEntry&, duckdb::unique_ptr<duckdb::LogicalOperator>,
    duckdb::unique_ptr<duckdb::CreateIndexInfo>, duckdb::unique_ptr<duckdb::AlterTableInfo>) {
  throw duckdb::BinderException(
      "PRIMARY KEY/UNIQUE constraints are not supported in DuckLake: NOT NULL is the only "
      "constraint "
      "of a lake's columns.");
}

duckdb::ErrorData TarnCatalog::SupportsCreateTable(duckdb::BoundCreateTableInfo& info) {
  const auto& base = info.Base().Cast<duckdb::CreateTableInfo>();
  if (!base.options.empty()) {
    return duckdb::ErrorData(duckdb::ExceptionType::NOT_IMPLEMENTED,
                             "WITH is not supported in CREATE TABLE of a lake: create the table "
                             "without it, and use ducklake_set_option.");
  }
  return duckdb::ErrorData();
}

duckdb::PhysicalOperator& TarnCatalog::PlanCreateTableAs(duckdb::ClientContext& context,
                                                         duckdb::PhysicalPlanGenerator& planner,
                                                         duckdb::LogicalCreateTable& op,
                                                         duckdb::PhysicalOperator& plan) {
  // The binder asks SupportsCreateTable for a plain CREATE TABLE only; here nothing must be dropped
  // silently either.
  const auto error = SupportsCreateTable(*op.info);
  if (error.HasError()) error.Throw();
  return Guard([&]() -> duckdb::PhysicalOperator& {
    return engine::PlanCreateTableAs(context, planner, op, plan);
  });
}

duckdb::PhysicalOperator& TarnCatalog::PlanInsert(
    duckdb::ClientContext& context, duckdb::PhysicalPlanGenerator& planner,
    duckdb::LogicalInsert& op, duckdb::optional_ptr<duckdb::PhysicalOperator> plan) {
  return Guard([&]() -> duckdb::PhysicalOperator& {
    return engine::PlanInsert(context, planner, op, plan);
  });
}

duckdb::PhysicalOperator& TarnCatalog::PlanDelete(duckdb::ClientContext& context,
                                                  duckdb::PhysicalPlanGenerator& planner,
                                                  duckdb::LogicalDelete& op,
                                                  duckdb::PhysicalOperator& plan) {
  return Guard([&]() -> duckdb::PhysicalOperator& {
    return engine::PlanDelete(context, planner, op, plan);
  });
}

duckdb::PhysicalOperator& TarnCatalog::PlanUpdate(duckdb::ClientContext& context,
                                                  duckdb::PhysicalPlanGenerator& planner,
                                                  duckdb::LogicalUpdate& op,
                                                  duckdb::PhysicalOperator& plan) {
  return Guard([&]() -> duckdb::PhysicalOperator& {
    return engine::PlanUpdate(context, planner, op, plan);
  });
}

duckdb::PhysicalOperator& TarnCatalog::PlanMergeInto(duckdb::ClientContext& context,
                                                     duckdb::PhysicalPlanGenerator& planner,
                                                     duckdb::LogicalMergeInto& op,
                                                     duckdb::PhysicalOperator& plan) {
  return Guard([&]() -> duckdb::PhysicalOperator& {
    return engine::PlanMergeInto(context, planner, op, plan);
  });
}

}  // namespace tarn::engine
