// DuckDB's entries for the kernel's objects. See entry_factory.h.
#include "engine/catalog/entry_factory.h"

#include <atomic>

#include "duckdb/catalog/catalog_entry/scalar_macro_catalog_entry.hpp"
#include "duckdb/catalog/catalog_entry/table_macro_catalog_entry.hpp"
#include "duckdb/catalog/catalog_entry/view_catalog_entry.hpp"
#include "duckdb/function/scalar_macro_function.hpp"
#include "duckdb/function/table_macro_function.hpp"
#include "duckdb/main/database_manager.hpp"
#include "duckdb/parser/constraints/not_null_constraint.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/parser/keyword_helper.hpp"
#include "duckdb/parser/parsed_data/create_macro_info.hpp"
#include "duckdb/parser/parsed_data/create_table_info.hpp"
#include "duckdb/parser/parsed_data/create_view_info.hpp"
#include "duckdb/parser/parser.hpp"
#include "duckdb/parser/statement/create_statement.hpp"
#include "engine/bridge/types.h"
#include "engine/bridge/view_sql.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"
#include "format/type_names.h"

namespace tarn::engine {
namespace {

template <class Info>
void CopyTags(const Tags& tags, Info& info) {
  for (const auto& [key, value] : tags) {
    if (key == "comment") {
      info.comment = duckdb::Value(value);
    } else {
      info.tags[key] = value;
    }
  }
}

std::string Quote(const std::string& name) { return duckdb::KeywordHelper::WriteQuoted(name, '"'); }

/// Of a nested type the format keeps the bare word: such a parameter takes anything.
duckdb::LogicalType TypeOf(const std::string& type_name) {
  const auto type = RequireTypeName(type_name);
  if (IsNested(type.kind)) return duckdb::LogicalType(duckdb::LogicalTypeId::UNKNOWN);
  Column column;
  column.type = type_name;
  return ToLogicalType(column);
}

/// One overload as it stands in CREATE MACRO: (a, b) AS a + b.
std::string OverloadSql(const MacroImplementation& implementation) {
  std::string result = "(";
  for (const auto& parameter : implementation.parameters) {
    if (result.size() > 1) result += ", ";
    result += Quote(parameter.name);
  }
  result += ") AS ";
  if (implementation.type == "table") return result + "TABLE " + implementation.sql;
  return result + "(" + implementation.sql + ")";
}

/// Types and defaults, which DuckDB wants bound: the format has each default as plain text beside
/// its type.
void AddTypesAndDefaults(const MacroImplementation& implementation,
                         duckdb::MacroFunction& function) {
  function.types.clear();
  for (const auto& parameter : implementation.parameters) {
    function.types.push_back(parameter.type == "unknown"
                                 ? duckdb::LogicalType(duckdb::LogicalTypeId::UNKNOWN)
                                 : TypeOf(parameter.type));
    if (!parameter.default_value || parameter.default_value_type == "unknown") continue;
    const auto value =
        duckdb::Value(*parameter.default_value).DefaultCastAs(TypeOf(parameter.default_value_type));
    auto constant = duckdb::make_uniq<duckdb::ConstantExpression>(value);
    constant->SetAlias(parameter.name);
    function.default_parameters.insert(parameter.name, std::move(constant));
  }
}

/// A view whose query cannot be bound any more, because a table is gone, has no columns to list.
class TarnViewEntry : public duckdb::ViewCatalogEntry {
 public:
  using ViewCatalogEntry::ViewCatalogEntry;

  duckdb::shared_ptr<duckdb::ViewColumnInfo> GetColumnInfo() const override {
    auto columns = ViewCatalogEntry::GetColumnInfo();
    return columns || !is_broken_ ? columns : duckdb::make_shared_ptr<duckdb::ViewColumnInfo>();
  }

  void BindView(duckdb::ClientContext& context, duckdb::BindViewAction action) override {
    try {
      ViewCatalogEntry::BindView(context, action);
      is_broken_ = false;
    } catch (...) {
      is_broken_ = true;
      throw;
    }
  }

