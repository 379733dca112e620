// Which tables a maintenance function works on: all of the lake, those of a schema, or one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/functions/lake_function.h"
#include "tarn/transaction.h"

namespace tarn::engine {

struct MaintenanceScope {
  std::optional<std::string> schema;
  std::optional<std::string> table;  ///< in `schema`, or in main
};

/// Throws as a query would when there is no such schema or table.
void RequireScope(const LakeCall& call, const MaintenanceScope& scope);

struct MaintenanceTarget {
  std::shared_ptr<const Table> table;
  std::string schema;
};

/// By schema and name. Tables with auto_compact off are among them only by name.
std::vector<MaintenanceTarget> FindTargets(tarn::Transaction& kernel,
                                           const MaintenanceScope& scope);

}  // namespace tarn::engine
