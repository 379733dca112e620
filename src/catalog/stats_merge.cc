// Merging rules of column statistics.
#include "catalog/stats_merge.h"

#include <algorithm>
#include <utility>

#include "format/stats_text.h"
#include "format/tables.h"
#include "format/variant_stats.h"

namespace tarn {
namespace {

void CollectLeaves(const std::vector<Column>& columns, std::vector<const Column*>& leaves) {
  for (const Column& column : columns) {
    if (column.children.empty()) {
      leaves.push_back(&column);
    } else {
      CollectLeaves(column.children, leaves);
    }
  }
}

const ColumnStats* StatsOf(const DataFile& file, FieldId field) {
  for (const ColumnStats& stats : file.stats) {
    if (stats.field == field) return &stats;
  }
  return nullptr;
}

/// NaN seen anywhere is NaN seen; otherwise one unknown makes all unknown.
std::optional<bool> OrUnknown(std::optional<bool> a, std::optional<bool> b) {
  if (a == true || b == true) return true;
  if (!a || !b) return std::nullopt;
  return false;
}

/// Boxes are kept only while they are the same.
std::optional<std::string> MergeExtra(const ScalarType& type, const std::optional<std::string>& a,
                                      const std::optional<std::string>& b) {
  if (type.kind == TypeKind::kVariant) return MergeVariantStats(a, b);
  return a == b ? a : std::nullopt;
}

class Summarizer {
 public:
  explicit Summarizer(const Column& column) {
    summary_.field = column.id;
    summary_.type = RequireTypeName(column.type);
    if (HasNan(summary_.type.kind)) summary_.contains_nan = false;
  }

  void Add(const DataFile& file, const ColumnStats* stats) {
    if (file.record_count == 0) return;
    if (stats == nullptr) {  // nothing is known of this file's values
      AddBounds({}, {});
      AddExtra({});
      summary_.contains_null = true;
      summary_.contains_nan.reset();
      return;
    }
    summary_.known = true;
    if (!stats->null_count || *stats->null_count > 0) summary_.contains_null = true;
    if (HasNan(summary_.type.kind))
      summary_.contains_nan = OrUnknown(summary_.contains_nan, stats->contains_nan);
    if (HoldsOnlyNulls(*stats)) return;
    AddBounds(stats->min_value, stats->max_value);
    AddExtra(stats->extra_stats);
  }

  /// What is surely known: counts of 0 say that there is nothing. As other clients do, whether
  /// there are NaNs is left open; they are in the bounds.
  void AddExact(const ColumnStats& stats) {
    summary_.known = true;
    summary_.contains_nan.reset();
    if (stats.null_count > 0) summary_.contains_null = true;
    if (stats.value_count > 0) AddBounds(stats.min_value, stats.max_value);
  }

  ColumnSummary Take() { return std::move(summary_); }

 private:
  void AddBounds(const std::optional<std::string>& min, const std::optional<std::string>& max) {
    summary_.min_value = summary_.has_values
                             ? WidenBound(summary_.type, summary_.min_value, min, BoundSide::kMin)
                             : min;
    summary_.max_value = summary_.has_values
                             ? WidenBound(summary_.type, summary_.max_value, max, BoundSide::kMax)
                             : max;
    summary_.has_values = true;
  }

  void AddExtra(const std::optional<std::string>& extra) {
    if (!std::exchange(has_extra_, true)) {
      summary_.extra_stats = extra;
    } else {
      summary_.extra_stats = MergeExtra(summary_.type, summary_.extra_stats, extra);
    }
  }

