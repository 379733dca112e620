// Transaction: a base snapshot and what this transaction did; it reads the base plus its own
// changes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/aggregates.h"
#include "tarn/compaction.h"
#include "tarn/data_file.h"
#include "tarn/lake.h"
#include "tarn/maintenance.h"
#include "tarn/restore.h"
#include "tarn/scan.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"
#include "tarn/staged_rows.h"
#include "tarn/table_change.h"

namespace tarn {

/// What a new table is made of. Column ids and orders are given by the transaction, depth first
/// from 1.
struct TableDefinition {
  std::string schema;
  std::string name;
  std::vector<Column> columns;
};

struct ViewDefinition {
  std::string schema;
  std::string name;
  std::string sql;
  std::string column_aliases;
};

/// A macro with all its overloads, which are of one kind: scalar or table.
struct MacroDefinition {
  std::string schema;
  std::string name;
  std::vector<MacroImplementation> implementations;
};

/// Rows that one statement removes from one table, by where they lie. Each list may be unsorted and
/// may name a row twice.
struct RowRemoval {
  struct FromFile {
    DataFileId file;                     ///< invalid when staged
    std::optional<size_t> staged_index;  ///< ScanFile::staged_index, of a file of this transaction
    std::vector<int64_t> positions;      ///< in the file, from 0
  };
  struct FromInlined {
    std::string table_name;  ///< InlinedScan::table_name
    std::vector<int64_t> row_ids;
  };
  struct FromStaged {
    size_t batch;               ///< StagedScan::batch
    std::vector<int64_t> rows;  ///< their numbers in it
  };
  std::vector<FromFile> files;
  std::vector<FromInlined> inlined;
  std::vector<FromStaged> staged;
};

/// A version of a row that has ended: of a row that was updated there are several.
struct EndedRow {
  int64_t row_id = 0;
  SnapshotId begin_snapshot;
  SnapshotId end_snapshot;
  friend auto operator<=>(const EndedRow&, const EndedRow&) = default;
};

/// A delete file that a commit needs.
struct PendingDelete {
  std::shared_ptr<const Table> table;
  std::string data_file_path;  ///< resolved; what goes into the column file_path
  std::string folder;          ///< the table's, resolved, ends in "/": where the delete file goes
  int64_t data_file_rows = 0;  ///< positions are below this
  std::vector<ScanDelete> existing;  ///< live delete files to take in (normally none or one)
  std::vector<int64_t> positions;    ///< new ones, sorted, each once, none of them in an inlined
                                     ///< delete
  /// Write the partial form: rows of `existing` keep the snapshot that each has, or else their
  /// file's begin_snapshot; new rows have the new one.
  bool needs_snapshot_ids = false;
  std::string format;  ///< "parquet" or "puffin"

  // Of a flush; all have snapshots of their own.
  /// Positions that inlined deletes removed; the first one of each counts.
  std::vector<FeedPart::PositionDelete> inlined_deletes;
  /// The data file, if it is one that a flush has just written, and the rows of its inlined table
  /// that have ended, sorted: which of them it holds, and where, only the file tells.
  std::optional<DataFile> flushed;
  std::vector<EndedRow> ended_rows;
};

/// Lends the kernel what it cannot do: write delete files. Used by the thread that commits.
class DeleteFileWriter {
 public:
  virtual ~DeleteFileWriter() = default;
  /// Writes one delete file as `snapshot` would have it. Returns its path (relative to the table's
  /// path, or absolute), format, delete_count, size, footer size and encryption key; the kernel
  /// decides the rest. Called again with another snapshot for each file that depends on it after
  /// another writer was faster. With snapshot ids, begin_snapshot and partial_max tell the first
  /// and the last of them. When nothing is to be deleted after all, nothing is written and the path
  /// is empty.
  virtual DeleteFile Write(const PendingDelete& pending, SnapshotId snapshot) = 0;
  /// A file that Write returned will not be part of any commit: remove it.
  virtual void Discard(const PendingDelete& pending, const DeleteFile& file) noexcept = 0;
  /// Deletion vectors instead of Parquet, where the lake's options say nothing about the table.
  virtual bool prefers_deletion_vectors() const { return false; }
  /// The positions that `existing` delete files have, sorted, each once.
  virtual std::vector<int64_t> ReadPositions(const PendingDelete& pending) = 0;
};

/// Used by one thread at a time, except AddDataFiles, StageRows, DeleteRows, RecordRead, PlanScan
/// and SettleAggregates, which may be called from any. Destroying it rolls back. DDL is checked
/// here and kept as a changed CatalogView; the catalog database is touched only by Commit.
class Transaction {
 public:
  virtual ~Transaction() = default;

