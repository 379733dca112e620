// See changed_rows.h.
#include "engine/operators/changed_rows.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/scan.h"
#include "engine/operators/scan_file_list.h"

namespace tarn::engine {
namespace {

using Plans = std::vector<std::shared_ptr<const ScanPlan>>;

// A statement may read its table several times; all scans of one transaction number the files
// alike.
void CollectPlans(const duckdb::PhysicalOperator& op, const TarnTableEntry& entry, Plans& result) {
  if (const auto* files = FindScannedFiles(op)) {
    const auto& scanned = files->source()->entry();
    if (!scanned.at() && &scanned.catalog == &entry.catalog &&
        scanned.table().ref == entry.table().ref) {
      auto plans = files->source()->plans();
      result.insert(result.end(), plans.begin(), plans.end());
    }
  }
  for (const auto& child : op.GetChildren()) {
    CollectPlans(child.get(), entry, result);
  }
}

const ScanFile* FindFile(const ScanPlan& plan, int64_t ordinal) {
  const auto found =
      std::lower_bound(plan.files.begin(), plan.files.end(), ordinal,
                       [](const ScanFile& file, int64_t wanted) { return file.ordinal < wanted; });
  return found != plan.files.end() && found->ordinal == ordinal ? &*found : nullptr;
}

bool AddTo(RowRemoval& removal, const ScanPlan& plan, int64_t ordinal, const DeleteMask& rows) {
  if (ordinal >= plan.total_files) {
    auto index = static_cast<size_t>(ordinal - plan.total_files);
    if (index >= plan.inlined.size()) {
      index -= plan.inlined.size();
      if (index >= plan.staged_rows.size()) {
        return false;
      }
      removal.staged.push_back({plan.staged_rows[index].batch, rows.Positions()});
      return true;
    }
    removal.inlined.push_back({plan.inlined[index].table_name, rows.Positions()});
    return true;
  }
  const auto* file = FindFile(plan, ordinal);
  if (file == nullptr) {
    return false;
  }
  removal.files.push_back({file->file.id, file->staged_index, rows.Positions()});
  return true;
}

}  // namespace

RowPlaces::RowPlaces(duckdb::DataChunk& rows, duckdb::idx_t first_column) {
  rows.data[first_column].ToUnifiedFormat(rows.size(), files_);
  rows.data[first_column + 1].ToUnifiedFormat(rows.size(), positions_);
}

DeleteMask& RowSet::FileOf(uint64_t file) {
  if (last_mask_ == nullptr || last_file_ != file) {
    last_mask_ = &files_[file];
    last_file_ = file;
  }
  return *last_mask_;
}

void RowSet::Add(const RowPlaces& places, duckdb::idx_t count) {
  for (duckdb::idx_t row = 0; row < count; ++row) {
    FileOf(places.file(row)).Insert(places.position(row));
  }
}

duckdb::idx_t RowSet::Claim(const RowPlaces& places, duckdb::idx_t count,
                            duckdb::SelectionVector& fresh) {
  duckdb::idx_t found = 0;
  for (duckdb::idx_t row = 0; row < count; ++row) {
    if (FileOf(places.file(row)).Insert(places.position(row))) {
      fresh.set_index(found++, row);
    }
  }
  return found;
}

void RowSet::Add(RowSet&& other) {
  for (auto& [file, rows] : other.files_) {
    files_[file].Add(std::move(rows));
  }
  other.files_.clear();
  other.last_mask_ = nullptr;
}

RowRemoval RowSet::Resolve(duckdb::ClientContext& context, const TarnTableEntry& entry,
                           const duckdb::PhysicalOperator& plan) const {
  RowRemoval result;
  if (files_.empty()) {
    return result;
  }
  Plans plans;
  CollectPlans(plan, entry, plans);
  for (const auto& [file, rows] : files_) {
    const auto ordinal = static_cast<int64_t>(file);
    const auto adds = [&](const auto& known) { return AddTo(result, *known, ordinal, rows); };
    if (std::any_of(plans.begin(), plans.end(), adds)) {
      continue;
    }
    // The optimiser has put something else in the scan's place that still knows its rows.
    TableScan scan;
    scan.table = entry.shared_table();
    auto& kernel = TarnTransaction::Get(context, entry.lake_catalog()).kernel();
    plans.push_back(std::make_shared<const ScanPlan>(kernel.PlanScan(scan)));
    if (!adds(plans.back())) {
      throw duckdb::InternalException(
          "rows to change of file_index %lld, which table \"%s\" does not have", ordinal,
          entry.name);
    }
  }
  return result;
}

}  // namespace tarn::engine
