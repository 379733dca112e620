// See table_files.h.
#include "catalog/table_files.h"

#include <algorithm>
#include <utility>

namespace tarn {

bool TableFiles::Chunk::is_live(size_t place) const {
  return ended.empty() ||
         !std::binary_search(ended.begin(), ended.end(), static_cast<uint16_t>(place));
}

int64_t TableFiles::Chunk::Ordinal(size_t place) const {
  const auto before = std::lower_bound(ended.begin(), ended.end(), static_cast<uint16_t>(place));
  return first_ordinal + static_cast<int64_t>(place) - (before - ended.begin());
}

RowTotal CountRowsOfFile(int64_t record_count, bool holds_later_rows,
                         const std::vector<TableDeletes::Deletion>* deletes, size_t inlined,
                         int64_t own) {
  const size_t kinds = (deletes == nullptr ? 0 : deletes->size()) + (inlined > 0 ? 1 : 0);
  bool is_exact = !holds_later_rows && kinds <= 1;
  // Two sets of deletes may overlap, so surely gone is only the larger one.
  auto deleted = static_cast<int64_t>(inlined);
  if (deletes != nullptr) {
    for (const TableDeletes::Deletion& entry : *deletes) {
      if (entry.snapshot_limit) {
        is_exact = false;  // some of its rows were deleted later
      } else {
        deleted = std::max(deleted, entry.file.delete_count);
      }
    }
  }
  // Which of a merged file's rows are deleted is not known either.
  if (holds_later_rows) deleted = 0;
  return {std::max<int64_t>(0, record_count - deleted - own), is_exact ? 0 : 1};
}

TableFiles::TableFiles(TableId table, const Snapshot& snapshot, std::vector<Chunk> chunks,
                       std::shared_ptr<const TableDeletes> deletes,
                       std::shared_ptr<const std::vector<InlinedTable>> inlined)
    : table_(table),
      snapshot_(snapshot),
      chunks_(std::move(chunks)),
      deletes_(std::move(deletes)),
      inlined_(std::move(inlined)) {
  for (size_t c = 0; c < chunks_.size(); ++c) {
    Chunk& chunk = chunks_[c];
    chunk.first_ordinal = file_count_;
    file_count_ += static_cast<int64_t>(chunk.live());
    const FileChunk& packed = *chunk.files;
    total_.rows += packed.total_records();
    for (const uint16_t place : chunk.ended) total_.rows -= packed.record_count(place);
    if (packed.last_partial() <= snapshot_.id) continue;
    for (size_t place = 0; place < packed.size(); ++place) {
      const auto partial = packed.partial_max(place);
      if (partial && snapshot_.id < *partial && chunk.is_live(place)) ++total_.inexact;
    }
  }
  // Files with deletes have been counted whole so far.
  const auto recount = [&](DataFileId id) {
    const auto place = Find(id);
    if (!place) return;
    const FileChunk& packed = *chunks_[place->chunk].files;
    const RowTotal whole = CountRowsOfFile(
        packed.record_count(place->place),
        snapshot_.id < packed.partial_max(place->place).value_or(snapshot_.id), nullptr, 0, 0);
    const RowTotal count = Count(*place, 0);
    total_.rows += count.rows - whole.rows;
    total_.inexact += count.inexact - whole.inexact;
  };
  for (const auto& [id, entries] : deletes_->files) recount(id);
  for (const auto& [id, positions] : deletes_->inlined) {
    if (!deletes_->files.contains(id)) recount(id);
  }
}

DataFileId TableFiles::last_id() const {
  if (chunks_.empty()) return {};
  const FileChunk& last = *chunks_.back().files;
  return last.id(last.size() - 1);
}

std::optional<TableFiles::Place> FindPlace(const std::vector<TableFiles::Chunk>& chunks,
                                           DataFileId id) {
  // The last chunk that begins at the id or before.
  const auto after = std::upper_bound(chunks.begin(), chunks.end(), id,
                                      [](DataFileId wanted, const TableFiles::Chunk& chunk) {
                                        return wanted < chunk.files->id(0);
                                      });
  if (after == chunks.begin()) return std::nullopt;
  const auto chunk = after - 1;
  const auto place = chunk->files->Find(id);
  if (!place) return std::nullopt;
  return TableFiles::Place{static_cast<size_t>(chunk - chunks.begin()), *place};
}

std::optional<TableFiles::Place> TableFiles::Find(DataFileId id) const {
  const auto place = FindPlace(chunks_, id);
  return place && chunks_[place->chunk].is_live(place->place) ? place : std::nullopt;
}

RowTotal TableFiles::Count(Place place, int64_t own) const {
  const FileChunk& packed = *chunks_[place.chunk].files;
  const DataFileId id = packed.id(place.place);
  const auto deletes = deletes_->files.find(id);
  const auto inlined = deletes_->inlined.find(id);
  return CountRowsOfFile(packed.record_count(place.place),
                         snapshot_.id < packed.partial_max(place.place).value_or(snapshot_.id),
                         deletes == deletes_->files.end() ? nullptr : &deletes->second,
                         inlined == deletes_->inlined.end() ? 0 : inlined->second.size(), own);
}

ScanFile TableFiles::Get(Place place) const {
  const Chunk& chunk = chunks_[place.chunk];
  ScanFile file;
  file.file = chunk.files->Get(place.place);
  file.ordinal = chunk.Ordinal(place.place);
  if (file.file.partial_max && snapshot_.id < *file.file.partial_max)
    file.row_snapshot_limit = snapshot_.id;
  if (deletes_->empty()) return file;
  if (const auto found = deletes_->files.find(file.file.id); found != deletes_->files.end()) {
    for (const TableDeletes::Deletion& entry : found->second)
      file.deletes.push_back({entry.file, {}, entry.snapshot_limit});
  }
  if (const auto found = deletes_->inlined.find(file.file.id); found != deletes_->inlined.end())
    file.deleted_positions = found->second;
  return file;
}

size_t TableFiles::memory(std::set<const void*>& counted) const {
  constexpr size_t kMapNode = 64;
  size_t bytes = sizeof(TableFiles) + chunks_.capacity() * sizeof(Chunk);
  for (const Chunk& chunk : chunks_) {
    bytes += chunk.ended.capacity() * sizeof(uint16_t);
    if (counted.insert(chunk.files.get()).second) bytes += chunk.files->memory();
  }
  if (!counted.insert(deletes_.get()).second) return bytes;
  for (const auto& [id, entries] : deletes_->files)
    bytes += kMapNode + entries.size() * (sizeof(TableDeletes::Deletion) + 100);
  for (const auto& [id, positions] : deletes_->inlined)
    bytes += kMapNode + positions.capacity() * sizeof(int64_t);
  return bytes;
}

}  // namespace tarn
