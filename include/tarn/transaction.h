// Transaction: a base snapshot and what this transaction did; it reads the base plus its own
// changes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/data_file.h"
#include "tarn/lake.h"
#include "tarn/scan.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

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

/// Used by one thread at a time, except AddDataFiles and PlanScan, which may be called from any.
/// Destroying it rolls back. DDL is checked here and kept as a changed CatalogView; the catalog
/// database is touched only by Commit.
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
  virtual std::shared_ptr<const View> CreateView(ViewDefinition definition) = 0;
  virtual void DropView(ViewRef view) = 0;

  // Rows. Files are written already; their paths are relative to the table's path, or absolute.
  virtual void AddDataFiles(TableRef table, std::vector<DataFile> files) = 0;

  /// What a scan must read. One consistent read of the catalog database.
  virtual ScanPlan PlanScan(const TableScan& scan) = 0;
  /// Statistics of the newest snapshot with this transaction's own files merged in; absent when
  /// nothing was ever inserted. Not to be used for a scan at an older snapshot.
  virtual std::optional<TableStats> Stats(TableRef table) = 0;
  /// One row per table alive in the view, without N+1 queries.
  virtual std::vector<TableInfo> ListTableInfo() = 0;
  /// Live row counts of all tables of the view in a constant number of queries.
  virtual std::map<TableRef, int64_t> RowCounts() = 0;

  /// Options are written with the commit, make no snapshot and never conflict.
  virtual void SetOption(const std::string& key, const std::string& value,
                         const OptionScope& scope) = 0;
  virtual void SetCommitMessage(CommitMessage message) = 0;

  /// Makes all changes one snapshot; returns it, or nothing when there was nothing to write. Throws
  /// kConflict (nothing was written: the caller removes its files), kUnknownOutcome (the files must
  /// stay). Afterwards the transaction is over either way.
  virtual std::optional<SnapshotId> Commit() = 0;
  /// Forgets everything. Removing written files is the business of whoever wrote them
  /// (PendingFiles).
  virtual void Rollback() noexcept = 0;
};

}  // namespace tarn
