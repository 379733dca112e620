// CREATE MACRO and DROP MACRO in a lake's schema. See tarn_schema_entry.h; format page, section 1.
#include <string>
#include <utility>

#include "duckdb/function/scalar_macro_function.hpp"
#include "duckdb/function/table_macro_function.hpp"
#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/parser/parsed_data/create_macro_info.hpp"
#include "duckdb/parser/parsed_data/drop_info.hpp"
#include "duckdb/parser/parsed_expression_iterator.hpp"
#include "duckdb/planner/table_binding.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/types.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_transaction.h"

namespace tarn::engine {
namespace {

/// The text of a macro's body. Binding it may have left marks on the names of parameters.
std::string BodySql(const duckdb::MacroFunction& function) {
  if (function.type == duckdb::MacroType::TABLE_MACRO)
    return function.Cast<duckdb::TableMacroFunction>().query_node->ToString();
  auto expression = function.Cast<duckdb::ScalarMacroFunction>().expression->Copy();
  duckdb::ParsedExpressionIterator::VisitExpressionMutable<duckdb::ColumnRefExpression>(
      *expression, [](duckdb::ColumnRefExpression& reference) {
        auto& names = reference.column_names;
        if (names.size() == 2 && names[0].starts_with(duckdb::DummyBinding::DUMMY_NAME))
          names.erase(names.begin());
      });
  return expression->ToString();
}

/// The format keeps one word of a type, which is not enough for nested ones.
std::string ParameterType(const std::string& macro, const std::string& parameter,
                          const duckdb::LogicalType& type) {
  auto column = ToColumn(parameter, type);
  if (column.children.empty() && column.logical_type.empty()) return column.type;
  throw Error(ErrorCode::kUnsupported, "Parameter \"" + parameter + "\" of macro \"" + macro +
                                           "\" has the type " + type.ToString() +
                                           ", and a lake keeps only plain types there: "
                                           "leave the type out, or cast inside of the macro.");
}

MacroImplementation ToImplementation(const std::string& macro,
                                     const duckdb::MacroFunction& function) {
  MacroImplementation result;
  result.sql = BodySql(function);
  result.type = function.type == duckdb::MacroType::TABLE_MACRO ? "table" : "scalar";
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    MacroParameter parameter;
    parameter.name = function.parameters[i]->Cast<duckdb::ColumnRefExpression>().GetColumnName();
    if (i < function.types.size() && function.types[i].id() != duckdb::LogicalTypeId::UNKNOWN)
      parameter.type = ParameterType(macro, parameter.name, function.types[i]);
    const auto found = function.default_parameters.find(parameter.name);
    if (found != function.default_parameters.end()) {
      // DuckDB's binder has made constants of them.
      const auto& value = found->second->Cast<duckdb::ConstantExpression>().value;
      if (value.IsNull()) {
        throw Error(ErrorCode::kUnsupported,
                    "The default NULL of parameter \"" + parameter.name + "\" of macro \"" + macro +
                        "\" cannot be stored in a lake: add an overload without the parameter.");
      }
      parameter.default_value = value.ToString();
      parameter.default_value_type = ParameterType(macro, parameter.name, value.type());
    }
    result.parameters.push_back(std::move(parameter));
  }
  return result;
}

}  // namespace

duckdb::optional_ptr<duckdb::CatalogEntry> TarnSchemaEntry::CreateFunction(
    duckdb::CatalogTransaction transaction, duckdb::CreateFunctionInfo& info) {
  return Guard([&]() -> duckdb::optional_ptr<duckdb::CatalogEntry> {
    const bool is_table = info.type == duckdb::CatalogType::TABLE_MACRO_ENTRY;
    if (!is_table && info.type != duckdb::CatalogType::MACRO_ENTRY) {
      throw Error(ErrorCode::kUnsupported,
                  "DuckLake does not support functions of extensions: a lake can have macros.");
    }
    auto& own = transaction.transaction->Cast<TarnTransaction>();
    auto& schema = Changeable(own);
    MacroDefinition definition{schema.name, info.name, {}};
    for (const auto& function : info.Cast<duckdb::CreateMacroInfo>().macros)
      definition.implementations.push_back(ToImplementation(info.name, *function));

    const auto& names = is_table ? schema.entries_->table_macros : schema.entries_->scalar_macros;
    const auto existing = names.find(info.name);
    if (existing != names.end()) {
      switch (info.on_conflict) {
        case duckdb::OnCreateConflict::IGNORE_ON_CONFLICT:
          return nullptr;
        case duckdb::OnCreateConflict::REPLACE_ON_CONFLICT:
          own.kernel().DropMacro(existing->second->ref);
          break;
        default:
          throw duckdb::CatalogException::EntryAlreadyExists(info.type, info.name);
      }
    }
    const auto macro = own.kernel().CreateMacro(std::move(definition));
    if (const auto comment = CommentOf(info.comment))
      own.kernel().CommentOnMacro(macro->ref, comment);
    auto& present = Changeable(own);
    return is_table ? present.FindTableFunction(info.name) : present.FindScalarMacro(info.name);
  });
}

void TarnSchemaEntry::DropMacro(TarnTransaction& transaction, const duckdb::DropInfo& info) {
  const auto& names = info.type == duckdb::CatalogType::TABLE_MACRO_ENTRY ? entries_->table_macros
                                                                          : entries_->scalar_macros;
  const auto macro = names.find(info.name);
  if (macro != names.end()) transaction.kernel().DropMacro(macro->second->ref);
}

}  // namespace tarn::engine
