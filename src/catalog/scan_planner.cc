// See scan_planner.h. The files of a table are the same for all plans of a snapshot
// (table_files.h); here the transaction's own changes and the question come to them.
#include "catalog/scan_planner.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "catalog/catalog_sql.h"
#include "catalog/chunk_facts.h"
#include "catalog/inlined_tables.h"
#include "catalog/name_maps.h"
#include "catalog/predicate_pruner.h"
#include "catalog/prune_files.h"
#include "catalog/select_files.h"
#include "format/paths.h"
#include "tarn/error.h"

namespace tarn {
namespace {

// Adds the positions that the transaction removed to those that inlined deletes did.
void AddOwnDeletes(const RemovedRows& own, ScanFile& file) {
  std::vector<int64_t> merged;
  merged.reserve(file.deleted_positions.size() + own.positions.size());
  std::set_union(file.deleted_positions.begin(), file.deleted_positions.end(),
                 own.positions.begin(), own.positions.end(), std::back_inserter(merged));
  file.deleted_positions = std::move(merged);
}

// The committed files as the transaction sees them.
class OwnView {
 public:
  OwnView(const TableFiles& files, const RowChanges& own) : total_(files.total()) {
    count_ = files.file_count();
    for (const auto& [id, removed] : own.removed) {
      const auto place = files.Find(id);
      if (!place) continue;
      const RowTotal before = files.Count(*place, 0);
      const RowTotal after = removed.all ? RowTotal{} : files.Count(*place, removed.count);
      total_.rows += after.rows - before.rows;
      total_.inexact += after.inexact - before.inexact;
      if (!removed.all) continue;
      gone_.push_back(files.Get(*place).ordinal);
      --count_;
    }
  }

  const RowTotal& total() const { return total_; }
  int64_t file_count() const { return count_; }
  /// A file's number when those are left out of which all rows are gone; absent for one of them.
  std::optional<int64_t> Ordinal(int64_t ordinal) const {
    const auto at = std::lower_bound(gone_.begin(), gone_.end(), ordinal);
    if (at != gone_.end() && *at == ordinal) return std::nullopt;
    return ordinal - (at - gone_.begin());
  }

 private:
  RowTotal total_;
  int64_t count_ = 0;
  std::vector<int64_t> gone_;  ///< sorted, as ids and ordinals have one order
};

// Adds the committed files that the question may need.
void AddFiles(const std::vector<TableFiles::Place>& places, const TableFiles& files,
              const OwnView& view, const RowChanges& own, std::vector<ScanFile>& result) {
  result.reserve(places.size());
  for (const TableFiles::Place& place : places) {
    ScanFile file = files.Get(place);
    const std::optional<int64_t> ordinal = view.Ordinal(file.ordinal);
    if (!ordinal) continue;
    file.ordinal = *ordinal;
    if (const RemovedRows* removed = own.Find(file.file.id)) AddOwnDeletes(*removed, file);
    result.push_back(std::move(file));
  }
}

// Files that the transaction has written, and their rows. They come after the committed ones.
std::vector<ScanFile> OwnFiles(const RowChanges& own, int64_t first_ordinal, RowTotal& total) {
  std::vector<ScanFile> files;
  for (size_t i = 0; i < own.data_files.size(); ++i) {
    const RemovedRows* removed = own.FindStaged(i);
    if (removed != nullptr && removed->all) continue;
    ScanFile file;
    file.file = own.data_files[i];
    file.is_staged = true;
    file.staged_index = i;
    file.ordinal = first_ordinal + static_cast<int64_t>(files.size());
    total.rows +=
        std::max<int64_t>(0, file.file.record_count - (removed == nullptr ? 0 : removed->count));
    if (removed != nullptr) AddOwnDeletes(*removed, file);
    files.push_back(std::move(file));
  }
  return files;
}

void AddOwnRows(const RowChanges& own, ScanPlan& plan) {
  for (size_t i = 0; i < own.staged_rows.size(); ++i) {
    const StagedBatch& batch = own.staged_rows[i];
    if (batch.removed.all || batch.live() <= 0) continue;
    plan.staged_rows.push_back(
        {batch.rows, i, batch.first_row_id, batch.removed.positions, batch.live()});
  }
  std::erase_if(plan.inlined, [&](InlinedScan& inlined) {
    const RemovedRows* removed = own.FindInlined(inlined.table_name);
    if (removed == nullptr) return false;
    inlined.removed_row_ids = removed->positions;
    inlined.row_count -= removed->count;
    return removed->all || inlined.row_count <= 0;
  });
}

void SetCounts(RowTotal total, ScanPlan& plan) {
  for (const InlinedScan& inlined : plan.inlined) total.rows += inlined.row_count;
  for (const StagedScan& staged : plan.staged_rows) total.rows += staged.row_count;
  plan.max_row_count = total.rows;
  if (total.inexact == 0) plan.row_count = total.rows;
}

std::shared_ptr<const TableFiles> FilesOf(StoreConnection& connection, TableId table,
                                          const PlanInput& input) {
  return input.in_use == nullptr
             ? FindTableFiles(connection, table, input.snapshot, input.cache)
             : input.in_use->Get(connection, table, input.snapshot, input.cache);
}

// What the predicate leaves.
class PruningSelector final : public FileSelector {
 public:
  explicit PruningSelector(const TableScan& scan)
      : scan_(scan), pruner_(scan.predicate, *scan.table) {}

