// See table_files_loader.h.
#include "catalog/table_files_loader.h"

#include <algorithm>
#include <utility>

#include "catalog/catalog_sql.h"
#include "catalog/inlined_tables.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

using Chunks = std::vector<TableFiles::Chunk>;

StatementBuilder SelectFrom(const Dialect& dialect, std::span<const CatalogColumn> columns,
                            std::string_view from, TableId table) {
  StatementBuilder sql(dialect);
  sql.Text("SELECT ").Text(ColumnList(columns, dialect)).Text(" FROM ").Table(from);
  sql.Text(" WHERE table_id = ").Bind(table);
  return sql;
}

// Adds files alive at the snapshot with ids greater than `after`: to the last chunk as long
// as it has room, which is copied for that.
void AppendFiles(StoreConnection& connection, TableId table, SnapshotId snapshot, DataFileId after,
                 Chunks& chunks) {
  StatementBuilder sql =
      SelectFrom(connection.dialect(), DataFileColumns(), tables::DataFile::kTable.name, table);
  if (after.valid()) sql.Text(" AND data_file_id > ").Bind(after);
  sql.Text(" AND");
  AppendAlive(sql, snapshot);
  sql.Text(" ORDER BY data_file_id");
  std::shared_ptr<FileChunk> open;
  const auto finish = [&] {
    if (open) open->Finish();
    open.reset();
  };
  const std::unique_ptr<Rows> rows = connection.Stream(sql.Build());
  while (rows->Next()) {
    if (open && open->size() >= FileChunk::kCapacity) finish();
    if (!open) {
      if (!chunks.empty() && chunks.back().files->size() < FileChunk::kCapacity) {
        open = chunks.back().files->Extend();
        chunks.back().files = open;
      } else {
        open = std::make_shared<FileChunk>();
        chunks.push_back({open, {}, 0});
      }
    }
    DataFile file = ReadDataFile(*rows);
    file.end_snapshot.reset();
    open->Add(file);
  }
  finish();
}

class DeletesLoader {
 public:
  /// Of files with ids greater than `after`, or of all.
  DeletesLoader(StoreConnection& connection, TableId table, SnapshotId snapshot, DataFileId after,
                const Chunks& chunks)
      : connection_(connection),
        table_(table),
        snapshot_(snapshot),
        after_(after),
        chunks_(chunks) {}

  std::shared_ptr<const TableDeletes> Load() {
    LoadFiles();
    for (auto& [id, positions] : LoadInlinedDeletes(connection_, table_, snapshot_, after_)) {
      const auto place = Find(id);
      if (!place) continue;
      DropPositionsBeyond(place->first->record_count(place->second), positions);
      if (!positions.empty()) deletes_->inlined.emplace(id, std::move(positions));
    }
    return std::move(deletes_);
  }

 private:
  // A live data file: its chunk, and where it is there.
  std::optional<std::pair<const FileChunk*, size_t>> Find(DataFileId id) const {
    const auto found = FindPlace(chunks_, id);
    if (!found || !chunks_[found->chunk].is_live(found->place)) return std::nullopt;
    return std::pair(chunks_[found->chunk].files.get(), found->place);
  }

  void LoadFiles() {
    StatementBuilder sql = SelectFrom(connection_.dialect(), DeleteFileColumns(),
                                      tables::DeleteFile::kTable.name, table_);
    if (after_.valid()) sql.Text(" AND data_file_id > ").Bind(after_);
    sql.Text(" AND");
    AppendAlive(sql, snapshot_);
    sql.Text(" ORDER BY delete_file_id");
    const std::unique_ptr<Rows> rows = connection_.Stream(sql.Build());
    while (rows->Next()) {
      TableDeletes::Deletion entry{ReadDeleteFile(*rows), {}};
      const auto place = Find(entry.file.data_file);
      if (!place) continue;  // of a file that has ended
      const bool may_be_partial =
          MayHideSnapshots(entry.file, place->first->partial_max(place->second));
      if (may_be_partial || snapshot_ < entry.file.partial_max.value_or(snapshot_))
        entry.snapshot_limit = snapshot_;
      if (may_be_partial || entry.file.partial_max) deletes_->depends_on_snapshot = true;
      deletes_->files[entry.file.data_file].push_back(std::move(entry));
    }
  }

  StoreConnection& connection_;
  const TableId table_;
  const SnapshotId snapshot_;
  const DataFileId after_;
  const Chunks& chunks_;
  std::shared_ptr<TableDeletes> deletes_ = std::make_shared<TableDeletes>();
};

std::shared_ptr<const TableDeletes> LoadDeletes(StoreConnection& connection, TableId table,
                                                SnapshotId snapshot, const Chunks& chunks) {
  // Most tables have no file, and then nothing is asked.
  if (chunks.empty()) return std::make_shared<const TableDeletes>();
  return DeletesLoader(connection, table, snapshot, {}, chunks).Load();
}

