// What one transaction did to the rows of one table, while it runs and when it commits. Positions
// stay here until the commit writes them, so any number of deletes of one file is one delete file,
// and a rollback has nothing to undo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tarn/compaction.h"
#include "tarn/data_file.h"
#include "tarn/schema.h"
#include "tarn/staged_rows.h"

namespace tarn {

/// Rows that are not committed count from here, far from any real row id.
inline constexpr int64_t kFirstLocalRowId = 1'000'000'000'000'000'000;

/// The rows that one file or one inlined table loses.
struct RemovedRows {
  /// All that were alive; then `positions` is empty.
  bool all = false;
  /// Positions in a file, or row ids of an inlined table: sorted, each once.
  std::vector<int64_t> positions;
  /// How many rows that are.
  int64_t count = 0;

  /// Adds rows in any order, any number of times each; returns how many were not removed before.
  int64_t Add(std::vector<int64_t> rows);
  /// Adds all that is left: `alive` rows.
  void AddAll(int64_t alive);
};

/// Rows that the catalog will keep.
struct StagedBatch {
  std::shared_ptr<const StagedRows> rows;
  int64_t first_row_id = 0;  ///< as long as they are not committed, of rows without ids
  RemovedRows removed;       ///< from them again, by their numbers

  int64_t live() const { return rows->count() - removed.count; }
};

/// Rows and deletes that go from the catalog into files.
struct Flush {
  std::vector<FlushedTable> tables;
  bool deletes = false;  ///< of data files, as far as the head has any
};

/// Rows of a table that a commit should end or move, and that are not there any more as they were.
struct LostRows {
  TableRef table;
  bool by_flush = false;  ///< they should only be moved
};

/// Data files that one new file takes the place of.
struct Compaction {
  struct Source {
    DataFileId id;
    std::string path;  ///< relative to the data path if it lies there
    bool path_is_relative = true;
  };
  CompactionKind kind = CompactionKind::kMerge;
  std::shared_ptr<const Table> shape;  ///< what the file's columns are of
  std::vector<Source> sources;
  int64_t source_rows = 0;
  int64_t source_bytes = 0;
  std::optional<DataFile> file;  ///< absent when no row is left
};

struct RowChanges {
  std::vector<DataFile> data_files;                    ///< inserted, in this order
  std::vector<StagedBatch> staged_rows;                ///< inserted, too, in this order
  std::map<size_t, RemovedRows> removed_staged;        ///< from those, by index
  std::map<DataFileId, RemovedRows> removed;           ///< from committed data files
  std::map<std::string, RemovedRows> removed_inlined;  ///< by name of the inlined table

  std::optional<Flush> flush;
  std::vector<Compaction> compactions;
  std::set<DataFileId> compacted;  ///< their sources

  /// Columns that the transaction added and dropped again while `data_files` were there. Some of
  /// the files may hold values under their ids, so these must not be given away again.
  std::vector<LostField> lost_fields;

  /// Of a new table that takes over rows with their ids: the first id that none of them can have.
  int64_t first_row_id = 0;

  int64_t next_local_row_id = kFirstLocalRowId;

  bool inserts_files() const { return !data_files.empty(); }
  bool inserts_inlined() const { return !staged_rows.empty(); }
  bool inserts() const { return inserts_files() || inserts_inlined(); }
  bool deletes_from_files() const { return !removed.empty(); }
  bool deletes_inlined() const { return !removed_inlined.empty(); }
  bool flushes() const { return flush.has_value(); }
  bool compacts() const { return !compactions.empty(); }
  bool compacts(CompactionKind kind) const;
  bool empty() const {
    return !inserts() && !deletes_from_files() && !deletes_inlined() && !flushes() && !compacts();
  }

  const RemovedRows* FindStaged(size_t index) const;
  const RemovedRows* Find(DataFileId file) const;
  const RemovedRows* FindInlined(const std::string& table_name) const;
  /// True when the inlined table's rows are among those that are flushed.
  bool IsFlushed(const std::string& table_name) const;

  void Compact(Compaction compaction);
  /// Takes rows in, joined with the last batch where that pays.
  void Stage(std::shared_ptr<const StagedRows> rows);
  /// Takes out what was staged and has lost all its rows: it need not be committed at all. Returns
  /// the files among it.
  std::vector<DataFile> TakeEmptied();
  /// Files of a partition spec that the transaction made and replaced again are as if the table had
  /// not been partitioned: that spec is not committed.
  void ForgetOtherNewSpecs(const std::optional<PartitionSpec>& live);
};

}  // namespace tarn