  std::vector<TableFiles::Place> Select(StoreConnection& connection, const TableFiles* files,
                                        const RowChanges&, std::vector<ScanFile>& staged) override {
    PruneFiles(connection, *scan_.table, scan_.predicate, staged);
    if (files == nullptr) return {};
    std::optional<ChunkFacts> known;
    if (!pruner_.fields().empty())
      known.emplace(connection, *files, *scan_.table, pruner_.fields());
    has_learned_ = known && known->has_learned();
    return SelectFiles(*files, known ? &*known : nullptr, pruner_);
  }

 private:
  const TableScan& scan_;
  PredicatePruner pruner_;
};

}  // namespace

std::string ResolveTablePath(std::string_view data_path, const CatalogView& view,
                             const Table& table) {
  const Schema* schema = view.FindSchema(table.schema);
  if (schema == nullptr) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The schema of table \"{}\" is missing.", table.name));
  }
  std::string schema_path =
      WithTrailingSlash(JoinPath(data_path, schema->path, schema->path_is_relative));
  return WithTrailingSlash(JoinPath(schema_path, table.path, table.path_is_relative));
}

std::string ResolveFilePath(std::string_view table_path, const std::string& path,
                            bool is_relative) {
  return JoinPath(table_path, path, is_relative);
}

ScanPlan PlanTableScan(StoreConnection& connection, const TableScan& scan, const PlanInput& input,
                       FileSelector* selector) {
  const Table& table = *scan.table;
  const std::string table_path = ResolveTablePath(input.data_path, input.view, table);
  static const RowChanges kNone;
  const RowChanges& own = input.own == nullptr ? kNone : *input.own;

  ScanPlan plan;
  RowTotal total;
  std::optional<ReadScope> scope;
  std::shared_ptr<const TableFiles> files;
  std::optional<OwnView> view;
  if (!table.ref.is_new()) {
    scope.emplace(connection);
    files = FilesOf(connection, table.ref.id(), input);
    plan.state = files;
    view.emplace(*files, own);
    total = view->total();
    plan.total_files = view->file_count();
    plan.inlined =
        DescribeInlinedTables(connection, scan.table, *files->inlined(), input.snapshot.id);
    plan.lists_files = view->file_count() <= scan.most_files.value_or(view->file_count());
  }
  std::vector<ScanFile> staged = OwnFiles(own, plan.total_files, total);
  plan.total_files += static_cast<int64_t>(staged.size());
  AddOwnRows(own, plan);
  SetCounts(total, plan);
  if (!plan.lists_files) return plan;

  PruningSelector pruning(scan);
  if (selector == nullptr) selector = &pruning;
  const auto places = selector->Select(connection, files.get(), own, staged);
  if (files) AddFiles(places, *files, *view, own, plan.files);
  if (selector->has_learned() && input.cache != nullptr) input.cache->Trim();
  if (scan.with_stats && !table.ref.is_new()) LoadFileStats(connection, table.ref.id(), plan.files);
  std::move(staged.begin(), staged.end(), std::back_inserter(plan.files));
  for (ScanFile& file : plan.files) {
    file.path = ResolveFilePath(table_path, file.file.path, file.file.path_is_relative);
    for (ScanDelete& entry : file.deletes)
      entry.path = ResolveFilePath(table_path, entry.file.path, entry.file.path_is_relative);
  }
  if (!table.ref.is_new()) plan.name_maps = LoadNameMaps(connection, table.ref.id(), plan.files);
  return plan;
}

}  // namespace tarn
