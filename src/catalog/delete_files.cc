// Settling deletes at a head.
#include "catalog/delete_files.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "base/assert.h"
#include "catalog/catalog_sql.h"
#include "catalog/flush.h"
#include "catalog/inlined_tables.h"
#include "catalog/scan_planner.h"
#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

/// Below the least number of parameters that a supported database takes in one statement.
constexpr size_t kMaxIdsAtOnce = 500;

bool SameDeletes(const DataFileState& a, const DataFileState& b) {
  return a.inlined == b.inlined &&
         std::equal(a.deletes.begin(), a.deletes.end(), b.deletes.begin(), b.deletes.end(),
                    [](const DeleteFile& x, const DeleteFile& y) { return x.id == y.id; });
}

/// Whether a file has no live row left, and ends. With inlined deletes it stays: when it ends,
/// other clients' change feeds know only these. Two delete files may name the same row (those of
/// other clients do), so then only a reader of both could tell.
std::optional<bool> MayBeEmptied(const DataFileState& state, const RemovedRows& removed) {
  if (!state.inlined.empty()) return false;
  int64_t dead = removed.count;
  for (const DeleteFile& file : state.deletes) dead += file.delete_count;
  if (dead < state.file.record_count) return false;
  return state.deletes.size() > 1 ? std::nullopt : std::optional(true);
}

/// A flush would write into a delete file what nobody could read afterwards. `deletes` are sorted.
void RequirePositionsOf(const DataFile& file,
                        const std::vector<FeedPart::PositionDelete>& deletes) {
  if (deletes.front().position >= 0 && deletes.back().position < file.record_count) return;
  const int64_t wrong =
      deletes.front().position < 0 ? deletes.front().position : deletes.back().position;
  throw Error(ErrorCode::kCorrupt, "The catalog has row " + std::to_string(wrong) +
                                       " deleted of the data file \"" + file.path +
                                       "\", which has " + std::to_string(file.record_count) +
                                       " rows: somebody has changed it by hand, and `tarn check` "
                                       "says where.");
}

RemovedRows EveryRow(const DataFile& file, int64_t alive) {
  RemovedRows every;
  every.positions.resize(file.record_count);
  std::iota(every.positions.begin(), every.positions.end(), 0);
  every.count = alive;
  return every;
}

void AddSorted(std::vector<int64_t>& to, const std::vector<int64_t>& from) {
  std::vector<int64_t> merged;
  merged.reserve(to.size() + from.size());
  std::set_union(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(merged));
  to = std::move(merged);
}

}  // namespace

std::map<DataFileId, DataFileState> LoadDataFileStates(StoreConnection& connection, TableId table,
                                                       const std::vector<DataFileId>& files,
                                                       SnapshotId snapshot) {
  std::map<DataFileId, DataFileState> states;
  auto select = [&](std::span<const CatalogColumn> columns, const CatalogTable& from,
                    std::span<const DataFileId> ids) {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT ").Text(ColumnList(columns, connection.dialect())).Text(" FROM ");
    sql.Table(from.name).Text(" WHERE ").Name(tables::DataFile::kTableId.name).Text(" = ");
    sql.Bind(table).Text(" AND");
    AppendAlive(sql, snapshot);
    sql.Text(" AND ").Name(tables::DataFile::kDataFileId.name).Text(" IN (").BindList(ids);
    sql.Text(")");
    return connection.Query(sql.Build());
  };
  for (size_t first = 0; first < files.size(); first += kMaxIdsAtOnce) {
    std::span<const DataFileId> ids(files.data() + first,
                                    std::min(kMaxIdsAtOnce, files.size() - first));
    {
      std::unique_ptr<Rows> rows = select(DataFileColumns(), tables::DataFile::kTable, ids);
      while (rows->Next()) {
        DataFile file = ReadDataFile(*rows);
        states[file.id].file = std::move(file);
      }
    }
    std::unique_ptr<Rows> rows = select(DeleteFileColumns(), tables::DeleteFile::kTable, ids);
    while (rows->Next()) {
      DeleteFile file = ReadDeleteFile(*rows);
      auto state = states.find(file.data_file);
      if (state != states.end()) state->second.deletes.push_back(std::move(file));
    }
  }
  if (states.empty()) return states;
  for (auto& [_, state] : states) {
    std::sort(state.deletes.begin(), state.deletes.end(),
              [](const DeleteFile& a, const DeleteFile& b) { return a.id < b.id; });
  }
  for (auto& [file, positions] : LoadInlinedDeletes(connection, table, snapshot)) {
    auto state = states.find(file);
    if (state == states.end()) continue;
    DropPositionsBeyond(state->second.file.record_count, positions);
    state->second.inlined = std::move(positions);
  }
  return states;
}