 private:
  std::atomic<bool> is_broken_ = false;
};

/// Lets a macro reach its lake under the name that it is attached under now: a qualifier that is
/// neither a database nor a schema of the lake can only be the name at the time of CREATE MACRO.
void FollowAlias(TarnCatalog& catalog, const CatalogView& view, duckdb::MacroFunction& function) {
  auto& databases = duckdb::DatabaseManager::Get(catalog.GetAttached());
  const auto is_lake = [&](const std::string& name) {
    return !databases.GetDatabase(name) && view.FindSchema(name) == nullptr && name != "main" &&
           name != "pg_catalog" && name != "information_schema";
  };
  if (function.type == duckdb::MacroType::TABLE_MACRO) {
    RenameLake(*function.Cast<duckdb::TableMacroFunction>().query_node, is_lake, catalog.GetName());
  } else {
    RenameLake(*function.Cast<duckdb::ScalarMacroFunction>().expression, is_lake,
               catalog.GetName());
  }
}

}  // namespace

duckdb::unique_ptr<duckdb::CatalogEntry> MakeTableEntry(TarnCatalog& catalog,
                                                        TarnSchemaEntry& schema,
                                                        const std::shared_ptr<const Table>& table,
                                                        const std::optional<Snapshot>& at) {
  duckdb::CreateTableInfo info(schema, table->name);
  info.columns = ToColumnList(*table);
  for (size_t i = 0; i < table->columns.size(); ++i) {
    if (!table->columns[i].nulls_allowed) {
      info.constraints.push_back(
          duckdb::make_uniq<duckdb::NotNullConstraint>(duckdb::LogicalIndex(i)));
    }
  }
  CopyTags(table->tags, info);
  return duckdb::make_uniq<TarnTableEntry>(catalog, schema, info, table, at);
}

duckdb::unique_ptr<duckdb::CatalogEntry> MakeViewEntry(TarnCatalog& catalog,
                                                       TarnSchemaEntry& schema, const View& view) {
  duckdb::CreateViewInfo info(schema, view.name);
  info.aliases = FromColumnAliases(view.column_aliases);
  CopyTags(view.tags, info);
  try {
    info.query = FromStoredViewSql(view.sql, catalog.GetName());
  } catch (const std::exception&) {
    const auto sentence = "View " + Quote(view.name) + " is written in SQL of the dialect \"" +
                          view.dialect + "\" that DuckDB cannot read: create it again.";
    info.query = FromStoredViewSql(
        "SELECT error(" + duckdb::KeywordHelper::WriteQuoted(sentence, '\'') + ")", "");
  }
  info.sql = info.query->ToString();
  return duckdb::make_uniq<TarnViewEntry>(catalog, schema, info);
}

duckdb::unique_ptr<duckdb::CatalogEntry> MakeMacroEntry(TarnCatalog& catalog,
                                                        TarnSchemaEntry& schema,
                                                        const Macro& macro) {
  std::string sql = "CREATE MACRO " + Quote(macro.name);
  const char* separator = " ";
  for (const auto& implementation : macro.implementations) {
    sql += separator + OverloadSql(implementation);
    separator = ", ";
  }
  duckdb::Parser parser;
  try {
    parser.ParseQuery(sql);
  } catch (const std::exception&) {
    throw Error(ErrorCode::kUnsupported,
                "Macro " + Quote(macro.name) +
                    " is written in SQL that DuckDB cannot read: create it again.");
  }
  auto& info = parser.statements.at(0)
                   ->Cast<duckdb::CreateStatement>()
                   .info->Cast<duckdb::CreateMacroInfo>();
  for (size_t i = 0; i < macro.implementations.size(); ++i) {
    AddTypesAndDefaults(macro.implementations[i], *info.macros.at(i));
    FollowAlias(catalog, schema.view(), *info.macros.at(i));
  }
  info.catalog = catalog.GetName();
  info.schema = schema.name;
  CopyTags(macro.tags, info);
  if (macro.is_table_macro())
    return duckdb::make_uniq<duckdb::TableMacroCatalogEntry>(catalog, schema, info);
  return duckdb::make_uniq<duckdb::ScalarMacroCatalogEntry>(catalog, schema, info);
}

}  // namespace tarn::engine
