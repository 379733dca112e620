// From a plan and a head to real numbers.
#include "catalog/rebase.h"

#include <algorithm>

#include "base/assert.h"

namespace tarn {
namespace {

using From = HeadRelative::From;

/// The id of a table that exists already.
std::optional<TableId> CommittedTable(const PlanStats& stats) {
  const Value* id = std::get_if<Value>(&stats.table_id);
  if (id == nullptr) return std::nullopt;
  return TableId(std::get<int64_t>(*id));
}

const TableStats::Column* FindColumn(const TableStats& stats, FieldId field) {
  for (const TableStats::Column& column : stats.columns) {
    if (column.field == field) return &column;
  }
  return nullptr;
}

RebasedPlan::MergedStats MergeStats(const PlanStats& added, TableId table, const TableStats* stored,
                                    const CommitHead& head) {
  RebasedPlan::MergedStats merged;
  merged.table = table;
  merged.is_first = stored == nullptr;
  if (stored != nullptr) {
    merged.stats.record_count = stored->record_count;
    merged.stats.next_row_id = stored->next_row_id;
    merged.stats.file_size_bytes = stored->file_size_bytes;
  }
  merged.stats.record_count += added.rows;
  merged.stats.next_row_id += added.row_ids;
  merged.stats.file_size_bytes += added.bytes;
  for (const ColumnSummary& summary : added.columns) {
    if (stored == nullptr) {
      if (summary.known) merged.stats.columns.push_back(FirstStats(summary));
      continue;
    }
    // A column without a row was added after the table's first insert. It gets none: older rows are
    // not in these files' bounds.
    const TableStats::Column* column = FindColumn(*stored, summary.field);
    if (column == nullptr) continue;
    TableStats::Column widened =
        WidenStats(*column, summary, head.all_null.count({table, summary.field}) > 0);
    if (!SameStats(widened, *column)) merged.stats.columns.push_back(std::move(widened));
  }
  return merged;
}

}  // namespace

std::vector<TableId> StatsTables(const CommitPlan& plan) {
  std::vector<TableId> tables;
  for (const PlanStats& stats : plan.stats) {
    if (std::optional<TableId> table = CommittedTable(stats)) tables.push_back(*table);
  }
  return tables;
}

std::map<TableId, std::vector<FieldId>> DoubtfulColumns(
    const CommitPlan& plan, const std::map<TableId, TableStats>& stats) {
  std::map<TableId, std::vector<FieldId>> doubtful;
  for (const PlanStats& added : plan.stats) {
    std::optional<TableId> table = CommittedTable(added);
    if (!table) continue;
    auto stored = stats.find(*table);
    if (stored == stats.end()) continue;
    for (const ColumnSummary& summary : added.columns) {
      const TableStats::Column* column = FindColumn(stored->second, summary.field);
      if (column != nullptr && MayBeAllNull(*column, summary))
        doubtful[*table].push_back(summary.field);
    }
  }
  return doubtful;
}

Value RebasedPlan::Settle(const PlanValue& value) const {
  if (const Value* settled = std::get_if<Value>(&value)) return *settled;
  const HeadRelative& relative = std::get<HeadRelative>(value);
  switch (relative.from) {
    case From::kSnapshotId:
      return snapshot_.id.value + relative.offset;
    case From::kSchemaVersion:
      return snapshot_.schema_version + relative.offset;
    case From::kCatalogId:
      return base_.next_catalog_id + relative.offset;
    case From::kFileId:
      return base_.next_file_id + relative.offset;
    case From::kRowId:
      return row_id_starts_.at(relative.table) + relative.offset;
    case From::kSnapshotTime:
      return snapshot_.time;
  }
  TARN_ASSERT(false);
  return {};
}

RebasedPlan Rebase(const CommitPlan& plan, const CommitHead& head, Timestamp now) {
  RebasedPlan out;
  out.plan_ = &plan;
  out.base_ = head.snapshot;
  out.snapshot_ = head.snapshot;
  if (plan.makes_snapshot) {
    out.snapshot_.id = SnapshotId(head.snapshot.id.value + 1);
    // Two snapshots never share a time, and a clock that was set back must not make time travel
    // ambiguous.
    out.snapshot_.time = std::max(now, head.snapshot.time + std::chrono::microseconds(1));
    out.snapshot_.schema_version += plan.changes_schema ? 1 : 0;
    out.snapshot_.next_catalog_id += plan.catalog_ids;
    out.snapshot_.next_file_id += plan.file_ids;
  }
  for (const PlanStats& added : plan.stats) {
    TableId table(std::get<int64_t>(out.Settle(added.table_id)));
    auto stored = head.stats.find(table);
    const TableStats* stats = stored == head.stats.end() ? nullptr : &stored->second;
    out.row_id_starts_.push_back(stats == nullptr ? 0 : stats->next_row_id);
    out.stats_.push_back(MergeStats(added, table, stats, head));
  }
  std::vector<Change> words;
  for (const PlanWord& word : plan.words) {
    words.push_back(IsByName(word.kind)
                        ? Change::Created(word.kind, word.schema, word.name)
                        : Change::ById(word.kind, std::get<int64_t>(out.Settle(word.id))));
  }
  out.changes_made_ = FormatChanges(words);
  return out;
}

}  // namespace tarn