namespace {

/// Every delete file that a data file has had, ended ones too.
std::vector<DeleteFile> LoadDeleteFilesOf(StoreConnection& connection, TableId table,
                                          DataFileId file) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ").Text(ColumnList(DeleteFileColumns(), connection.dialect()));
  sql.Text(" FROM ").Table(tables::DeleteFile::kTable.name).Text(" WHERE table_id = ");
  sql.Bind(table).Text(" AND data_file_id = ").Bind(file).Text(" ORDER BY delete_file_id");
  std::vector<DeleteFile> files;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) files.push_back(ReadDeleteFile(*rows));
  return files;
}

}  // namespace

DeleteFiles::DeleteFiles(const ChangeSet& changes, Options options)
    : changes_(changes), options_(std::move(options)) {}

DeleteFiles::~DeleteFiles() {
  for (auto& [_, entry] : entries_) Discard(entry);
  for (auto& [_, flushed] : flushed_) Discard(flushed.entry);
}

bool DeleteFiles::any() const {
  return std::any_of(changes_.rows.begin(), changes_.rows.end(), [](const auto& item) {
    return item.second.deletes_from_files() || !item.second.removed_staged.empty() ||
           item.second.flushes();
  });
}

void DeleteFiles::Forget(TableRef table) noexcept {
  settled_for_.reset();
  for (auto& [key, entry] : entries_) {
    if (key.first == table) Discard(entry);
  }
  std::erase_if(entries_, [&](const auto& item) { return item.first.first == table; });
  for (auto& [key, flushed] : flushed_) {
    if (std::get<TableRef>(key) == table) Discard(flushed.entry);
  }
  std::erase_if(flushed_,
                [&](const auto& item) { return std::get<TableRef>(item.first) == table; });
}

std::optional<LostRows> DeleteFiles::Settle(StoreConnection& connection, const Snapshot& head) {
  settled_ = {};
  settled_for_.reset();
  for (auto& [_, entry] : entries_) entry.is_needed = false;
  for (const auto& [table, rows] : changes_.rows) {
    std::vector<DataFileId> files;
    // What a restore ends may come back as another file, with the same row ids.
    const bool takes_all =
        !changes_.restored && std::any_of(rows.removed.begin(), rows.removed.end(),
                                          [](const auto& removed) { return removed.second.all; });
    std::map<DataFileId, std::vector<int64_t>> have_inlined;
    if (takes_all) have_inlined = LoadInlinedDeletes(connection, table.id(), head.id);
    for (const auto& [file, removed] : rows.removed) {
      if (removed.all && !have_inlined.contains(file))
        settled_.ended_files[table].push_back(file);
      else
        files.push_back(file);
    }
    std::map<DataFileId, std::vector<FeedPart::PositionDelete>> inlined;
    if (rows.flush && rows.flush->deletes) {
      inlined = LoadInlinedDeleteRows(connection, table.id(), head.id);
      for (const auto& [file, _] : inlined) {
        if (rows.Find(file) == nullptr) files.push_back(file);
      }
    }
    if (!files.empty()) {
      std::map<DataFileId, DataFileState> states =
          LoadDataFileStates(connection, table.id(), files, head.id);
      for (DataFileId file : files) {
        auto state = states.find(file);
        const RemovedRows* removed = rows.Find(file);
        auto flushed = inlined.find(file);
        if (state == states.end()) {
          if (removed != nullptr) return LostRows{table};
          continue;  // it has ended, with all its rows: what was deleted before stays as it is
        }
        RemovedRows every;
        if (removed != nullptr && removed->all) {
          every = EveryRow(state->second.file, removed->count);
          removed = &every;
        }
        if (flushed != inlined.end()) {
          static const RemovedRows kNothing;
          // Vectors that have ended lived beside inlined deletes; the new file has the snapshot of
          // each row, so it takes the place of them, too: no two may be alive at one snapshot.
          state->second.deletes = LoadDeleteFilesOf(connection, table.id(), file);
          SettleFlushOfDeletes(table, removed == nullptr ? kNothing : *removed,
                               std::move(state->second), std::move(flushed->second), head);
        } else {
          SettleFile(table, *removed, std::move(state->second), head);
        }
      }
    }
    if (rows.flush) {
      // Deletes that another flush has taken meanwhile leave nothing to commit.
      if (rows.flush->tables.empty() && !settled_.flushed.contains(table))
        return LostRows{table, true};
      if (auto lost = SettleFlush(connection, table, head)) return lost;
    }
    for (const auto& [index, removed] : rows.removed_staged) SettleStaged(table, index, head);
  }
  for (auto& [_, entry] : entries_) {
    // Another flush has taken the deletes that a file was written for, or its data file has ended.
    if (!entry.is_needed) Discard(entry);
    if (entry.is_written) settled_.written.push_back(entry.written);
  }
  for (auto& [_, flushed] : flushed_) {
    if (flushed.entry.is_written) settled_.written.push_back(flushed.entry.written);
  }
  settled_for_ = head;
  return std::nullopt;
}

