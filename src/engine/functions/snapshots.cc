// ducklake_snapshots(lake): all snapshots, what each changed, and who made it.
#include <map>
#include <string>

#include "duckdb/parser/keyword_helper.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "engine/functions/snapshot_rows.h"
#include "format/change_list.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

/// Under which key a change is shown, in the order in which keys are shown.
struct ShownChange {
  ChangeKind kind;
  const char* key;
};
constexpr ShownChange kShownChanges[] = {
    {ChangeKind::kCreatedSchema, "schemas_created"},
    {ChangeKind::kDroppedSchema, "schemas_dropped"},
    {ChangeKind::kCreatedTable, "tables_created"},
    {ChangeKind::kCreatedView, "views_created"},
    {ChangeKind::kCreatedScalarMacro, "scalar_macros_created"},
    {ChangeKind::kCreatedTableMacro, "table_macros_created"},
    {ChangeKind::kDroppedTable, "tables_dropped"},
    {ChangeKind::kAlteredTable, "tables_altered"},
    {ChangeKind::kInsertedIntoTable, "tables_inserted_into"},
    {ChangeKind::kDeletedFromTable, "tables_deleted_from"},
    {ChangeKind::kDroppedView, "views_dropped"},
    {ChangeKind::kAlteredView, "views_altered"},
    {ChangeKind::kDroppedScalarMacro, "scalar_macros_dropped"},
    {ChangeKind::kDroppedTableMacro, "table_macros_dropped"},
    {ChangeKind::kInlinedInsert, "inlined_insert"},
    {ChangeKind::kInlinedDelete, "inlined_delete"},
    {ChangeKind::kInlineFlush, "flushed_inlined"},
    {ChangeKind::kMergeAdjacent, "merge_adjacent"},
    {ChangeKind::kRewriteDelete, "rewrite_delete"},
    {ChangeKind::kCompactedTable, "compacted_table"},
    {ChangeKind::kUnknown, "unknown"},
};

std::string Quoted(const std::string& name) {
  return duckdb::KeywordHelper::WriteOptionallyQuoted(name);
}

std::string Shown(const Change& change) {
  if (change.kind == ChangeKind::kUnknown) return change.word;
  if (!IsByName(change.kind)) return std::to_string(change.id);
  if (change.kind == ChangeKind::kCreatedSchema) return change.name;
  return Quoted(change.schema) + "." + Quoted(change.name);
}

Value ChangesMap(const std::string& changes_made) {
  std::map<ChangeKind, duckdb::vector<Value>> by_kind;
  for (const auto& change : ParseChanges(changes_made))
    by_kind[change.kind].emplace_back(Shown(change));
  duckdb::vector<Value> keys;
  duckdb::vector<Value> values;
  for (const auto& shown : kShownChanges) {
    const auto found = by_kind.find(shown.kind);
    if (found == by_kind.end()) continue;
    keys.emplace_back(shown.key);
    values.push_back(Value::LIST(LogicalType::VARCHAR, std::move(found->second)));
  }
  return Value::MAP(LogicalType::VARCHAR, LogicalType::LIST(LogicalType::VARCHAR), std::move(keys),
                    std::move(values));
}

Value TextOrNull(const std::optional<std::string>& text) { return text ? Value(*text) : Value(); }

BoundLakeFunction Bind(const LakeCall&) {
  BoundLakeFunction bound = SnapshotColumns();
  bound.run = [](duckdb::ClientContext&, TarnTransaction& transaction, ResultRows& rows) {
    for (const auto& info : transaction.catalog().lake().ListSnapshots()) AddSnapshot(rows, info);
  };
  return bound;
}

}  // namespace

BoundLakeFunction SnapshotColumns() {
  BoundLakeFunction bound;
  bound.names = {"snapshot_id", "snapshot_time",  "schema_version",   "changes",
                 "author",      "commit_message", "commit_extra_info"};
  bound.types = {LogicalType::BIGINT,
                 LogicalType::TIMESTAMP_TZ,
                 LogicalType::BIGINT,
                 LogicalType::MAP(LogicalType::VARCHAR, LogicalType::LIST(LogicalType::VARCHAR)),
                 LogicalType::VARCHAR,
                 LogicalType::VARCHAR,
                 LogicalType::VARCHAR};
  return bound;
}

void AddSnapshot(ResultRows& rows, const SnapshotInfo& info) {
  const duckdb::timestamp_tz_t time(info.snapshot.time.time_since_epoch().count());
  rows.Add({Value::BIGINT(info.snapshot.id.value), Value::TIMESTAMPTZ(time),
            Value::BIGINT(info.snapshot.schema_version), ChangesMap(info.changes_made),
            TextOrNull(info.commit.author), TextOrNull(info.commit.message),
            TextOrNull(info.commit.extra_info)});
}

LakeFunction SnapshotsFunction() { return {.name = "snapshots", .bind = Bind}; }

}  // namespace tarn::engine