  virtual const Snapshot& base() const = 0;
  /// The base's objects with this transaction's own changes.
  virtual std::shared_ptr<const CatalogView> view() const = 0;
  virtual const OptionSet& options() const = 0;
  virtual Lake& lake() = 0;
  /// Anything that a commit would write: objects, files, options.
  virtual bool has_changes() const = 0;

  // Objects. Names are taken as given and compared ignoring case; a taken name throws
  // kAlreadyExists, a missing one kNotFound.
  virtual std::shared_ptr<const Schema> CreateSchema(const std::string& name) = 0;
  /// Refuses a schema with entries unless `cascade`.
  virtual void DropSchema(SchemaRef schema, bool cascade) = 0;
  virtual std::shared_ptr<const Table> CreateTable(TableDefinition definition) = 0;
  virtual void DropTable(TableRef table) = 0;
  /// The table after the change; the same one when there is nothing to change. Rows are not looked
  /// at: see SetFieldNulls. Refused changes (kInvalid, kNotFound, kAlreadyExists, kUnsupported)
  /// leave the transaction as it was.
  virtual std::shared_ptr<const Table> AlterTable(TableRef table, const TableChange& change) = 0;
  /// The sort order's keys, for instance after a rename; none: no order.
  virtual std::shared_ptr<const Table> SetSortKeys(TableRef table, std::vector<SortKey> keys) = 0;
  /// Lets all rows of the table read `value` (in the column's type, as text; absent: NULL) in a
  /// column that this transaction has added: the same as an UPDATE of all rows, but none is
  /// written. False, and nothing is done, when some row may have a value of its own there already.
  virtual bool FillAddedColumn(TableRef table, FieldId column,
                               const std::optional<std::string>& value) = 0;
  virtual bool CanFillAddedColumn(TableRef table, FieldId column) const = 0;
  virtual std::shared_ptr<const View> CreateView(ViewDefinition definition) = 0;
  virtual void DropView(ViewRef view) = 0;
  virtual void RenameView(ViewRef view, const std::string& name) = 0;
  virtual void CommentOnView(ViewRef view, const std::optional<std::string>& comment) = 0;
  virtual std::shared_ptr<const Macro> CreateMacro(MacroDefinition definition) = 0;
  virtual void DropMacro(MacroRef macro) = 0;
  virtual void CommentOnMacro(MacroRef macro, const std::optional<std::string>& comment) = 0;