void DeleteFiles::SettleFile(TableRef table, const RemovedRows& removed, DataFileState state,
                             const Snapshot& head) {
  Entry& entry = entries_[{table, {false, state.file.id.value}}];
  entry.is_needed = true;
  const bool fits = entry.is_written && !entry.written.is_partial;
  if (fits && SameDeletes(entry.state, state)) return;
  Discard(entry);

  const Table& object = *changes_.after->FindTable(table);
  entry.pending = Describe(object, state);
  std::set_difference(removed.positions.begin(), removed.positions.end(), state.inlined.begin(),
                      state.inlined.end(), std::back_inserter(entry.pending.positions));
  TARN_ASSERT(removed.positions.back() < state.file.record_count);
  if (IsEmptied(state, removed, entry.pending)) {
    settled_.ended_files[table].push_back(state.file.id);
    return;
  }
  if (entry.pending.positions.empty()) return;
  if (removed.count <= changes_.inlining.LimitOf(object)) {
    settled_.inlined[table][state.file.id] = std::move(entry.pending.positions);
    return;
  }

  WrittenDelete& written = entry.written = {};
  written.table = table;
  written.data_file = state.file.id;
  TakePlaceOfExisting(entry);
  for (const DeleteFile& old : state.deletes) {
    written.begin_snapshot =
        std::min(written.begin_snapshot.value_or(old.begin_snapshot), old.begin_snapshot);
  }
  written.is_partial = !state.deletes.empty() && entry.pending.format == "parquet";
  if (!written.is_partial) written.begin_snapshot.reset();
  entry.pending.needs_snapshot_ids = written.is_partial;
  entry.state = std::move(state);
  Write(entry, SnapshotId(head.id.value + 1));
}

bool DeleteFiles::IsEmptied(const DataFileState& state, const RemovedRows& removed,
                            const PendingDelete& pending) const {
  if (std::optional<bool> known = MayBeEmptied(state, removed)) return *known;
  std::vector<int64_t> dead = options_.writer->ReadPositions(pending);
  AddSorted(dead, pending.positions);
  return static_cast<int64_t>(dead.size()) >= state.file.record_count;
}

void DeleteFiles::SettleStaged(TableRef table, size_t index, const Snapshot& head) {
  Entry& entry = entries_[{table, {true, static_cast<int64_t>(index)}}];
  entry.is_needed = true;
  if (entry.is_written) return;
  const RowChanges& rows = changes_.rows.at(table);
  entry.state.file = rows.data_files.at(index);
  entry.pending = Describe(*changes_.after->FindTable(table), entry.state);
  entry.pending.positions = rows.FindStaged(index)->positions;
  entry.written.table = table;
  entry.written.staged_index = index;
  Write(entry, SnapshotId(head.id.value + 1));
}

std::optional<LostRows> DeleteFiles::SettleFlush(StoreConnection& connection, TableRef table,
                                                 const Snapshot& head) {
  const RowChanges& rows = changes_.rows.at(table);
  const SnapshotId next(head.id.value + 1);
  for (size_t i = 0; i < rows.flush->tables.size(); ++i) {
    const FlushedTable& flushed = rows.flush->tables[i];
    const RemovedRows* removed = rows.FindInlined(flushed.table_name);
    std::optional<std::vector<EndedRow>> ended;
    try {
      ended = LoadEndedRows(connection, flushed.table_name, changes_.base.id, removed, next);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kInternal) throw UnreadableInlinedTable(error);
      if (error.code() != ErrorCode::kNotFound) throw;  // else another flush has dropped it since
    }
    if (!ended) return LostRows{table, removed == nullptr};
    for (size_t k = 0; k < flushed.files.size(); ++k)
      SettleFlushedFile(table, {i, k}, *ended, head);
  }
  return std::nullopt;
}

