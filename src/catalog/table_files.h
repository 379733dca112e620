// The files of one table at one snapshot, with what removes rows of them: what a plan of a scan
// begins with, whatever it asks for. Format page, sections 4 to 7.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "catalog/file_chunk.h"
#include "catalog/inlined_tables.h"
#include "tarn/data_file.h"
#include "tarn/scan.h"
#include "tarn/snapshot.h"

namespace tarn {

/// What removes rows of a table's files at a snapshot.
struct TableDeletes {
  struct Deletion {
    DeleteFile file;
    std::optional<SnapshotId> snapshot_limit;  ///< as of ScanDelete
  };
  std::map<DataFileId, std::vector<Deletion>> files;
  std::map<DataFileId, std::vector<int64_t>> inlined;  ///< positions, sorted, each once
  /// At another snapshot the limits may be others, even if nothing was deleted since.
  bool depends_on_snapshot = false;

  bool empty() const { return files.empty() && inlined.empty(); }
};

/// How many rows a file has, or a table.
struct RowTotal {
  int64_t rows = 0;     ///< never less than the truth
  int64_t inexact = 0;  ///< files of which only opening them could tell
};

/// Immutable; shared by all who plan scans of the table.
class TableFiles {
 public:
  struct Chunk {
    std::shared_ptr<const FileChunk> files;
    std::vector<uint16_t> ended;  ///< places of files that are not alive any more, sorted
    int64_t first_ordinal = 0;    ///< of all chunks' live files, the number of the first one here

    size_t live() const { return files->size() - ended.size(); }
    bool is_live(size_t place) const;
    /// The number of a live file among all live ones.
    int64_t Ordinal(size_t place) const;
  };
  struct Place {
    size_t chunk = 0;
    size_t place = 0;
  };

  TableFiles(TableId table, const Snapshot& snapshot, std::vector<Chunk> chunks,
             std::shared_ptr<const TableDeletes> deletes,
             std::shared_ptr<const std::vector<InlinedTable>> inlined);

  TableId table() const { return table_; }
  const Snapshot& snapshot() const { return snapshot_; }
  const std::vector<Chunk>& chunks() const { return chunks_; }
  const std::shared_ptr<const TableDeletes>& deletes() const { return deletes_; }
  /// With live rows.
  const std::shared_ptr<const std::vector<InlinedTable>>& inlined() const { return inlined_; }
  int64_t file_count() const { return file_count_; }
  /// The greatest id that any file here has, alive or not; invalid without files.
  DataFileId last_id() const;
  const RowTotal& total() const { return total_; }

  std::optional<Place> Find(DataFileId id) const;  ///< of a live one
  DataFileId id(Place place) const { return chunks_[place.chunk].files->id(place.place); }
  /// Rows of one file, of which `own` more are gone.
  RowTotal Count(Place place, int64_t own) const;
  /// Without its path and the paths of its deletes.
  ScanFile Get(Place place) const;

  /// Bytes, but for what is in `counted` already; adds to that.
  size_t memory(std::set<const void*>& counted) const;

 private:
  TableId table_;
  Snapshot snapshot_;
  std::vector<Chunk> chunks_;
  std::shared_ptr<const TableDeletes> deletes_;
  std::shared_ptr<const std::vector<InlinedTable>> inlined_;
  int64_t file_count_ = 0;
  RowTotal total_;
};

/// Where a file is among chunks, alive or not.
std::optional<TableFiles::Place> FindPlace(const std::vector<TableFiles::Chunk>& chunks,
                                           DataFileId id);

/// Rows of one file. `own`: rows that a transaction removed, which were alive until then.
RowTotal CountRowsOfFile(int64_t record_count, bool holds_later_rows,
                         const std::vector<TableDeletes::Deletion>* deletes, size_t inlined,
                         int64_t own);

}  // namespace tarn
