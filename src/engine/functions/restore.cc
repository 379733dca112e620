// ducklake_restore(lake[, table], version => n): the lake, or one table of it, becomes again what
// it was, as a new snapshot. ducklake_undrop(lake, table): a dropped table comes back.
#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/snapshot_selector.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "engine/functions/maintenance_arguments.h"
#include "engine/operators/restore_rows.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

SnapshotSelector SelectorOf(const LakeCall& call) {
  SnapshotSelector at;
  if (const auto found = call.named.find("version"); found != call.named.end())
    at.version = ToSnapshotId(call.context, found->second);
  at.time = TimeArgument(call, "snapshot_time");
  if (!at.time) at.time = TimeArgument(call, "timestamp");
  if (at.version && at.time) {
    throw duckdb::InvalidInputException(
        "Either version OR snapshot_time must be specified - not both.");
  }
  return at;
}

std::optional<std::string> NameArgument(const LakeCall& call, const char* name) {
  const auto found = call.named.find(name);
  if (found == call.named.end()) return std::nullopt;
  if (found->second.IsNull()) throw duckdb::BinderException("The %s cannot be NULL.", name);
  return found->second.ToString();
}

const char* WordOf(RestoredTable::Change change) {
  switch (change) {
    case RestoredTable::Change::kChanged:
      return "changed";
    case RestoredTable::Change::kBroughtBack:
      return "brought back";
    case RestoredTable::Change::kDropped:
      return "dropped";
  }
  return "";
}

int64_t CountInlined(const RestoredTable& table) {
  int64_t count = 0;
  for (const auto& scan : table.inlined) count += scan.row_count;
  return count;
}

BoundLakeFunction BindRequest(const LakeCall& call, RestoreRequest request) {
  BoundLakeFunction bound;
  bound.names = {"schema_name", "table_name",     "change",
                 "version",     "files_restored", "rows_restored"};
  bound.types = {LogicalType::VARCHAR, LogicalType::VARCHAR, LogicalType::VARCHAR,
                 LogicalType::BIGINT,  LogicalType::BIGINT,  LogicalType::BIGINT};
  bound.run = [request = std::move(request), dry_run = FlagArgument(call, "dry_run")](
                  duckdb::ClientContext& context, TarnTransaction& transaction, ResultRows& rows) {
    auto plan = transaction.kernel().PlanRestore(request);
    std::vector<std::vector<Value>> result;
    for (const auto& table : plan.tables) {
      result.push_back({Value(table.schema), Value(table.table->name), Value(WordOf(table.change)),
                        Value::BIGINT(plan.version.id.value),
                        Value::BIGINT(static_cast<int64_t>(table.files.size())),
                        Value::BIGINT(CountInlined(table))});
    }
    // Views and macros may have changed though no table has.
    const bool has_work = !plan.tables.empty() || plan.view != transaction.kernel().view();
    if (!dry_run && has_work) CarryOutRestore(context, transaction.catalog(), std::move(plan));
    for (const auto& row : result) rows.Add(row);
  };
  return bound;
}

BoundLakeFunction BindRestore(const LakeCall& call) {
  RestoreRequest request;
  request.at = SelectorOf(call);
  if (!request.at.version && !request.at.time) {
    throw duckdb::BinderException(
        "A restore must be told what to go back to: version => n or snapshot_time => t.");
  }
  request.table = NameArgument(call, "table");
  if (!call.arguments.empty()) request.table = call.Text(0, "table name");
  if (auto schema = NameArgument(call, "schema")) {
    if (!request.table) {
      throw duckdb::BinderException(
          "A schema alone cannot be restored: name a table of it, or restore the lake.");
    }
    request.schema = std::move(*schema);
  }
  return BindRequest(call, std::move(request));
}

BoundLakeFunction BindUndrop(const LakeCall& call) {
  RestoreRequest request;
  request.dropped = true;
  request.at = SelectorOf(call);
  request.table = call.Text(0, "table name");
  if (auto schema = NameArgument(call, "schema")) request.schema = std::move(*schema);
  return BindRequest(call, std::move(request));
}

}  // namespace

// `table` and `timestamp` are words of SQL, which want quotes there: so there is another way to say
// each.
LakeFunction RestoreFunction() {
  return {.name = "restore",
          .writes = true,
          .optional = {LogicalType::VARCHAR},
          .named = {{"version", LogicalType::BIGINT},
                    {"snapshot_time", LogicalType::TIMESTAMP_TZ},
                    {"timestamp", LogicalType::TIMESTAMP_TZ},
                    {"table", LogicalType::VARCHAR},
                    {"schema", LogicalType::VARCHAR},
                    {"dry_run", LogicalType::BOOLEAN}},
          .bind = BindRestore};
}

LakeFunction UndropFunction() {
  return {.name = "undrop",
          .writes = true,
          .arguments = {LogicalType::VARCHAR},
          .named = {{"version", LogicalType::BIGINT},
                    {"snapshot_time", LogicalType::TIMESTAMP_TZ},
                    {"timestamp", LogicalType::TIMESTAMP_TZ},
                    {"schema", LogicalType::VARCHAR},
                    {"dry_run", LogicalType::BOOLEAN}},
          .bind = BindUndrop};
}

}  // namespace tarn::engine
