// A question to a table, and the files and inlined rows that can answer it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"
#include "tarn/staged_rows.h"

namespace tarn {

/// A condition that files are pruned by. Constants are texts in the encoding of the statistics
/// (format page, section 4), in the column's present type. What the planner cannot decide surely
/// keeps the file, so a Predicate may always be weaker than the query's filter, never stronger.
struct Predicate {
  enum class Kind { kTrue, kCompare, kIn, kIsNull, kIsNotNull, kAnd, kOr };
  enum class Compare { kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

  Kind kind = Kind::kTrue;
  FieldId field;  ///< of kCompare, kIn, kIsNull, kIsNotNull: a leaf field, nested ones too
  Compare compare = Compare::kEqual;   ///< of kCompare
  std::vector<std::string> constants;  ///< one for kCompare, any number for kIn; "nan" for NaN
  std::vector<Predicate> children;     ///< of kAnd, kOr

  static Predicate True() { return {}; }
  friend bool operator==(const Predicate&, const Predicate&) = default;
};

/// Snapshots from `first` to `last`, both of them too; none when `last` lies before `first`.
struct SnapshotRange {
  SnapshotId first;
  SnapshotId last;

  bool Contains(SnapshotId snapshot) const { return first <= snapshot && snapshot <= last; }
  friend bool operator==(const SnapshotRange&, const SnapshotRange&) = default;
};

struct TableScan {
  std::shared_ptr<const Table> table;
  /// The snapshot to read; absent: the transaction's own, with its uncommitted changes.
  std::optional<Snapshot> at;
  Predicate predicate;
  /// Load the statistics of all columns into ScanFile::file.stats (else only what the predicate
  /// needed is read, and dropped).
  bool with_stats = false;
  /// Where more files are left than this they are not listed: the numbers are asked for, and what
  /// is not in files.
  std::optional<int64_t> most_files;
  /// Look where the rows lie now, whatever plans in use say: others may have moved them since.
  bool anew = false;
};

/// A question to a table's change feed: the rows that snapshots of a range brought or took away.
struct ChangeScan {
  std::shared_ptr<const Table> table;  ///< as of `at`
  Snapshot at;                         ///< the end of the range, which the table's columns are of
  SnapshotRange range;
  bool inserted = true;  ///< look for rows that came
  bool deleted = true;   ///< look for rows that went
  Predicate predicate;
};

/// Which rows of a file or of an inlined table a change feed shows. A file that both brought and
/// lost rows is in the plan twice.
struct FeedPart {
  enum class Side { kInserted, kDeleted };
  /// A position that an inlined delete removed, and when.
  struct PositionDelete {
    int64_t position = 0;
    SnapshotId snapshot;
    friend auto operator<=>(const PositionDelete&, const PositionDelete&) = default;
  };

  Side side = Side::kInserted;
  SnapshotRange range;
  /// Snapshots of the range, sorted, that only wrote the table's rows anew (rewrites): what began
  /// or ended there did not change.
  std::vector<SnapshotId> rewritten;
  /// Of a data file: what inlined deletes removed, sorted. ScanFile::deletes are the delete files
  /// that matter, each with all that it removes, whenever that was.
  std::vector<PositionDelete> inlined_deletes;
};

/// One delete file to apply to a data file.
struct ScanDelete {
  DeleteFile file;
  std::string path;  ///< resolved
  /// Take only positions whose embedded snapshot id is <= this (the delete file's partial_max is
  /// higher).
  std::optional<SnapshotId> snapshot_limit;
};

/// One data file to read, with what must be taken out of it: a row is dead when any of the deletes
/// names its position.
struct ScanFile {
  DataFile file;
  std::string path;  ///< resolved: absolute, or relative to the process's working directory if the
                     ///< data path is
  bool is_staged = false;  ///< written by this transaction, not committed
  /// Of a staged file: which one of the transaction's files of this table, for RowRemoval.
  std::optional<size_t> staged_index;
  /// Position in the plan before pruning: stable for late materialisation, whatever is pruned
  /// later.
  int64_t ordinal = 0;

  /// At most one in a sound lake; the reference can leave two alive, then both apply.
  std::vector<ScanDelete> deletes;
  /// Sorted positions in the file that inlined deletes (and this transaction) removed; each once.
  std::vector<int64_t> deleted_positions;
  /// Keep only rows whose embedded snapshot id is <= this (the file's partial_max is higher).
  std::optional<SnapshotId> row_snapshot_limit;
  /// In plans of a change feed only; the deletes above then do not make rows dead.
  std::optional<FeedPart> feed;
};

/// Rows kept in the catalog database that this scan must read: one table per shape that the lake's
/// table has had.
struct InlinedScan {
  struct InlinedColumn {
    FieldId field;
    std::string name;  ///< in the inlined table
    const Column*
        column;  ///< its shape in that version (name, format type, children); owned by `shape`
  };
  std::string table_name;  ///< ducklake_inlined_data_<table>_<version>
  int64_t schema_version = 0;
  SnapshotId
      made;  ///< rows of this snapshot and later ones, up to the next version's, went into it
  std::shared_ptr<const Table> shape;  ///< the table's columns as of that version
  std::vector<InlinedColumn>
      columns;          ///< top-level ones that both the inlined table and its shape have
  SnapshotId snapshot;  ///< rows with begin_snapshot <= this < end_snapshot are alive
  /// Row ids that this transaction removed, sorted: of the live rows, these are dead.
  std::vector<int64_t> removed_row_ids;
  /// How many are alive, less the removed; never 0, tables without live rows are left out.
  int64_t row_count = 0;
  /// In plans of a flush only: all rows that began at `snapshot` or before, whether they have ended
  /// or not.
  bool with_dead = false;
  /// In plans of a change feed only: the rows are those that began, or ended, in its range.
  std::optional<FeedPart> feed;
};

/// Rows that this transaction wants the catalog to keep.
struct StagedScan {
  std::shared_ptr<const StagedRows> rows;
  size_t batch = 0;              ///< which of the transaction's batches of this table
  int64_t first_row_id = 0;      ///< of rows that have no ids
  std::vector<int64_t> removed;  ///< numbers of rows that the transaction removed again, sorted
  int64_t row_count = 0;         ///< less the removed; never 0
};

struct ScanPlan {
  std::vector<ScanFile> files;  ///< after pruning, in order of data file id, staged ones last
  int64_t total_files = 0;      ///< before pruning
  bool lists_files = true;  ///< else `files` and `name_maps` are empty, see TableScan::most_files
  std::vector<InlinedScan> inlined;
  std::vector<StagedScan> staged_rows;
  std::map<MappingId, std::shared_ptr<const NameMap>> name_maps;  ///< those that `files` use
  /// Rows alive if no predicate is given (files less deletes, plus inlined rows). Absent when only
  /// opening files could tell: files or deletes that hold later snapshots' rows too, or two kinds
  /// of committed deletes on one file, which may name the same row.
  std::optional<int64_t> row_count;
  /// The same, never less than the truth; always known.
  int64_t max_row_count = 0;
  /// What the plan was made of. As long as anyone holds it, the transaction's other plans of the
  /// table at the same snapshot are made of it, too, and number the files alike.
  std::shared_ptr<const void> state;
};

/// What a table keeps in the catalog database that a flush moves into files.
struct FlushPlan {
  std::vector<InlinedScan> inlined;  ///< each with_dead
  bool has_deletes = false;          ///< rows of data files are deleted in the catalog
};

}  // namespace tarn
