// See flushed_rows.h.
#include "engine/operators/flushed_rows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "duckdb/common/types/column/column_data_collection.hpp"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/feed_scan.h"
#include "engine/operators/scan.h"
#include "engine/operators/visit_scan.h"

namespace tarn::engine {
namespace {

// What has become of the files of a scan since it was planned.
struct MovedFiles {
  std::shared_ptr<const ScanPlan> come;
  std::shared_ptr<const ScanPlan> gone;  ///< into others: a merge has taken them
  bool are_all = true;     ///< the scan had planned all files, before it left out what cannot match
  bool are_mixed = false;  ///< some that have come hold rows of other inlined tables, too
};

std::shared_ptr<const ScanPlan> PlanOf(std::vector<ScanFile> files, const ScanPlan& names) {
  auto plan = std::make_shared<ScanPlan>();
  plan->total_files = static_cast<int64_t>(files.size());
  plan->files = std::move(files);
  plan->name_maps = names.name_maps;
  return plan;
}

// The same question once more, of all committed rows: where they are now.
ScanPlan PlanAgain(Transaction& kernel, const ScanSource& source) {
  if (const auto& feed = source.feed()) {
    return kernel.PlanChanges({.table = source.table(),
                               .at = *source.entry().at(),
                               .range = feed->range,
                               .inserted = feed->inserted,
                               .deleted = feed->deleted,
                               .predicate = Predicate::True()});
  }
  TableScan question;
  question.table = source.table();
  question.at = source.entry().at().value_or(kernel.base());
  question.anew = true;
  return kernel.PlanScan(question);
}

// Whether a file tells of the same side of a feed as the inlined table does.
bool IsOfSide(const ScanFile& file, const InlinedScan& inlined) {
  return !inlined.feed || (file.feed && file.feed->side == inlined.feed->side);
}

// The snapshots whose rows went into an inlined table.
struct Snapshots {
  std::optional<SnapshotId> from;    ///< nothing: the first table has what was before, too
  std::optional<SnapshotId> before;  ///< nothing: no later table
  bool Holds(SnapshotId id) const { return (!from || *from <= id) && (!before || id < *before); }
};

Snapshots SnapshotsOf(const ScanFileInfo& info) {
  const auto& inlined = *info.inlined;
  Snapshots found;
  for (const auto& other : info.plan->inlined) {
    if (other.feed && inlined.feed && other.feed->side != inlined.feed->side) continue;
    if (other.made < inlined.made) found.from = inlined.made;
    if (inlined.made < other.made && (!found.before || other.made < *found.before))
      found.before = other.made;
  }
  return found;
}

enum class Share { kNone, kSome, kAll };

// How many of a file's rows were in the inlined table: a flush writes files for each of them, only
// a merge mixes them afterwards.
Share ShareOf(const Snapshots& snapshots, const DataFile& file) {
  const auto first = file.begin_snapshot;
  const auto last = file.partial_max.value_or(first);
  if (snapshots.Holds(first) && snapshots.Holds(last)) return Share::kAll;
  const bool is_apart = (snapshots.from && last < *snapshots.from) ||
                        (snapshots.before && *snapshots.before <= first);
  return is_apart ? Share::kNone : Share::kSome;
}

// Ids of files grow: what the transaction's base does not know came later. A file that came later
// and yet belongs to the snapshot that is read holds rows that were elsewhere before.
MovedFiles FindMovedFiles(duckdb::ClientContext& context, const ScanFileInfo& info,
                          const Snapshots& snapshots) {
  auto& kernel = TarnTransaction::Get(context, info.source->entry().lake_catalog()).kernel();
  auto now = PlanAgain(kernel, *info.source);
  std::map<DataFileId, const ScanFile*> known;
  const auto add = [&](const ScanPlan& plan) {
    for (const auto& file : plan.files) {
      if (IsOfSide(file, *info.inlined)) known.emplace(file.file.id, &file);
    }
  };
  // Of a feed, another plan may have been made since, for finding its updates.
  if (!info.source->feed()) {
    const auto plans = info.source->plans();
    for (const auto& plan : plans) add(*plan);
  }
  add(*info.plan);
  MovedFiles moved;
  moved.are_all = static_cast<int64_t>(known.size()) >= info.plan->total_files;
  std::vector<ScanFile> come;
  for (auto& file : now.files) {
    if (!file.file.id.valid() || !IsOfSide(file, *info.inlined)) continue;
    if (known.erase(file.file.id) != 0 || file.file.id.value < kernel.base().next_file_id) continue;
    const auto share = ShareOf(snapshots, file.file);
    if (share == Share::kNone) continue;
    moved.are_mixed = moved.are_mixed || share == Share::kSome;
    come.push_back(std::move(file));
  }
  std::vector<ScanFile> gone;
  for (const auto& [id, file] : known) {
    if (id.valid()) gone.push_back(*file);
  }
  moved.come = PlanOf(std::move(come), now);
  moved.gone = PlanOf(std::move(gone), *info.plan);
  return moved;
}

duckdb::column_t FindColumn(const ScanFileInfo& info, size_t wanted) {
  if (wanted == RowSource::kSnapshot) return kSnapshotIdColumn;
  if (wanted >= RowSource::kPlace) return duckdb::COLUMN_IDENTIFIER_ROW_ID;
  const auto field = info.inlined->columns[wanted].field;
  const auto& columns = info.source->table()->columns;
  const auto at = std::find_if(columns.begin(), columns.end(),
                               [&](const Column& column) { return column.id == field; });
  if (at == columns.end()) throw RowsMoved(info.source->table_name());
  return static_cast<duckdb::column_t>(at - columns.begin());
}

// A column of row ids or of snapshots.
class Numbers {
 public:
  Numbers(duckdb::DataChunk& chunk, duckdb::idx_t column) {
    chunk.data[column].ToUnifiedFormat(chunk.size(), values_);
  }
  int64_t operator[](duckdb::idx_t row) const {
    return duckdb::UnifiedVectorFormat::GetData<int64_t>(values_)[values_.sel->get_index(row)];
  }

