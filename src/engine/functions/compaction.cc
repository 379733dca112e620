// See compaction.h.
#include "engine/functions/compaction.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/maintenance_targets.h"
#include "engine/operators/compaction_writer.h"
#include "engine/operators/write_job.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;
using Complete = std::function<void(const OptionSet&, CompactionRequest&)>;

MaintenanceScope ScopeOf(const LakeCall& call) {
  MaintenanceScope scope;
  if (!call.arguments.empty()) scope.table = call.Text(0, "table name");
  if (const auto* schema = call.Named("schema")) scope.schema = schema->ToString();
  RequireScope(call, scope);
  return scope;
}

// One unit after the other, so that memory holds the rows of one.
void Compact(duckdb::ClientContext& context, TarnTransaction& transaction, CompactionKind kind,
             const MaintenanceScope& scope, const Complete& complete, ResultRows& rows) {
  auto& kernel = transaction.kernel();
  auto& catalog = transaction.catalog();
  std::vector<CompactionRequest> requests;
  std::map<TableRef, std::string> schemas;
  for (const auto& target : FindTargets(kernel, scope)) {
    CompactionRequest& request = requests.emplace_back();
    request.table = target.table;
    request.kind = kind;
    request.target_file_size =
        ReadWriteOptions(context, catalog, target.table.get()).target_file_size;
    complete(kernel.options(), request);
    schemas.emplace(target.table->ref, target.schema);
  }
  for (const auto& unit : kernel.PlanCompaction(requests)) {
    const auto& schema = schemas.at(unit.table->ref);
    const duckdb::EntryLookupInfo lookup(duckdb::CatalogType::TABLE_ENTRY, unit.table->name);
    auto& entry = catalog.GetEntry(context, schema, lookup).Cast<TarnTableEntry>();
    auto file = WriteCompactedFile(context, entry, unit);
    rows.Add({Value(schema), Value(unit.table->name),
              Value::BIGINT(static_cast<int64_t>(unit.sources.size())),
              Value::BIGINT(file ? 1 : 0)});
    kernel.StageCompaction(unit, std::move(file));
  }
}

}  // namespace

BoundLakeFunction BindCompaction(const LakeCall& call, CompactionKind kind, Complete complete) {
  BoundLakeFunction bound;
  bound.names = {"schema_name", "table_name", "files_processed", "files_created"};
  bound.types = {LogicalType::VARCHAR, LogicalType::VARCHAR, LogicalType::BIGINT,
                 LogicalType::BIGINT};
  bound.run = [kind, scope = ScopeOf(call), complete = std::move(complete)](
                  duckdb::ClientContext& context, TarnTransaction& transaction, ResultRows& rows) {
    Compact(context, transaction, kind, scope, complete, rows);
  };
  return bound;
}

}  // namespace tarn::engine
