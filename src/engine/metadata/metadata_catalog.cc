// See the header.
#include "engine/metadata/metadata_catalog.h"

#include "base/assert.h"
#include "duckdb/common/string_util.hpp"
#include "duckdb/main/attached_database.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/parser/parsed_data/attach_info.hpp"
#include "duckdb/parser/parsed_data/create_schema_info.hpp"
#include "duckdb/storage/database_size.hpp"
#include "duckdb/storage/storage_extension.hpp"
#include "engine/bridge/errors.h"
#include "engine/metadata/metadata_table.h"

namespace tarn::engine {
namespace {

/// The database type that AttachMetadata asks DuckDB for.
constexpr const char* kStorageType = "tarn_metadata";

/// Hands stores over to the attach call that they are for, by the name of the database.
struct OfferedStores : duckdb::StorageExtensionInfo {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<CatalogStore>> by_name;

  void Offer(const std::string& name, std::shared_ptr<CatalogStore> store) {
    std::lock_guard lock(mutex);
    by_name[name] = std::move(store);
  }

  std::shared_ptr<CatalogStore> Take(const std::string& name) {
    std::lock_guard lock(mutex);
    auto found = by_name.find(name);
    if (found == by_name.end()) return nullptr;
    auto store = std::move(found->second);
    by_name.erase(found);
    return store;
  }
};

duckdb::unique_ptr<duckdb::Catalog> Attach(duckdb::optional_ptr<duckdb::StorageExtensionInfo> info,
                                           duckdb::ClientContext&, duckdb::AttachedDatabase& db,
                                           const duckdb::string& name, duckdb::AttachInfo&,
                                           duckdb::AttachOptions&) {
  auto store = static_cast<OfferedStores&>(*info).Take(name);
  if (!store)
    throw duckdb::BinderException(
        "The database type \"%s\" is Tarn's own: ATTACH the lake, as in 'ducklake:lake.db'.",
        kStorageType);
  return duckdb::make_uniq<MetadataCatalog>(db, std::move(store));
}

duckdb::unique_ptr<duckdb::TransactionManager> CreateTransactionManager(
    duckdb::optional_ptr<duckdb::StorageExtensionInfo>, duckdb::AttachedDatabase& db,
    duckdb::Catalog&) {
  return duckdb::make_uniq<MetadataTransactionManager>(db);
}

}  // namespace

void RegisterMetadataStorage(duckdb::DatabaseInstance& db) {
  auto extension = duckdb::make_shared_ptr<duckdb::StorageExtension>();
  extension->attach = Attach;
  extension->create_transaction_manager = CreateTransactionManager;
  extension->storage_info = duckdb::make_shared_ptr<OfferedStores>();
  duckdb::StorageExtension::Register(duckdb::DBConfig::GetConfig(db), kStorageType, extension);
}

std::shared_ptr<OwnedAttachment> AttachMetadata(duckdb::DatabaseInstance& instance,
                                                std::shared_ptr<CatalogStore> store,
                                                const std::string& name, bool hidden,
                                                bool replace) {
  auto extension =
      duckdb::StorageExtension::Find(duckdb::DBConfig::GetConfig(instance), kStorageType);
  TARN_ASSERT(extension);
  auto& offered = static_cast<OfferedStores&>(*extension->storage_info);
  AttachRequest request;
  request.name = name;
  request.path = store->location();
  request.options["type"] = duckdb::Value(kStorageType);
  request.hidden = hidden;
  request.replace = replace;
  // `offered` lives as long as the instance, and nothing attaches without one.
  request.prepare = [&offered, name, store = std::move(store)] { offered.Offer(name, store); };
  try {
    return OwnedAttachment::Make(instance, std::move(request));
  } catch (...) {
    offered.Take(name);
    throw;
  }
}

MetadataCatalog::MetadataCatalog(duckdb::AttachedDatabase& db, std::shared_ptr<CatalogStore> store)
    : Catalog(db), store_(std::move(store)) {}

MetadataCatalog::~MetadataCatalog() = default;

void MetadataCatalog::Initialize(bool) {
  duckdb::CreateSchemaInfo info;
  info.schema = DEFAULT_SCHEMA;
  info.internal = true;
  schema_ = duckdb::make_uniq<MetadataSchemaEntry>(*this, info);
}

std::unique_ptr<StoreConnection> MetadataCatalog::Connect(duckdb::ClientContext& context) const {
  auto connection = store_->Connect();
  connection->SetInterruptCheck([&context] { return context.interrupted.load(); });
  return connection;
}

duckdb::DatabaseSize MetadataCatalog::GetDatabaseSize(duckdb::ClientContext&) { return {}; }

duckdb::optional_ptr<duckdb::SchemaCatalogEntry> MetadataCatalog::LookupSchema(
    duckdb::CatalogTransaction, const duckdb::EntryLookupInfo& lookup,
    duckdb::OnEntryNotFound if_not_found) {
  const auto& name = lookup.GetEntryName();
  if (name == INVALID_SCHEMA || duckdb::StringUtil::CIEquals(name, DEFAULT_SCHEMA))
    return schema_.get();
  // In a database that has schemas the tables answer to theirs, too.
  const Dialect& dialect = store_->dialect();
  if (dialect.QuoteTable("") == dialect.Quote(name) + "." + dialect.Quote("")) return schema_.get();
  if (if_not_found == duckdb::OnEntryNotFound::RETURN_NULL) return nullptr;
  throw duckdb::BinderException(
      "Schema with name \"%s\" not found: catalog tables are in schema \"%s\".", name,
      DEFAULT_SCHEMA);
}

void MetadataCatalog::ScanSchemas(duckdb::ClientContext&,
                                  std::function<void(duckdb::SchemaCatalogEntry&)> callback) {
  callback(*schema_);
}

void MetadataCatalog::Refuse() const {
  throw duckdb::NotImplementedException(
      "The catalog tables in \"%s\" can only be read here: change the lake by its own statements, "
      "or the database \"%s\" with its own tools.",
      GetName(), store_->location());
}

duckdb::optional_ptr<duckdb::CatalogEntry> MetadataCatalog::CreateSchema(
    duckdb::CatalogTransaction, duckdb::CreateSchemaInfo&) {
  Refuse();
}
duckdb::PhysicalOperator& MetadataCatalog::PlanCreateTableAs(duckdb::ClientContext&,
                                                             duckdb::PhysicalPlanGenerator&,
                                                             duckdb::LogicalCreateTable&,
                                                             duckdb::PhysicalOperator&) {
  Refuse();
}
duckdb::PhysicalOperator& MetadataCatalog::PlanInsert(
    duckdb::ClientContext&, duckdb::PhysicalPlanGenerator&, duckdb::LogicalInsert&,
    duckdb::optional_ptr<duckdb::PhysicalOperator>) {
  Refuse();
}
duckdb::PhysicalOperator& MetadataCatalog::PlanDelete(duckdb::ClientContext&,
                                                      duckdb::PhysicalPlanGenerator&,
                                                      duckdb::LogicalDelete&,
                                                      duckdb::PhysicalOperator&) {
  Refuse();
}
duckdb::PhysicalOperator& MetadataCatalog::PlanUpdate(duckdb::ClientContext&,
                                                      duckdb::PhysicalPlanGenerator&,
                                                      duckdb::LogicalUpdate&,
                                                      duckdb::PhysicalOperator&) {
  Refuse();
}
void MetadataCatalog::DropSchema(duckdb::ClientContext&, duckdb::DropInfo&) { Refuse(); }

duckdb::CatalogEntry* MetadataTransaction::FindTable(MetadataSchemaEntry& schema,
                                                     duckdb::ClientContext& context,
                                                     const std::string& table) {
  std::lock_guard lock(mutex_);
  if (auto found = tables_.find(table); found != tables_.end()) return found->second.get();
  const auto connection = schema.metadata_catalog().Connect(context);
  const auto shape = DescribeMetadataTable(*connection, table);
  if (!shape) return nullptr;
  auto& entry = tables_[table];
  entry = MetadataTableEntry::Make(schema, *shape);
  return entry.get();
}

duckdb::Transaction& MetadataTransactionManager::StartTransaction(duckdb::ClientContext& context) {
  auto transaction = duckdb::make_uniq<MetadataTransaction>(*this, context);
  auto& result = *transaction;
  std::lock_guard lock(mutex_);
  transactions_[&result] = std::move(transaction);
  return result;
}

duckdb::ErrorData MetadataTransactionManager::CommitTransaction(duckdb::ClientContext&,
                                                                duckdb::Transaction& transaction) {
  RollbackTransaction(transaction);
  return {};
}

void MetadataTransactionManager::RollbackTransaction(duckdb::Transaction& transaction) {
  std::lock_guard lock(mutex_);
  transactions_.erase(&transaction);
}

void MetadataTransactionManager::Checkpoint(duckdb::ClientContext&, bool) {}

}  // namespace tarn::engine