  // Rows. Files are written already; their paths are relative to the table's path, or absolute.
  virtual void AddDataFiles(TableRef table, std::vector<DataFile> files) = 0;
  /// Rows that the catalog shall keep. Whoever calls has seen that it can (InliningLimit,
  /// CanInline).
  virtual void StageRows(TableRef table, std::shared_ptr<const StagedRows> rows) = 0;
  /// The limit of inlining where no option is stored; 0 unless this is called. It says whether
  /// Commit makes tables for inlined rows, and which deletes it keeps in the catalog.
  virtual void SetInliningDefault(int64_t row_limit) = 0;
  /// Removes rows that a plan of this transaction which the caller still holds tells of; the
  /// transaction's own scans skip them from now on. Returns how many of them it
  /// had not removed before. What other transactions did to them is a matter of the commit. An
  /// update is this and AddDataFiles of files that embed the old row ids.
  virtual int64_t DeleteRows(TableRef table, const RowRemoval& rows) = 0;
  /// The same for all rows that are alive, without writing a file. Returns how many they are; or
  /// nothing, and does nothing, when only opening files could tell.
  virtual std::optional<int64_t> DeleteAllRows(TableRef table) = 0;
  /// What a flush has to move, of those tables that have anything: rows and deletes that the
  /// transaction's base has. A table that it has flushed already has nothing.
  virtual std::map<TableRef, FlushPlan> PlanFlush(
      const std::vector<std::shared_ptr<const Table>>& tables) = 0;
  /// The rows of these inlined tables are in files now; with `deletes`, the commit writes deletes
  /// of data files that are in the catalog into delete files. Until then the transaction's own
  /// scans go on reading the catalog.
  virtual void StageFlush(TableRef table, std::vector<FlushedTable> flushed, bool deletes) = 0;
  /// Files that should become one, of those tables that have any: live ones of the transaction's
  /// base. Throws kInvalid when the transaction has made changes: it either makes changes or
  /// compacts.
  virtual std::vector<CompactionUnit> PlanCompaction(
      const std::vector<CompactionRequest>& requests) = 0;
  /// `file` has the rows of the unit, in its shape; absent when it has none. A merged file has
  /// begin_snapshot set, and partial_max if it is of several snapshots. From now on the transaction
  /// can only compact; its scans go on reading what was there.
  virtual void StageCompaction(const CompactionUnit& unit, std::optional<DataFile> file) = 0;
  /// What has to happen so that tables are as they were. Reads only. Throws kNotFound (no such
  /// snapshot, or no such table then), kAlreadyExists (a name is taken by now), kInvalid (the
  /// transaction has made changes). Without tables and objects to change, nothing is to do.
  virtual RestorePlan PlanRestore(const RestoreRequest& request) = 0;
  /// The files of the plan have their paths and are there. Rows of RestoredTable::inlined are for
  /// StageRows, afterwards. The commit conflicts with any other that touched these tables since the
  /// base, or, where all are meant, with any other.
  virtual void StageRestore(RestorePlan plan) = 0;
  /// Remembers that a result depends on which rows of a table match a predicate: the commit then
  /// conflicts with others that inserted or deleted such rows since the base. For transactions that
  /// are to be serialisable; without it they have snapshot isolation.
  virtual void RecordRead(TableRef table, const Predicate& predicate) = 0;

  /// What a scan must read. One consistent read of the catalog database.
  virtual ScanPlan PlanScan(const TableScan& scan) = 0;
  /// What of an aggregate is known without opening a file, as of the same read as the scan of the
  /// rest. Absent when such a question never has an answer.
  virtual std::optional<AggregateAnswers> SettleAggregates(const AggregateQuestion& question) = 0;
  /// What a change feed must read: of committed snapshots only. row_count is absent.
  virtual ScanPlan PlanChanges(const ChangeScan& scan) = 0;
  /// Statistics of the newest snapshot with this transaction's own files merged in; absent when
  /// nothing was ever inserted. Not to be used for a scan at an older snapshot.
  virtual std::optional<TableStats> Stats(TableRef table) = 0;
  /// One row per table alive in the view, without N+1 queries.
  virtual std::vector<TableInfo> ListTableInfo() = 0;
  /// Live row counts of all tables of the view in a constant number of queries, for listings.
  virtual std::map<TableRef, int64_t> RowCounts() = 0;

  /// Options are written with the commit, make no snapshot and never conflict.
  virtual void SetOption(const std::string& key, const std::string& value,
                         const OptionScope& scope) = 0;
  /// The commit forgets these snapshots and what no other one sees; that makes no snapshot itself.
  /// Returns them; with `dry_run` that is all.
  virtual std::vector<SnapshotInfo> ExpireSnapshots(const ExpiryRequest& request, bool dry_run) = 0;
  virtual void SetCommitMessage(CommitMessage message) = 0;
  /// How often the commit may be tried; the lake's own options without it.
  virtual void SetRetryOptions(const RetryOptions& retry) = 0;

  /// Makes all changes one snapshot; returns it, or nothing when there was nothing to write. Throws
  /// kConflict (nothing was written: the caller removes its files), kUnknownOutcome (the files must
  /// stay). Afterwards the transaction is over either way. Deletes that need delete files want
  /// `writer`; staged files that lost all their rows are not committed, and removed.
  virtual std::optional<SnapshotId> Commit(DeleteFileWriter* writer = nullptr) = 0;
  /// Forgets everything. Removing written files is the business of whoever wrote them
  /// (PendingFiles).
  virtual void Rollback() noexcept = 0;
};

}  // namespace tarn
