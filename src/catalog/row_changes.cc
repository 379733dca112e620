// Sets of removed rows.
#include "catalog/row_changes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tarn {
namespace {

template <class Map, class Key>
const RemovedRows* FindIn(const Map& map, const Key& key) {
  auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

int64_t RemovedRows::Add(std::vector<int64_t> rows) {
  if (all) return 0;
  if (!std::is_sorted(rows.begin(), rows.end())) std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  if (positions.empty() || (!rows.empty() && positions.back() < rows.front())) {
    positions.insert(positions.end(), rows.begin(), rows.end());
  } else if (!rows.empty()) {
    std::vector<int64_t> merged;
    merged.reserve(positions.size() + rows.size());
    std::set_union(positions.begin(), positions.end(), rows.begin(), rows.end(),
                   std::back_inserter(merged));
    positions = std::move(merged);
  }
  const int64_t before = std::exchange(count, static_cast<int64_t>(positions.size()));
  return count - before;
}

void RemovedRows::AddAll(int64_t alive) {
  if (all) return;
  all = true;
  positions = {};
  count += alive;
}

const RemovedRows* RowChanges::FindStaged(size_t index) const {
  return FindIn(removed_staged, index);
}
const RemovedRows* RowChanges::Find(DataFileId file) const { return FindIn(removed, file); }
const RemovedRows* RowChanges::FindInlined(const std::string& table_name) const {
  return FindIn(removed_inlined, table_name);
}

void RowChanges::Stage(std::shared_ptr<const StagedRows> rows) {
  const int64_t count = rows->count();
  if (!staged_rows.empty()) {
    StagedBatch& last = staged_rows.back();
    // Rows of one batch are numbered without a gap.
    const bool follows = last.first_row_id + last.rows->count() == next_local_row_id;
    if (auto joined = follows && !last.removed.all ? last.rows->Join(*rows) : nullptr) {
      last.rows = std::move(joined);
      next_local_row_id += count;
      return;
    }
  }
  staged_rows.push_back({std::move(rows), next_local_row_id, {}});
  next_local_row_id += count;
}

bool RowChanges::IsFlushed(const std::string& table_name) const {
  return flush &&
         std::any_of(flush->tables.begin(), flush->tables.end(),
                     [&](const FlushedTable& table) { return table.table_name == table_name; });
}

bool RowChanges::compacts(CompactionKind kind) const {
  return std::any_of(compactions.begin(), compactions.end(),
                     [kind](const Compaction& compaction) { return compaction.kind == kind; });
}

void RowChanges::Compact(Compaction compaction) {
  for (const Compaction::Source& source : compaction.sources) compacted.insert(source.id);
  compactions.push_back(std::move(compaction));
}

std::vector<DataFile> RowChanges::TakeEmptied() {
  std::erase_if(staged_rows,
                [](const StagedBatch& batch) { return batch.removed.all || batch.live() <= 0; });
  std::vector<DataFile> emptied, kept;
  std::map<size_t, RemovedRows> removed_kept;
  for (size_t i = 0; i < data_files.size(); ++i) {
    auto rows = removed_staged.find(i);
    const bool is_empty = rows != removed_staged.end() &&
                          (rows->second.all || rows->second.count >= data_files[i].record_count);
    if (is_empty) {
      emptied.push_back(std::move(data_files[i]));
      continue;
    }
    if (rows != removed_staged.end()) removed_kept.emplace(kept.size(), std::move(rows->second));
    kept.push_back(std::move(data_files[i]));
  }
  data_files = std::move(kept);
  removed_staged = std::move(removed_kept);
  return emptied;
}

void RowChanges::ForgetOtherNewSpecs(const std::optional<PartitionSpec>& live) {
  const auto forget = [&](std::vector<DataFile>& files) {
    for (DataFile& file : files) {
      if (!file.partition_id || !file.partition_id->is_new()) continue;
      if (live && live->ref == *file.partition_id) continue;
      file.partition_id.reset();
      file.partition_values.clear();
    }
  };
  forget(data_files);
  if (!flush) return;
  for (FlushedTable& table : flush->tables) forget(table.files);
}

}  // namespace tarn