 private:
  duckdb::UnifiedVectorFormat values_;
};

// What tells the rows of a chunk apart, in its first columns: row ids and, in a feed, snapshots.
class Identities {
 public:
  Identities(duckdb::DataChunk& chunk, bool has_snapshots) : ids_(chunk, 0) {
    if (has_snapshots) snapshots_.emplace(chunk, 1);
  }
  std::pair<int64_t, int64_t> operator[](duckdb::idx_t row) const {
    return {ids_[row], snapshots_ ? (*snapshots_)[row] : 0};
  }

 private:
  Numbers ids_;
  std::optional<Numbers> snapshots_;
};

duckdb::LogicalType TypeOf(const TarnTableEntry& entry, duckdb::column_t column) {
  return duckdb::IsVirtualColumn(column)
             ? duckdb::LogicalType::BIGINT
             : entry.GetColumns().GetColumn(duckdb::LogicalIndex(column)).Type();
}

void Visit(duckdb::ClientContext& context, const ScanSource& original,
           const std::shared_ptr<const ScanPlan>& plan,
           const duckdb::vector<duckdb::column_t>& columns,
           const duckdb::vector<duckdb::LogicalType>& types,
           const std::function<void(duckdb::DataChunk&)>& visit) {
  auto& entry = original.entry();
  duckdb::unique_ptr<duckdb::FunctionData> bind_data;
  duckdb::TableFunction function;
  if (auto feed = original.feed()) {
    feed->tells_changes = false;
    duckdb::vector<duckdb::LogicalType> all_types;
    duckdb::vector<std::string> names;
    function = MakeFeedFunction(context, std::make_shared<ScanSource>(context, entry, *feed, plan),
                                bind_data, all_types, names);
  } else {
    function =
        MakeScanFunction(context, std::make_shared<ScanSource>(context, entry, plan), bind_data);
  }
  VisitScan(context, function, *bind_data, columns, types, nullptr, [&](duckdb::DataChunk& chunk) {
    visit(chunk);
    return true;
  });
}

}  // namespace

FlushedRowSource::FlushedRowSource(duckdb::ClientContext& context, const ScanFileInfo& info,
                                   const std::vector<size_t>& wanted, int64_t missing) {
  Collect(context, info, wanted, missing);
  rows_->InitializeScan(state_);
  rows_->InitializeScanChunk(from_);
}

void FlushedRowSource::Collect(duckdb::ClientContext& context, const ScanFileInfo& info,
                               const std::vector<size_t>& wanted, int64_t missing) {
  auto& entry = info.source->entry();
  const auto snapshots = SnapshotsOf(info);
  const auto moved = FindMovedFiles(context, info, snapshots);
  // No merge takes files with deletes, so none brings lost rows from elsewhere.
  const bool is_feed = info.source->feed().has_value();
  if (moved.are_mixed && is_feed && info.inlined->feed->side != FeedPart::Side::kInserted)
    throw RowsMoved(info.source->table_name());

  duckdb::vector<duckdb::column_t> columns;
  duckdb::vector<duckdb::LogicalType> types;
  // First what tells one row from others: in a feed, rows come and go at several snapshots. A
  // reader cannot read a column twice.
  columns.push_back(duckdb::COLUMN_IDENTIFIER_ROW_ID);
  if (is_feed) columns.push_back(kSnapshotIdColumn);
  const auto identifying = columns;
  if (moved.are_mixed && !is_feed) columns.push_back(kSnapshotIdColumn);
  for (const auto wanted_column : wanted) {
    const auto column = FindColumn(info, wanted_column);
    const auto found = std::find(columns.begin(), columns.end(), column);
    positions_.push_back(static_cast<size_t>(found - columns.begin()));
    if (found == columns.end()) columns.push_back(column);
  }
  for (const auto column : columns) types.push_back(TypeOf(entry, column));
  rows_ = duckdb::make_uniq<duckdb::ColumnDataCollection>(context, types);

  // Rows that the transaction removed, and those that the scan reads where they were.
  std::vector<std::pair<int64_t, int64_t>> others;
  for (const auto id : info.inlined->removed_row_ids) others.emplace_back(id, 0);
  if (!moved.gone->files.empty()) {
    const duckdb::vector<duckdb::LogicalType> integers(identifying.size(),
                                                       duckdb::LogicalType::BIGINT);
    Visit(context, *info.source, moved.gone, identifying, integers, [&](duckdb::DataChunk& chunk) {
      const Identities identities(chunk, is_feed);
      for (duckdb::idx_t row = 0; row < chunk.size(); ++row) others.push_back(identities[row]);
    });
    std::sort(others.begin(), others.end());
  }
  Visit(context, *info.source, moved.come, columns, types, [&](duckdb::DataChunk& chunk) {
    const Identities identities(chunk, is_feed);
    std::optional<Numbers> begins;
    if (moved.are_mixed) begins.emplace(chunk, 1);
    duckdb::SelectionVector wanted_rows(chunk.size());
    duckdb::idx_t count = 0;
    for (duckdb::idx_t row = 0; row < chunk.size(); ++row) {
      if (begins && !snapshots.Holds(SnapshotId((*begins)[row]))) continue;
      if (!std::binary_search(others.begin(), others.end(), identities[row]))
        wanted_rows.set_index(count++, row);
    }
    if (count < chunk.size()) chunk.Slice(wanted_rows, count);
    rows_->Append(chunk);
  });
  // Of files that the scan left out no row can match its filters, which come after this. (They are
  // not known from rows that the transaction removed itself.)
  const auto found = static_cast<int64_t>(rows_->Count());
  const auto has_changes = [&] {
    return TarnTransaction::Get(context, entry.lake_catalog()).kernel().has_changes();
  };
  const bool may_be_more = is_feed || (!moved.are_all && !has_changes());
  if (found < missing || (found > missing && !may_be_more))
    throw RowsMoved(info.source->table_name());
}

void FlushedRowSource::Read(duckdb::DataChunk& chunk) {
  rows_->Scan(state_, from_);
  for (duckdb::idx_t i = 0; i < chunk.ColumnCount(); ++i) {
    auto& from = from_.data[positions_[i]];
    auto& to = chunk.data[i];
    if (from.GetType() == to.GetType()) {
      to.Reference(from);
    } else {  // the column has been promoted since; its old values fit the old type
      duckdb::VectorOperations::DefaultCast(from, to, from_.size());
    }
  }
  chunk.SetCardinality(from_.size());
}

}  // namespace tarn::engine
