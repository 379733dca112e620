// See maintenance_targets.h.
#include "engine/functions/maintenance_targets.h"

#include "base/text.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"

namespace tarn::engine {
namespace {

bool IsKeptOut(const OptionSet& options, const Table& table) {
  const auto value = options.Find("auto_compact", table.schema, table.ref);
  return value && EqualsIgnoreCase(*value, "false");
}

}  // namespace

void RequireScope(const LakeCall& call, const MaintenanceScope& scope) {
  if (scope.table) {
    call.FindTable(scope.schema.value_or(DEFAULT_SCHEMA), *scope.table);
  } else if (scope.schema) {
    call.FindSchema(*scope.schema);
  }
}

std::vector<MaintenanceTarget> FindTargets(tarn::Transaction& kernel,
                                           const MaintenanceScope& scope) {
  std::vector<MaintenanceTarget> targets;
  for (const auto& [schema_name, entries] : kernel.view()->schemas()) {
    const auto& schema = entries->schema;
    if (scope.schema && !EqualsIgnoreCase(*scope.schema, schema->name)) continue;
    if (scope.table && !scope.schema && !EqualsIgnoreCase(schema->name, DEFAULT_SCHEMA)) continue;
    for (const auto& [name, table] : entries->tables) {
      if (scope.table ? !EqualsIgnoreCase(*scope.table, table->name)
                      : IsKeptOut(kernel.options(), *table)) {
        continue;
      }
      targets.push_back({table, schema->name});
    }
  }
  return targets;
}

}  // namespace tarn::engine
