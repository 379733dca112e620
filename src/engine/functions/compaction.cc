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
#include "engine/functions/maintenance_arguments.h"
#include "engine/functions/maintenance_targets.h"
#include "engine/operators/compaction_writer.h"
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

int64_t SizeOf(const CompactionUnit& unit) {
  int64_t bytes = 0;
  for (const auto& source : unit.sources) {
    bytes += source.file.file_size_bytes;
  }
  return bytes;
}

struct CompactionCall {
  CompactionKind kind;
  MaintenanceScope scope;
  Complete complete;
  bool dry_run;
};

// One unit after the other, so that memory holds the rows of one.
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
  int64_t bytes = 0, bytes_done = 0;
  for (const auto& unit : units) {
    bytes += SizeOf(unit);
  }
  for (const auto& unit : units) {
    const auto& schema = schemas.at(unit.table->ref);
    const duckdb::EntryLookupInfo lookup(duckdb::CatalogType::TABLE_ENTRY, unit.table->name);
    auto& entry = catalog.GetEntry(context, schema, lookup).Cast<TarnTableEntry>();
    const auto add = [&](bool has_rows) {
      rows.Add({Value(schema), Value(unit.table->name),
                Value::BIGINT(static_cast<int64_t>(unit.sources.size())),
                Value::BIGINT(has_rows ? 1 : 0)});
    };
    if (call.dry_run) {
      add(!unit.plan.files.empty());
      continue;
    }
    auto file = WriteCompactedFile(context, entry, unit);
    add(file.has_value());
    kernel.StageCompaction(unit, std::move(file));
    bytes_done += SizeOf(unit);
    ReportProgress(context, static_cast<double>(bytes_done) / static_cast<double>(bytes));
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