// A transaction may delete rows of files that it writes itself: these are told apart from others.
std::shared_ptr<const TableDeletes> AddDeletesOfNewFiles(
    StoreConnection& connection, TableId table, SnapshotId snapshot, DataFileId after,
    const Chunks& chunks, const std::shared_ptr<const TableDeletes>& known) {
  auto added = DeletesLoader(connection, table, snapshot, after, chunks).Load();
  if (added->empty()) return known;
  if (known->empty()) return added;
  auto all = std::make_shared<TableDeletes>(*known);
  all->files.insert(added->files.begin(), added->files.end());
  all->inlined.insert(added->inlined.begin(), added->inlined.end());
  all->depends_on_snapshot = all->depends_on_snapshot || added->depends_on_snapshot;
  return all;
}

void End(Chunks& chunks, DataFileId id) {
  const auto found = FindPlace(chunks, id);
  if (!found || !chunks[found->chunk].is_live(found->place)) return;
  std::vector<uint16_t>& ended = chunks[found->chunk].ended;
  const auto number = static_cast<uint16_t>(found->place);
  ended.insert(std::lower_bound(ended.begin(), ended.end(), number), number);
}

// Files that transactions have ended since: their rows stay as long as `from` is kept.
void EndFiles(StoreConnection& connection, TableId table, SnapshotId from, SnapshotId to,
              Chunks& chunks) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT data_file_id FROM ").Table(tables::DataFile::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(" AND end_snapshot > ").Bind(from);
  sql.Text(" AND end_snapshot <= ").Bind(to);
  const std::unique_ptr<Rows> rows = connection.Stream(sql.Build());
  while (rows->Next()) End(chunks, DataFileId(rows->Int64(0)));
}

// The same where rows of files may be gone, too: what is not among the live ones has ended. False
// when a live one is not among the known files: then they must be loaded anew.
bool EndAbsentFiles(StoreConnection& connection, TableId table, SnapshotId snapshot,
                    DataFileId last, Chunks& chunks) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT data_file_id FROM ").Table(tables::DataFile::kTable.name);
  sql.Text(" WHERE table_id = ").Bind(table).Text(" AND data_file_id <= ").Bind(last).Text(" AND");
  AppendAlive(sql, snapshot);
  sql.Text(" ORDER BY data_file_id");
  const std::unique_ptr<Rows> rows = connection.Stream(sql.Build());
  bool more = rows->Next();
  for (TableFiles::Chunk& chunk : chunks) {
    std::vector<uint16_t> ended;
    for (size_t place = 0; place < chunk.files->size(); ++place) {
      const DataFileId id = chunk.files->id(place);
      if (more && rows->Int64(0) < id.value) return false;
      if (more && rows->Int64(0) == id.value) {
        if (!chunk.is_live(place)) return false;
        more = rows->Next();
      } else {
        ended.push_back(static_cast<uint16_t>(place));
      }
    }
    chunk.ended = std::move(ended);
  }
  return !more;
}

std::shared_ptr<const std::vector<InlinedTable>> LoadInlined(StoreConnection& connection,
                                                             TableId table, SnapshotId snapshot) {
  return std::make_shared<const std::vector<InlinedTable>>(
      LoadInlinedTables(connection, table, snapshot));
}

}  // namespace

std::shared_ptr<const TableFiles> LoadTableFiles(StoreConnection& connection, TableId table,
                                                 const Snapshot& snapshot) {
  Chunks chunks;
  AppendFiles(connection, table, snapshot.id, DataFileId(), chunks);
  auto deletes = LoadDeletes(connection, table, snapshot.id, chunks);
  auto inlined = LoadInlined(connection, table, snapshot.id);
  return std::make_shared<const TableFiles>(table, snapshot, std::move(chunks), std::move(deletes),
                                            std::move(inlined));
}

std::shared_ptr<const TableFiles> RefreshTableFiles(StoreConnection& connection,
                                                    const TableFiles& before,
                                                    const Snapshot& snapshot,
                                                    const FileChanges& changes) {
  const TableId table = before.table();
  const SnapshotId at = snapshot.id;
  Chunks chunks = before.chunks();
  const DataFileId last = before.last_id();
  if (changes.rewritten) {
    if (!EndAbsentFiles(connection, table, at, last, chunks))
      return LoadTableFiles(connection, table, snapshot);
  } else if (changes.deleted) {
    EndFiles(connection, table, before.snapshot().id, at, chunks);
  }
  // Nothing is gained by walking over what is dead.
  std::erase_if(chunks, [](const TableFiles::Chunk& chunk) { return chunk.live() == 0; });
  if (changes.inserted || changes.rewritten) AppendFiles(connection, table, at, last, chunks);
  const bool took_away = changes.deleted || changes.rewritten;
  auto deletes = before.deletes();
  if (took_away || deletes->depends_on_snapshot) {
    deletes = LoadDeletes(connection, table, at, chunks);
  } else if (changes.inserted) {
    deletes = AddDeletesOfNewFiles(connection, table, at, last, chunks, deletes);
  }
  auto inlined =
      took_away || changes.inlined ? LoadInlined(connection, table, at) : before.inlined();
  return std::make_shared<const TableFiles>(table, snapshot, std::move(chunks), std::move(deletes),
                                            std::move(inlined));
}

}  // namespace tarn
