// DuckDB's entries for the kernel's objects. See entry_factory.h.
#include "engine/catalog/entry_factory.h"

#include "duckdb/catalog/catalog_entry/scalar_macro_catalog_entry.hpp"
#include "duckdb/catalog/catalog_entry/table_macro_catalog_entry.hpp"
#include "duckdb/catalog/catalog_entry/view_catalog_entry.hpp"
#include "duckdb/parser/constraints/not_null_constraint.hpp"
#include "duckdb/parser/keyword_helper.hpp"
#include "duckdb/parser/parsed_data/create_macro_info.hpp"
#include "duckdb/parser/parsed_data/create_table_info.hpp"
#include "duckdb/parser/parsed_data/create_view_info.hpp"
#include "duckdb/parser/parser.hpp"
#include "duckdb/parser/statement/create_statement.hpp"
#include "duckdb/parser/statement/select_statement.hpp"
#include "engine/bridge/types.h"
#include "engine/bridge/view_sql.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"

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

duckdb::unique_ptr<duckdb::SelectStatement> ParseSelect(const std::string& sql) {
  duckdb::Parser parser;
  parser.ParseQuery(sql);
  if (parser.statements.size() != 1 || parser.statements[0]->type != duckdb::StatementType::SELECT_STATEMENT) {
    throw duckdb::ParserException("not one SELECT statement");
  }
  return duckdb::unique_ptr_cast<duckdb::SQLStatement, duckdb::SelectStatement>(std::move(parser.statements[0]));
}

/// One overload as it stands in CREATE MACRO: (a, b INTEGER := 3) AS a + b.
std::string OverloadSql(const MacroImplementation& implementation) {
  std::string result = "(";
  for (const auto& parameter : implementation.parameters) {
    if (result.size() > 1) result += ", ";
    result += Quote(parameter.name);
    if (parameter.type != "unknown") {
      Column column;
      column.type = parameter.type;
      result += " " + ToLogicalType(column).ToString();
    }
    if (parameter.default_value && parameter.default_value_type != "unknown") {
      Column column;
      column.type = parameter.default_value_type;
      const auto type = ToLogicalType(column);
      // The format stores a value as plain text beside its type.
      result += " := CAST(" + duckdb::KeywordHelper::WriteQuoted(*parameter.default_value, '\'') + " AS " +
                type.ToString() + ")";
    }
  }
  result += ") AS ";
  if (implementation.type == "table") return result + "TABLE " + implementation.sql;
  return result + "(" + implementation.sql + ")";
}

}  // namespace

duckdb::unique_ptr<duckdb::CatalogEntry> MakeTableEntry(TarnCatalog& catalog, TarnSchemaEntry& schema,
                                                        const std::shared_ptr<const Table>& table,
                                                        const std::optional<Snapshot>& at) {
  duckdb::CreateTableInfo info(schema, table->name);
  info.columns = ToColumnList(*table);
  for (size_t i = 0; i < table->columns.size(); ++i) {
    if (!table->columns[i].nulls_allowed) {
      info.constraints.push_back(duckdb::make_uniq<duckdb::NotNullConstraint>(duckdb::LogicalIndex(i)));
    }
  }
  CopyTags(table->tags, info);
  return duckdb::make_uniq<TarnTableEntry>(catalog, schema, info, table, at);
}

duckdb::unique_ptr<duckdb::CatalogEntry> MakeViewEntry(TarnCatalog& catalog, TarnSchemaEntry& schema, const View& view) {
  duckdb::CreateViewInfo info(schema, view.name);
  info.sql = FromStoredViewSql(view.sql, catalog.GetName());
  info.aliases = FromColumnAliases(view.column_aliases);
  CopyTags(view.tags, info);
  try {
    info.query = ParseSelect(info.sql);
  } catch (const std::exception&) {
    const auto sentence = "View " + Quote(view.name) + " is written in SQL of the dialect \"" + view.dialect +
                          "\" that DuckDB cannot read: create it again.";
    info.query = ParseSelect("SELECT error(" + duckdb::KeywordHelper::WriteQuoted(sentence, '\'') + ")");
  }
  return duckdb::make_uniq<duckdb::ViewCatalogEntry>(catalog, schema, info);
}

duckdb::unique_ptr<duckdb::CatalogEntry> MakeMacroEntry(TarnCatalog& catalog, TarnSchemaEntry& schema,
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
                "Macro " + Quote(macro.name) + " is written in SQL that DuckDB cannot read: create it again.");
  }
  auto& info = parser.statements.at(0)->Cast<duckdb::CreateStatement>().info->Cast<duckdb::CreateMacroInfo>();
  info.catalog = catalog.GetName();
  info.schema = schema.name;
  CopyTags(macro.tags, info);
  if (macro.is_table_macro()) return duckdb::make_uniq<duckdb::TableMacroCatalogEntry>(catalog, schema, info);
  return duckdb::make_uniq<duckdb::ScalarMacroCatalogEntry>(catalog, schema, info);
}

}  // namespace tarn::engine
