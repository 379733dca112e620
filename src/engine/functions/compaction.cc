// See compaction.h.
#include "engine/functions/compaction.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/maintenance_arguments.h"
#include "engine/functions/maintenance_targets.h"
#include "engine/operators/compaction_run.h"
#include "engine/operators/write_job.h"
#include "engine/progress.h"

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

struct CompactionCall {
  CompactionKind kind;
  MaintenanceScope scope;
  Complete complete;
  bool dry_run;
};

void Compact(duckdb::ClientContext& context, TarnTransaction& transaction,
             const CompactionCall& call, ResultRows& rows) {
  auto& kernel = transaction.kernel();
  auto& catalog = transaction.catalog();
  std::vector<CompactionRequest> requests;
  std::map<TableRef, std::string> schemas;
  for (const auto& target : FindTargets(kernel, call.scope)) {
    CompactionRequest& request = requests.emplace_back();
    request.table = target.table;
    request.kind = call.kind;
    request.target_file_size =
        ReadWriteOptions(context, catalog, target.table.get()).target_file_size;
    call.complete(kernel.options(), request);
    schemas.emplace(target.table->ref, target.schema);
  }
  const auto units = kernel.PlanCompaction(requests);
  std::vector<CompactionStep> steps;
  int64_t bytes = 0, bytes_done = 0;
  for (const auto& unit : units) {
    const auto& schema = schemas.at(unit.table->ref);
    const duckdb::EntryLookupInfo lookup(duckdb::CatalogType::TABLE_ENTRY, unit.table->name);
    steps.push_back({catalog.GetEntry(context, schema, lookup).Cast<TarnTableEntry>(), unit});
    bytes += SizeOf(unit);
  }
  std::vector<std::optional<DataFile>> files;
  if (!call.dry_run) {
    files = WriteCompactedFiles(context, steps, [&](int64_t done) {
      bytes_done += done;
      ReportProgress(context, static_cast<double>(bytes_done) / static_cast<double>(bytes));
    });
  }
  for (size_t i = 0; i < units.size(); ++i) {
    const bool has_rows = call.dry_run ? !units[i].plan.files.empty() : files[i].has_value();
    rows.Add({Value(schemas.at(units[i].table->ref)), Value(units[i].table->name),
              Value::BIGINT(static_cast<int64_t>(units[i].sources.size())),
              Value::BIGINT(has_rows ? 1 : 0)});
    if (!call.dry_run) kernel.StageCompaction(units[i], std::move(files[i]));
  }
}

}  // namespace

BoundLakeFunction BindCompaction(const LakeCall& call, CompactionKind kind, Complete complete) {
  BoundLakeFunction bound;
  bound.names = {"schema_name", "table_name", "files_processed", "files_created"};
  bound.types = {LogicalType::VARCHAR, LogicalType::VARCHAR, LogicalType::BIGINT,
                 LogicalType::BIGINT};
  bound.run = [compaction = CompactionCall{kind, ScopeOf(call), std::move(complete),
                                           FlagArgument(call, "dry_run")}](
                  duckdb::ClientContext& context, TarnTransaction& transaction, ResultRows& rows) {
    Compact(context, transaction, compaction, rows);
  };
  return bound;
}

}  // namespace tarn::engine
