// ducklake_set_option(lake, name, value): stores an option for the lake, a schema or a table.
#include <charconv>
#include <string_view>

#include "engine/catalog/reserved_names.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "engine/functions/option_rules.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;

/// Inlined rows live in a catalog table with columns of these names, so a lake's table that has one
/// can't be inlined.
void RefuseInliningOfReservedNames(const CatalogView& view, const OptionSet& options,
                                   const OptionScope& scope) {
  for (const auto& [schema_name, entries] : view.schemas()) {
    if (scope.schema && entries->schema->ref != *scope.schema) continue;
    for (const auto& [table_name, table] : entries->tables) {
      if (scope.table && table->ref != *scope.table) continue;
      const auto* column = FindReservedName(table->columns);
      if (!column) continue;
      // A narrower option that is stored already keeps the table as it is.
      OptionSet narrower;
      for (const auto& entry : options.entries()) {
        if (entry.scope == "table" || (entry.scope == "schema" && !scope.schema))
          narrower.Set(entry);
      }
      if (!scope.table &&
          narrower.Find("data_inlining_row_limit", entries->schema->ref, table->ref))
        continue;
      throw duckdb::BinderException(
          "Cannot enable data inlining for table \"%s\". Column \"%s\" conflicts with a name that "
          "inlined rows need: "
          "set the limit of this table to 0 first.",
          table->name, column->name);
    }
  }
}

OptionScope ScopeOf(const LakeCall& call) {
  OptionScope scope;
  const auto* schema = call.NamedOrNull("schema");
  const auto* table = call.NamedOrNull("table_name");
  if (table) {
    scope.table =
        call.FindTable(schema ? schema->ToString() : "main", table->ToString()).table().ref;
  } else if (schema) {
    scope.schema = call.FindSchema(schema->ToString()).lake_schema().ref;
  }
  return scope;
}

BoundLakeFunction Bind(const LakeCall& call) {
  const auto name = call.Text(0, "name of the option");
  const auto* rule = FindOptionRule(name);
  if (!rule) throw Error(ErrorCode::kUnsupported, "Unsupported option " + name);
  const auto value = StoredOptionValue(call.context, *rule, call.arguments.at(1));
  const auto scope = ScopeOf(call);
  if (rule->is_global_only && (scope.schema || scope.table)) {
    throw Error(ErrorCode::kInvalid,
                "The option " + std::string(rule->name) +
                    " applies to the whole lake: set it without schema and table_name.");
  }
  const bool enables_inlining = rule->name == "data_inlining_row_limit" && value != "0";
  return SuccessOnly(
      [=, key = std::string(rule->name)](duckdb::ClientContext&, TarnTransaction& transaction) {
        auto& kernel = transaction.kernel();
        if (enables_inlining)
          RefuseInliningOfReservedNames(*kernel.view(), kernel.options(), scope);
        kernel.SetOption(key, value, scope);
      });
}

}  // namespace

LakeFunction SetOptionFunction() {
  return {.name = "set_option",
          .writes = true,
          .arguments = {LogicalType::VARCHAR, LogicalType::ANY},
          .named = {{"schema", LogicalType::VARCHAR}, {"table_name", LogicalType::VARCHAR}},
          .bind = Bind};
}

}  // namespace tarn::engine
