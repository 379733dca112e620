// Transactions that merge or rewrite files. Such a transaction does nothing else: what it has
// planned would not know of its own changes.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "catalog/compaction.h"
#include "catalog/transaction_impl.h"
#include "catalog/view_diff.h"
#include "format/paths.h"
#include "tarn/error.h"

namespace tarn {

std::vector<CompactionUnit> TransactionImpl::PlanCompaction(
    const std::vector<CompactionRequest>& requests) {
  std::unique_lock lock(mutex_);
  const bool has_rows = std::any_of(staged_.begin(), staged_.end(), [](const auto& item) {
    return !item.second.empty() && !item.second.compacts();
  });
  if (has_rows || (view_ != base_view_ && !DiffViews(*base_view_, *NetView()).empty())) {
    throw Error(ErrorCode::kInvalid,
                "Transactions can either make changes OR perform compaction - not both: this one "
                "has made changes. Commit it before merging or rewriting files.");
  }
  ConnectionPool::Lease connection = lake_->pool().Acquire(interrupted_);
  return PlanCompactions(
      *connection, requests, {base_, *base_view_, lake_->data_path(), nullptr},
      [this](DataFileId id) {
        return std::any_of(staged_.begin(), staged_.end(),
                           [id](const auto& item) { return item.second.compacted.contains(id); });
      });
}

void TransactionImpl::StageCompaction(const CompactionUnit& unit, std::optional<DataFile> file) {
  std::unique_lock lock(mutex_);
  RequireWritable();
  TARN_ASSERT(!unit.sources.empty());
  TARN_ASSERT(!file || !lake_->encrypted() || file->encryption_key);
  TARN_ASSERT(!file || unit.kind == CompactionKind::kRewrite || file->begin_snapshot.valid());
  Compaction compaction;
  compaction.kind = unit.kind;
  compaction.shape = unit.shape;
  for (const ScanFile& source : unit.sources) {
    const std::optional<std::string> relative = RelativeTo(lake_->data_path(), source.path);
    compaction.sources.push_back(
        {source.file.id, relative.value_or(source.path), relative.has_value()});
    compaction.source_rows += source.file.record_count;
    compaction.source_bytes += source.file.file_size_bytes;
  }
  if (file) {
    file->partition_id = unit.sources.front().file.partition_id;
    file->partition_values = unit.sources.front().file.partition_values;
  }
  compaction.file = std::move(file);
  staged_[unit.table->ref].Compact(std::move(compaction));
  compacts_ = true;
}

}  // namespace tarn
