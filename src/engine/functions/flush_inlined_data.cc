// ducklake_flush_inlined_data(lake): what the catalog database keeps of tables goes into files;
// nothing changes for a reader of any snapshot.
#include <memory>
#include <string>
#include <vector>

#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "engine/functions/maintenance_arguments.h"
#include "engine/functions/maintenance_targets.h"
#include "engine/operators/flush_writer.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

BoundLakeFunction Bind(const LakeCall& call) {
  MaintenanceScope scope;
  if (const auto* schema = call.Named("schema_name")) scope.schema = schema->ToString();
  if (const auto* table = call.Named("table_name")) scope.table = table->ToString();
  RequireScope(call, scope);
  const bool dry_run = FlagArgument(call, "dry_run");

  BoundLakeFunction bound;
  bound.names = {"schema_name", "table_name", "rows_flushed"};
  bound.types = {LogicalType::VARCHAR, LogicalType::VARCHAR, LogicalType::BIGINT};
  bound.run = [scope, dry_run](duckdb::ClientContext& context, TarnTransaction& transaction,
                               ResultRows& rows) {
    auto& kernel = transaction.kernel();
    const auto targets = FindTargets(kernel, scope);
    std::vector<std::shared_ptr<const Table>> tables;
    for (const auto& target : targets) tables.push_back(target.table);
    const auto plans = kernel.PlanFlush(tables);
    for (const auto& [table, schema] : targets) {
      const auto plan = plans.find(table->ref);
      if (plan == plans.end()) continue;
      int64_t count = 0;
      for (const auto& inlined : plan->second.inlined) count += inlined.row_count;
      if (!dry_run) {
        auto flushed =
            WriteInlinedRows(context, transaction.catalog(), table, plan->second.inlined);
        if (!flushed) continue;  // another flush is faster
        kernel.StageFlush(table->ref, std::move(*flushed), plan->second.has_deletes);
      }
      if (count > 0) rows.Add({Value(schema), Value(table->name), Value::BIGINT(count)});
    }
  };
  return bound;
}

}  // namespace

LakeFunction FlushInlinedDataFunction() {
  return {.name = "flush_inlined_data",
          .writes = true,
          .named = {{"schema_name", LogicalType::VARCHAR},
                    {"table_name", LogicalType::VARCHAR},
                    {"dry_run", LogicalType::BOOLEAN}},
          .bind = Bind};
}

}  // namespace tarn::engine
