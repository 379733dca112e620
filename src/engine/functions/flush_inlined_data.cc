// ducklake_flush_inlined_data(lake): what the catalog database keeps of tables goes into files;
// nothing changes for a reader of any snapshot.
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "engine/operators/flush_writer.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

struct Target {
  std::shared_ptr<const Table> table;
  std::string schema;
};

// Committed tables of the lake, of a schema, or the one that is named: that one also where
// auto_compact is off.
struct Request {
  std::optional<std::string> schema;
  std::optional<std::string> table;
};

bool IsKeptOut(const OptionSet& options, const Table& table) {
  const auto value = options.Find("auto_compact", table.schema, table.ref);
  return value && EqualsIgnoreCase(*value, "false");
}

std::vector<Target> FindTargets(tarn::Transaction& kernel, const Request& request) {
  std::vector<Target> targets;
  for (const auto& [schema_name, entries] : kernel.view()->schemas()) {
    const auto& schema = entries->schema;
    if (request.schema && !EqualsIgnoreCase(*request.schema, schema->name)) continue;
    if (request.table && !request.schema && !EqualsIgnoreCase(schema->name, DEFAULT_SCHEMA)) {
      continue;
    }
    for (const auto& [name, table] : entries->tables) {
      if (request.table ? !EqualsIgnoreCase(*request.table, table->name)
                        : IsKeptOut(kernel.options(), *table)) {
        continue;
      }
      targets.push_back({table, schema->name});
    }
  }
  return targets;
}

BoundLakeFunction Bind(const LakeCall& call) {
  Request request;
  if (const auto* schema = call.Named("schema_name")) request.schema = schema->ToString();
  if (const auto* table = call.Named("table_name")) request.table = table->ToString();
  if (request.table) {
    call.FindTable(request.schema.value_or(DEFAULT_SCHEMA), *request.table);
  } else if (request.schema) {
    call.FindSchema(*request.schema);
  }

  BoundLakeFunction bound;
  bound.names = {"schema_name", "table_name", "rows_flushed"};
  bound.types = {LogicalType::VARCHAR, LogicalType::VARCHAR, LogicalType::BIGINT};
  bound.run = [request](duckdb::ClientContext& context, TarnTransaction& transaction,
                        ResultRows& rows) {
    auto& kernel = transaction.kernel();
    const auto targets = FindTargets(kernel, request);
    std::vector<std::shared_ptr<const Table>> tables;
    for (const auto& target : targets) tables.push_back(target.table);
    const auto plans = kernel.PlanFlush(tables);
    for (const auto& [table, schema] : targets) {
      const auto plan = plans.find(table->ref);
      if (plan == plans.end()) continue;
      auto flushed = WriteInlinedRows(context, transaction.catalog(), *table, plan->second.inlined);
      int64_t count = 0;
      for (const auto& inlined : flushed) count += inlined.row_count;
      kernel.StageFlush(table->ref, std::move(flushed), plan->second.has_deletes);
      if (count > 0) rows.Add({Value(schema), Value(table->name), Value::BIGINT(count)});
    }
  };
  return bound;
}

}  // namespace

LakeFunction FlushInlinedDataFunction() {
  return {.name = "flush_inlined_data",
          .is_method = true,
          .writes = true,
          .named = {{"schema_name", LogicalType::VARCHAR}, {"table_name", LogicalType::VARCHAR}},
          .bind = Bind};
}

}  // namespace tarn::engine
