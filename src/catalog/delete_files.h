// The deletes of one commit (format page, sections 6 and 7): which data files need a delete file,
// of which so few rows go that the catalog keeps them, which lose all their rows instead, and what
// has been written so far. A delete file with snapshots per row
// fits one snapshot only, so it is written again when another commit moved the head; nothing else
// is.
//
//   data file 7 of 10 rows; its live delete   the transaction   what the commit makes of it
//   none                                      {1}, few          rows of the catalog {1}
//   none                                      {1}               plain file {1}
//   file {1} of snapshot 4                    {3}               partial file {1: 4, 3: new}; the
//                                                               old row is removed
//   deletion vector {1}                       {3}               vector {1, 3}; the old row ends
//   file {1}                                  all others        none; data and delete file end
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catalog/change_set.h"
#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/transaction.h"

namespace tarn {

/// A committed data file as the catalog has it at one snapshot, with what removes rows of it.
struct DataFileState {
  DataFile file;
  std::vector<DeleteFile> deletes;
  std::vector<int64_t> inlined;  ///< positions, sorted
};

/// Those of the files that are alive at a snapshot.
std::map<DataFileId, DataFileState> LoadDataFileStates(StoreConnection& connection, TableId table,
                                                       const std::vector<DataFileId>& files,
                                                       SnapshotId snapshot);

/// A delete file that is written, and what it does to the catalog's rows.
struct WrittenDelete {
  TableRef table;
  std::optional<size_t> staged_index;  ///< of a file that this commit inserts, or
  std::optional<std::pair<size_t, size_t>>
      flushed;  ///< of one that its flush does: which of FlushedTable, and which file of it, or
  DataFileId data_file;
  DeleteFile file;
  /// Where its rows begin; absent: in the new snapshot.
  std::optional<SnapshotId> begin_snapshot;
  bool is_partial = false;  ///< with a snapshot per row, up to the new one
  /// The last of these snapshots, if it is not the new one.
  std::optional<SnapshotId> last_snapshot;
  bool takes_all = false;  ///< no row is left, so it ends with its data file

  /// A live delete file that this one takes the place of.
  struct Superseded {
    DeleteFileId id;
    std::string path;  ///< relative to the data path if it lies there
    bool path_is_relative = true;
  };
  std::vector<Superseded> superseded;
  /// Partial files hold all that the superseded ones did, so their rows are removed and the files
  /// scheduled for deletion; others only take over, and the old rows end.
  bool removes_superseded() const { return is_partial; }
};

/// Inlined deletes that delete files have taken the place of.
struct FlushedDeletes {
  std::vector<DataFileId> files;  ///< all rows of these go
  int64_t count = 0;              ///< that many
};

/// What deletes become in the catalog, beside the removals that ChangeSet itself tells.
struct SettledDeletes {
  std::vector<WrittenDelete> written;                       ///< by table, then by data file
  std::map<TableRef, std::vector<DataFileId>> ended_files;  ///< all rows gone
  /// Positions that become rows of the catalog.
  std::map<TableRef, std::map<DataFileId, std::vector<int64_t>>> inlined;
  std::map<TableRef, FlushedDeletes> flushed;
};

/// Writes delete files through the engine's writer, and discards those that no commit took. Used by
/// one thread.
class DeleteFiles {
 public:
  struct Options {
    DeleteFileWriter* writer = nullptr;
    std::string data_path;
    /// Deletion vectors instead of Parquet, for a table.
    std::function<bool(const Table&)> uses_vectors;
    bool encrypted = false;
  };
  DeleteFiles(const ChangeSet& changes, Options options);
  ~DeleteFiles();
  DeleteFiles(const DeleteFiles&) = delete;
  DeleteFiles& operator=(const DeleteFiles&) = delete;

  /// Makes all fit a commit right after `head`, reading on the connection. Returns rows that are
  /// not there any more; absent when all is settled.
  std::optional<LostRows> Settle(StoreConnection& connection, const Snapshot& head);
  /// What was written for the table is not wanted, or not like that.
  void Forget(TableRef table) noexcept;
  bool IsSettledFor(const Snapshot& head) const {
    return settled_for_ && settled_for_->id == head.id && settled_for_->time == head.time;
  }
  /// False when the commit deletes nothing from files.
  bool any() const;
  const SettledDeletes& settled() const { return settled_; }
  /// The files belong to a commit, or may do: they are not discarded.
  void Keep() noexcept {
    entries_.clear();
    flushed_.clear();
  }

 private:
  struct Entry {
    DataFileState state;  ///< that the file was written for; of a staged file only `file`
    PendingDelete pending;
    WrittenDelete written;
    bool is_written = false;
    bool is_needed = false;  ///< by the last settlement
  };
  /// A file that a flush wrote: its rows that have ended need a delete file.
  struct FlushedEntry {
    Entry entry;
    std::optional<std::vector<EndedRow>> ended;  ///< that the entry was written for
  };
  using FlushedKey = std::tuple<TableRef, size_t, size_t>;
  using Key = std::pair<TableRef, std::pair<bool, int64_t>>;  ///< staged files after the others

  void SettleFile(TableRef table, const RemovedRows& removed, DataFileState state,
                  const Snapshot& head);
  /// `pending` has the new positions.
  bool IsEmptied(const DataFileState& state, const RemovedRows& removed,
                 const PendingDelete& pending) const;
  void SettleStaged(TableRef table, size_t index, const Snapshot& head);
  /// Returns rows to flush or to delete that are not there any more.
  std::optional<LostRows> SettleFlush(StoreConnection& connection, TableRef table,
                                      const Snapshot& head);
  void SettleFlushedFile(TableRef table, std::pair<size_t, size_t> which,
                         const std::vector<EndedRow>& ended, const Snapshot& head);
  /// All inlined deletes of the file, and what the transaction removes, become one delete file.
  void SettleFlushOfDeletes(TableRef table, const RemovedRows& removed, DataFileState state,
                            std::vector<FeedPart::PositionDelete> inlined, const Snapshot& head);
  void WritePartial(Entry& entry, const Snapshot& head);
  /// The delete file that is written replaces those that it takes in.
  void TakePlaceOfExisting(Entry& entry) const;
  PendingDelete Describe(const Table& table, const DataFileState& state) const;
  void Write(Entry& entry, SnapshotId snapshot);
  void Discard(Entry& entry) noexcept;

  const ChangeSet& changes_;
  const Options options_;
  std::map<Key, Entry> entries_;
  std::map<FlushedKey, FlushedEntry> flushed_;
  SettledDeletes settled_;
  std::optional<Snapshot> settled_for_;
};

}  // namespace tarn
