// CREATE and DROP in a lake's schema. See tarn_schema_entry.h.
#include <string>
#include <vector>

#include "duckdb/parser/constraints/not_null_constraint.hpp"
#include "duckdb/parser/parsed_data/create_table_info.hpp"
#include "duckdb/parser/parsed_data/create_view_info.hpp"
#include "duckdb/parser/parsed_data/drop_info.hpp"
#include "duckdb/planner/parsed_data/bound_create_table_info.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/partition_clause.h"
#include "engine/bridge/sort_expressions.h"
#include "engine/bridge/types.h"
#include "engine/bridge/view_sql.h"
#include "engine/catalog/inlining_limit.h"
#include "engine/catalog/reserved_names.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"

namespace tarn::engine {
namespace {

const char* KindOf(duckdb::CatalogType type) {
  return type == duckdb::CatalogType::VIEW_ENTRY ? "View" : "Table";
}

void DropTableOrView(TarnTransaction& transaction, const TarnSchemaEntry& schema,
                     const duckdb::CatalogEntry& entry) {
  if (entry.type == duckdb::CatalogType::TABLE_ENTRY) {
    transaction.DropTable(entry.Cast<TarnTableEntry>().shared_table());
  } else {
    const auto view = transaction.kernel().view()->FindView(schema.name, entry.name);
    transaction.kernel().DropView(view->ref);
  }
}

/// NOT NULL goes to the columns; all other constraints are refused.
void ApplyConstraints(const duckdb::CreateTableInfo& info, std::vector<Column>& columns) {
  for (const auto& constraint : info.constraints) {
    switch (constraint->type) {
      case duckdb::ConstraintType::NOT_NULL:
        columns.at(constraint->Cast<duckdb::NotNullConstraint>().index.index).nulls_allowed = false;
        break;
      case duckdb::ConstraintType::CHECK:
        throw Error(ErrorCode::kUnsupported,
                    "CHECK constraints are not supported in DuckLake: leave them out of table \"" +
                        info.table + "\", and filter the rows when they are inserted.");
      case duckdb::ConstraintType::UNIQUE:
        throw Error(ErrorCode::kUnsupported,
                    "PRIMARY KEY/UNIQUE constraints are not supported in DuckLake: leave them out "
                    "of table \"" +
                        info.table + "\".");
      default:
        throw Error(ErrorCode::kUnsupported,
                    "FOREIGN KEY constraints are not supported in DuckLake: leave them out of "
                    "table \"" +
                        info.table + "\".");
    }
  }
}

/// PARTITIONED BY and SORTED BY of CREATE TABLE, as ALTER TABLE would set them.
void Arrange(duckdb::ClientContext& context, TarnTransaction& transaction,
             const TarnSchemaEntry& schema, const Table& table, duckdb::CreateTableInfo& info) {
  if (!info.partition_keys.empty())
    transaction.kernel().AlterTable(table.ref, ToPartitioning(info.partition_keys));
  if (info.sort_keys.empty()) return;
  duckdb::vector<duckdb::OrderByNode> orders;
  for (const auto& key : info.sort_keys) {
    orders.emplace_back(duckdb::OrderType::ASCENDING, duckdb::OrderByNullType::NULLS_LAST,
                        key->Copy());
  }
  transaction.kernel().SetSortKeys(
      table.ref, ToSortKeys(context, transaction.catalog(), schema.name, table, orders));
}

/// Comments that come with the definition, as COPY FROM DATABASE brings them.
void Comment(TarnTransaction& transaction, const Table& table,
             const duckdb::CreateTableInfo& info) {
  auto& kernel = transaction.kernel();
  if (const auto comment = CommentOf(info.comment))
    kernel.AlterTable(table.ref, SetTableComment{comment});
  for (const auto& column : info.columns.Logical()) {
    if (const auto comment = CommentOf(column.Comment()))
      kernel.AlterTable(table.ref, SetFieldComment{{column.Name()}, comment});
  }
}

}  // namespace

bool TarnSchemaEntry::PrepareCreate(TarnTransaction& transaction, duckdb::CatalogType type,
                                    const std::string& entry_name,
                                    duckdb::OnCreateConflict on_conflict) {
  const auto* existing = FindTableOrView(entry_name);
  if (!existing) return true;
  switch (on_conflict) {
    case duckdb::OnCreateConflict::IGNORE_ON_CONFLICT:
      return false;
    case duckdb::OnCreateConflict::REPLACE_ON_CONFLICT:
      if (existing->type != type) {
        throw duckdb::CatalogException(
            "Existing object %s is of type %s, trying to replace with type %s", entry_name,
            KindOf(existing->type), KindOf(type));
      }
      DropTableOrView(transaction, *this, *existing);
      return true;
    default:
      throw duckdb::CatalogException::EntryAlreadyExists(existing->type, entry_name);
  }
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreateTable(
    duckdb::CatalogTransaction transaction, duckdb::BoundCreateTableInfo& info) {
  return Guard([&]() -> duckdb::optional_ptr<duckdb::CatalogEntry> {
    auto& own = transaction.transaction->Cast<TarnTransaction>();
    auto& schema = Changeable(own);
    auto& base = info.Base().Cast<duckdb::CreateTableInfo>();
    TableDefinition definition;
    definition.schema = schema.name;
    definition.name = base.table;
    definition.columns = ToColumns(base.columns);
    ApplyConstraints(base, definition.columns);
    RefuseReservedNames(transaction.GetContext(), own, schema.lake_schema().ref, std::nullopt,
                        definition.columns);
    if (!schema.PrepareCreate(own, duckdb::CatalogType::TABLE_ENTRY, base.table, base.on_conflict))
      return nullptr;
    const auto table = own.kernel().CreateTable(std::move(definition));
    Arrange(transaction.GetContext(), own, schema, *table, base);
    Comment(own, *table, base);
    return Changeable(own).FindTableOrView(base.table);
  });
}

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreateView(
    duckdb::CatalogTransaction transaction, duckdb::CreateViewInfo& info) {
  return Guard([&]() -> duckdb::optional_ptr<duckdb::CatalogEntry> {
    auto& own = transaction.transaction->Cast<TarnTransaction>();
    auto& schema = Changeable(own);
    if (!schema.PrepareCreate(own, duckdb::CatalogType::VIEW_ENTRY, info.view_name,
                              info.on_conflict))
      return nullptr;
    ViewDefinition definition;
    definition.schema = schema.name;
    definition.name = info.view_name;
    definition.sql = ToStoredViewSql(*info.query, catalog.GetName());
    definition.column_aliases = ToColumnAliases(info.aliases);
    const auto view = own.kernel().CreateView(std::move(definition));
    if (const auto comment = CommentOf(info.comment))
      own.kernel().CommentOnView(view->ref, comment);
    return Changeable(own).FindTableOrView(info.view_name);
  });
}

void TarnSchemaEntry::DropEntry(duckdb::ClientContext& context, duckdb::DropInfo& info) {
  Guard([&] {
    auto& transaction = TarnTransaction::Get(context, catalog);
    auto& schema = Changeable(transaction);
    if (info.type == duckdb::CatalogType::MACRO_ENTRY ||
        info.type == duckdb::CatalogType::TABLE_MACRO_ENTRY) {
      schema.DropMacro(transaction, info);
      return;
    }
    const auto* entry = schema.FindTableOrView(info.name);
    if (!entry) return;  // DuckDB has looked it up already, and said so if it had to exist
    if (entry->type != info.type) {
      throw duckdb::CatalogException("Existing object %s is of type %s, trying to drop type %s",
                                     info.name, KindOf(entry->type), KindOf(info.type));
    }
    // Nothing depends on a lake's table but views, which stay; so CASCADE asks for nothing more.
    DropTableOrView(transaction, schema, *entry);
  });
}

}  // namespace tarn::engine