void DeleteFiles::SettleFlushedFile(TableRef table, std::pair<size_t, size_t> which,
                                    const std::vector<EndedRow>& ended, const Snapshot& head) {
  FlushedEntry& flushed = flushed_[{table, which.first, which.second}];
  if (flushed.ended == ended) return;
  Entry& entry = flushed.entry;
  Discard(entry);
  flushed.ended = ended;
  if (ended.empty()) return;
  const FlushedTable& from = changes_.rows.at(table).flush->tables[which.first];
  entry.state.file = from.files[which.second];
  entry.pending = Describe(*changes_.after->FindTable(table), entry.state);
  entry.pending.flushed = entry.state.file;
  entry.pending.ended_rows = ended;
  entry.written = {};
  entry.written.table = table;
  entry.written.flushed = which;
  WritePartial(entry, head);
}

void DeleteFiles::SettleFlushOfDeletes(TableRef table, const RemovedRows& removed,
                                       DataFileState state,
                                       std::vector<FeedPart::PositionDelete> inlined,
                                       const Snapshot& head) {
  Entry& entry = entries_[{table, {false, state.file.id.value}}];
  entry.is_needed = true;
  RequirePositionsOf(state.file, inlined);
  const bool fits =
      entry.is_written && removed.positions.empty() && SameDeletes(entry.state, state);
  if (!fits) {
    Discard(entry);
    entry.pending = Describe(*changes_.after->FindTable(table), state);
    entry.written = {};
    TakePlaceOfExisting(entry);
    entry.pending.inlined_deletes = inlined;
    std::set_difference(removed.positions.begin(), removed.positions.end(), state.inlined.begin(),
                        state.inlined.end(), std::back_inserter(entry.pending.positions));
    entry.written.table = table;
    entry.written.data_file = state.file.id;
    entry.state = std::move(state);
    WritePartial(entry, head);
  }
  if (entry.written.takes_all) settled_.ended_files[table].push_back(entry.written.data_file);
  FlushedDeletes& flushed = settled_.flushed[table];
  flushed.files.push_back(entry.written.data_file);
  flushed.count += static_cast<int64_t>(inlined.size());
}

void DeleteFiles::WritePartial(Entry& entry, const Snapshot& head) {
  // A vector could not keep the snapshot of each row.
  entry.pending.format = "parquet";
  entry.pending.needs_snapshot_ids = true;
  entry.written.is_partial = true;
  Write(entry, SnapshotId(head.id.value + 1));
  const DeleteFile& file = entry.written.file;
  entry.written.begin_snapshot = file.begin_snapshot;
  entry.written.last_snapshot = file.partial_max;
  entry.written.takes_all = file.delete_count >= entry.state.file.record_count;
}

void DeleteFiles::TakePlaceOfExisting(Entry& entry) const {
  for (const ScanDelete& existing : entry.pending.existing) {
    WrittenDelete::Superseded superseded{existing.file.id, existing.path, false};
    if (auto relative = RelativeTo(options_.data_path, existing.path)) {
      superseded.path = *relative;
      superseded.path_is_relative = true;
    }
    entry.written.superseded.push_back(std::move(superseded));
  }
}

PendingDelete DeleteFiles::Describe(const Table& table, const DataFileState& state) const {
  PendingDelete pending;
  pending.table = changes_.after->FindTable(table.ref);
  pending.folder = ResolveTablePath(options_.data_path, *changes_.after, table);
  pending.data_file_path =
      ResolveFilePath(pending.folder, state.file.path, state.file.path_is_relative);
  pending.data_file_rows = state.file.record_count;
  for (const DeleteFile& file : state.deletes) {
    ScanDelete& existing = pending.existing.emplace_back();
    existing.file = file;
    existing.path = ResolveFilePath(pending.folder, file.path, file.path_is_relative);
  }
  pending.format = options_.uses_vectors(table) ? "puffin" : "parquet";
  return pending;
}

void DeleteFiles::Write(Entry& entry, SnapshotId snapshot) {
  TARN_ASSERT(options_.writer != nullptr);
  entry.written.file = options_.writer->Write(entry.pending, snapshot);
  entry.is_written = !entry.written.file.path.empty();
  if (!entry.is_written) return;
  const DeleteFile& file = entry.written.file;
  TARN_ASSERT(file.format == entry.pending.format);
  TARN_ASSERT(!options_.encrypted || file.encryption_key || file.format == "puffin");
  TARN_ASSERT(file.delete_count > 0 && file.file_size_bytes > 0);
}

void DeleteFiles::Discard(Entry& entry) noexcept {
  if (!std::exchange(entry.is_written, false)) return;
  options_.writer->Discard(entry.pending, entry.written.file);
}

}  // namespace tarn
