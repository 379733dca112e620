// ducklake_options(lake): what is stored in ducklake_metadata.
#include <algorithm>

#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "engine/functions/option_rules.h"

namespace tarn::engine {
namespace {

using duckdb::Value;

/// `schema` or `schema.table`; NULL when it was dropped.
Value ScopeEntry(const CatalogView& view, const OptionEntry& option) {
  for (const auto& [name, entries] : view.schemas()) {
    if (option.scope == "schema" && OptionSet::ScopeId(entries->schema->ref) == option.scope_id) {
      return Value(entries->schema->name);
    }
    if (option.scope != "table") continue;
    for (const auto& [table_name, table] : entries->tables) {
      if (OptionSet::ScopeId(table->ref) == option.scope_id) {
        return Value(entries->schema->name + "." + table->name);
      }
    }
  }
  return Value();
}

const char* ShownScope(const std::string& scope) {
  if (scope == "schema") return "SCHEMA";
  return scope == "table" ? "TABLE" : "GLOBAL";
}

BoundLakeFunction Bind(const LakeCall&) {
  BoundLakeFunction bound;
  bound.names = {"option_name", "description", "value", "scope", "scope_entry"};
  bound.types.assign(5, duckdb::LogicalType::VARCHAR);
  bound.run = [](duckdb::ClientContext&, TarnTransaction& transaction, ResultRows& rows) {
    auto options = transaction.kernel().options().entries();
    std::stable_sort(options.begin(), options.end(),
                     [](const OptionEntry& a, const OptionEntry& b) { return a.key < b.key; });
    const auto view = transaction.kernel().view();
    for (const auto& option : options) {
      const auto* rule = FindOptionRule(option.key);
      rows.Add({Value(option.key), rule ? Value(std::string(rule->description)) : Value(),
                Value(option.value), Value(ShownScope(option.scope)), ScopeEntry(*view, option)});
    }
  };
  return bound;
}

}  // namespace

LakeFunction OptionsFunction() { return {.name = "options", .bind = Bind}; }

}  // namespace tarn::engine
