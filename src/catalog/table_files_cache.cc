// See table_files_cache.h.
#include "catalog/table_files_cache.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "catalog/catalog_reader.h"
#include "catalog/catalog_sql.h"
#include "catalog/table_files_loader.h"
#include "format/change_list.h"

namespace tarn {
namespace {

/// Of a table that is read at many snapshots, the last few.
constexpr size_t kMaxSnapshotsOfTable = 4;
/// After more snapshots than these, their words are not read: all is loaded.
constexpr size_t kMaxSnapshots = 10000;

// What a snapshot did to a table's files.
void AddChanges(const SnapshotInfo& info, TableId table, FileChanges& changes) {
  // Every commit says what it did; of one that does not, nothing is known.
  if (info.changes_made.empty()) changes.rewritten = true;
  for (const Change& change : ParseChanges(info.changes_made)) {
    if (change.kind == ChangeKind::kUnknown) {
      changes.rewritten = true;
      continue;
    }
    if (change.id != table.value) continue;
    switch (change.kind) {
      case ChangeKind::kInsertedIntoTable:
        changes.inserted = true;
        break;
      case ChangeKind::kDeletedFromTable:
      case ChangeKind::kInlinedDelete:
        changes.deleted = true;
        break;
      case ChangeKind::kInlinedInsert:
        changes.inlined = true;
        break;
      default:
        // Merges and rewrites remove rows of files, flushes those of deletes. The rest is rare.
        changes.rewritten = true;
        break;
    }
  }
}

// What has happened since a state was read.
struct Since {
  bool is_known = false;  ///< else somebody has put the lake back, or snapshots have expired
  Snapshot head;          ///< the newest snapshot
  FileChanges wanted;     ///< changes up to the snapshot that is to be read
  FileChanges all;        ///< changes up to the head
};

Since ChangesSince(const std::vector<SnapshotInfo>& infos, const Snapshot& from,
                   const Snapshot& wanted, TableId table) {
  Since since;
  if (infos.empty() || infos.size() >= kMaxSnapshots) return since;
  if (infos.front().snapshot.id != from.id || infos.front().snapshot.time != from.time)
    return since;
  SnapshotId expected = from.id;
  for (const SnapshotInfo& info : infos) {
    const Snapshot& at = info.snapshot;
    if (at.id != expected || (at.id == wanted.id && at.time != wanted.time)) return since;
    ++expected.value;
    if (at.id == from.id) continue;
    FileChanges changes;
    AddChanges(info, table, changes);
    since.all.Add(changes);
    if (at.id <= wanted.id) since.wanted.Add(changes);
  }
  since.head = infos.back().snapshot;
  since.is_known = wanted.id <= since.head.id;
  return since;
}

}  // namespace

std::shared_ptr<const TableFiles> TableFilesCache::Get(StoreConnection& connection, TableId table,
                                                       const Snapshot& snapshot) {
  std::optional<Entry> entry = Find(table, snapshot.id);
  if (entry) entry = Refresh(connection, *entry, snapshot);
  if (!entry) {
    CatalogReader reader(connection);
    RequireKept(connection, snapshot.id);
    const std::optional<Snapshot> head = reader.FindSnapshot({});
    entry = Entry{LoadTableFiles(connection, table, snapshot), head.value_or(snapshot)};
  }
  Keep(*entry);
  return entry->files;
}

std::optional<TableFilesCache::Entry> TableFilesCache::Refresh(StoreConnection& connection,
                                                               const Entry& entry,
                                                               const Snapshot& snapshot) {
  const TableFiles& files = *entry.files;
  const bool is_same = files.snapshot().id == snapshot.id;
  // A state of the snapshot itself only needs to know what has happened since it was last looked
  // at; an older one, what has happened since it was.
  const Snapshot& from = is_same ? entry.seen : files.snapshot();
  const Since since = ChangesSince(CatalogReader(connection).SnapshotsFrom(from.id, kMaxSnapshots),
                                   from, snapshot, files.table());
  if (!since.is_known || (is_same && files.snapshot().time != snapshot.time)) {
    Forget(files.table());
    return std::nullopt;
  }
  if (is_same) {
    if (snapshot.id < from.id) RequireKept(connection, snapshot.id);
    if (since.all.rewritten) return std::nullopt;
    if (!since.all.deleted) return Entry{entry.files, since.head};
  }
  FileChanges changes = since.wanted;
  // What is taken away after the snapshot is not there to be read at it, either: so it is with
  // files by merges, and with delete files by deletes that take their place.
  changes.rewritten = since.all.rewritten;
  changes.deleted = since.all.deleted;
  return Entry{RefreshTableFiles(connection, files, snapshot, changes), since.head};
}

std::optional<TableFilesCache::Entry> TableFilesCache::Find(TableId table,
                                                            SnapshotId snapshot) const {
  std::lock_guard lock(mutex_);
  const Entry* best = nullptr;
  for (const Entry& entry : entries_) {
    const SnapshotId at = entry.files->snapshot().id;
    if (entry.files->table() != table || snapshot < at) continue;
    if (best == nullptr || best->files->snapshot().id < at) best = &entry;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

void TableFilesCache::Keep(const Entry& entry) {
  std::lock_guard lock(mutex_);
  if (budget_ <= 0) return;
  const SnapshotId at = entry.files->snapshot().id;
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& other) {
    return other.files->table() == entry.files->table() && other.files->snapshot().id == at;
  });
  if (known != entries_.end() && known->files == entry.files) {
    *known = entry;
    entries_.splice(entries_.begin(), entries_, known);
    return;
  }
  if (known != entries_.end()) entries_.erase(known);
  entries_.push_front(entry);
  size_t of_table = 0;
  std::erase_if(entries_, [&](const Entry& other) {
    return other.files->table() == entry.files->table() && ++of_table > kMaxSnapshotsOfTable;
  });
  TrimLocked();
}

void TableFilesCache::Forget(TableId table) {
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& known) { return known.files->table() == table; });
}

void TableFilesCache::SetBudget(int64_t bytes) {
  std::lock_guard lock(mutex_);
  if (budget_ == bytes) return;
  budget_ = bytes;
  TrimLocked();
}

void TableFilesCache::Trim() {
  std::lock_guard lock(mutex_);
  TrimLocked();
}

int64_t TableFilesCache::memory() const {
  std::lock_guard lock(mutex_);
  std::set<const void*> counted;
  int64_t bytes = 0;
  for (const Entry& entry : entries_) bytes += static_cast<int64_t>(entry.files->memory(counted));
  return bytes;
}

void TableFilesCache::TrimLocked() {
  std::set<const void*> counted;
  int64_t bytes = 0;
  auto entry = entries_.begin();
  while (entry != entries_.end()) {
    bytes += static_cast<int64_t>(entry->files->memory(counted));
    if (bytes > budget_) break;
    ++entry;
  }
  entries_.erase(entry, entries_.end());
}

}  // namespace tarn