  ColumnSummary summary_;
  bool has_extra_ = false;
};

std::vector<ColumnSummary> Summarize(const Table& table, std::span<const DataFile> files,
                                     std::span<const std::vector<ColumnStats>> staged) {
  std::vector<const Column*> leaves;
  CollectLeaves(table.columns, leaves);
  std::vector<ColumnSummary> summaries;
  for (size_t i = 0; i < leaves.size(); ++i) {
    const Column& leaf = *leaves[i];
    if (IsNested(RequireTypeName(leaf.type).kind)) continue;  // a struct without fields
    Summarizer summarizer(leaf);
    for (const DataFile& file : files) {
      // Writers list statistics in the table's order: look there before searching.
      const ColumnStats* stats = i < file.stats.size() && file.stats[i].field == leaf.id
                                     ? &file.stats[i]
                                     : StatsOf(file, leaf.id);
      summarizer.Add(file, stats);
    }
    for (const std::vector<ColumnStats>& batch : staged) {
      for (const ColumnStats& stats : batch) {
        if (stats.field == leaf.id) summarizer.AddExact(stats);
      }
    }
    summaries.push_back(summarizer.Take());
  }
  return summaries;
}

}  // namespace

bool HoldsOnlyNulls(const ColumnStats& stats) {
  return stats.value_count == 0 && stats.null_count.value_or(0) > 0 && !stats.min_value &&
         !stats.max_value;
}

void AppendHoldsOnlyNulls(StatementBuilder& sql, std::string_view alias) {
  using S = tables::FileColumnStats;
  auto column = [&](const CatalogColumn& name) -> StatementBuilder& {
    return sql.Text(alias).Text(".").Name(name.name);
  };
  column(S::kValueCount).Text(" = 0 AND ");
  column(S::kNullCount).Text(" > 0 AND ");
  column(S::kMinValue).Text(" IS NULL AND ");
  column(S::kMaxValue).Text(" IS NULL");
}

std::vector<ColumnSummary> SummarizeFiles(const Table& table, std::span<const DataFile> files) {
  return Summarize(table, files, {});
}

std::vector<ColumnSummary> SummarizeRows(const Table& table, const RowChanges& rows) {
  std::vector<std::vector<ColumnStats>> staged;
  for (const StagedBatch& batch : rows.staged_rows) {
    if (!batch.removed.all && batch.live() > 0)
      staged.push_back(batch.rows->Describe(table, batch.removed.positions));
  }
  return Summarize(table, rows.data_files, staged);
}

void AddNulls(const DataFile& file, std::vector<ColumnSummary>& summaries) {
  for (const ColumnStats& stats : file.stats) {
    if (stats.null_count == 0) continue;
    auto found = std::find_if(summaries.begin(), summaries.end(),
                              [&](const ColumnSummary& one) { return one.field == stats.field; });
    if (found == summaries.end()) {
      found = summaries.emplace(summaries.end());
      found->field = stats.field;
    }
    found->contains_null = true;
  }
}

TableStats::Column FirstStats(const ColumnSummary& summary) {
  TableStats::Column column;
  column.field = summary.field;
  column.contains_null = summary.contains_null;
  column.contains_nan = summary.contains_nan;
  column.min_value = summary.min_value;
  column.max_value = summary.max_value;
  column.extra_stats = summary.extra_stats;
  return column;
}

bool MayBeAllNull(const TableStats::Column& stored, const ColumnSummary& added) {
  return added.has_values && !stored.min_value && !stored.max_value &&
         stored.contains_null == true && (added.min_value || added.max_value);
}

TableStats::Column WidenStats(const TableStats::Column& stored, const ColumnSummary& added,
                              bool all_null) {
  TableStats::Column out = stored;
  if (added.contains_null) out.contains_null = true;
  if (HasNan(added.type.kind))
    out.contains_nan = OrUnknown(stored.contains_nan, added.contains_nan);
  if (!added.has_values) return out;
  if (all_null) {
    out.min_value = added.min_value;
    out.max_value = added.max_value;
    out.extra_stats = added.extra_stats;
    return out;
  }
  out.min_value = WidenBound(added.type, stored.min_value, added.min_value, BoundSide::kMin);
  out.max_value = WidenBound(added.type, stored.max_value, added.max_value, BoundSide::kMax);
  out.extra_stats = MergeExtra(added.type, stored.extra_stats, added.extra_stats);
  return out;
}

bool SameStats(const TableStats::Column& a, const TableStats::Column& b) {
  return a.field == b.field && a.contains_null == b.contains_null &&
         a.contains_nan == b.contains_nan && a.min_value == b.min_value &&
         a.max_value == b.max_value && a.extra_stats == b.extra_stats;
}

}  // namespace tarn
