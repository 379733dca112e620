// Plans scans and answers counts from the catalog alone: which files, deletes and inlined rows make
// a table at a snapshot. Format page, sections 2 and 4 to 7. All functions read inside the
// connection's transaction; when there is none, each opens and ends a read transaction of its own,
// so that what one call returns is one state of the lake.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/files_in_use.h"
#include "catalog/row_changes.h"
#include "catalog/table_files_cache.h"
#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/lake.h"
#include "tarn/scan.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

/// What a plan is made for. The caller has settled which snapshot that is (TableScan::at is not
/// looked at here).
struct PlanInput {
  Snapshot snapshot;  ///< to read
  const CatalogView&
      view;  ///< holds the table's schema: the view at `snapshot`, or the transaction's
  std::string_view data_path;        ///< in force; ends in "/"
  const RowChanges* own = nullptr;   ///< what this transaction did to the table; none when
                                     ///< reading an older snapshot
  TableFilesCache* cache = nullptr;  ///< none: all is read
  FilesInUse* in_use = nullptr;      ///< what goes before that; none: nothing does
};

/// Chooses the files of a plan in place of its predicate.
class FileSelector {
 public:
  virtual ~FileSelector() = default;
  /// `files`: the committed ones; null for a new table. `own`: what the transaction did; files that
  /// have lost all rows to it may be selected or not. Returns which are to be read, in order, and
  /// takes out of `staged`, the transaction's own files, those that are not.
  virtual std::vector<TableFiles::Place> Select(StoreConnection& connection,
                                                const TableFiles* files, const RowChanges& own,
                                                std::vector<ScanFile>& staged) = 0;
  /// Facts were loaded for that, and are kept with the files.
  bool has_learned() const { return has_learned_; }

 protected:
  bool has_learned_ = false;
};

/// A constant number of queries, whatever the table holds: one where the cache knows the table.
/// None for a table that is itself new.
ScanPlan PlanTableScan(StoreConnection& connection, const TableScan& scan, const PlanInput& input,
                       FileSelector* selector = nullptr);

/// Live rows of every committed table of the view, in a constant number of queries: exact at the
/// newest snapshot of a sound lake. At older ones files and deletes of several snapshots count
/// whole, and at damaged lakes rows that two deletes name count twice: for listings and estimates,
/// not for answers (those are ScanPlan::row_count).
std::map<TableRef, int64_t> CountRows(StoreConnection& connection, const CatalogView& view,
                                      const Snapshot& snapshot);

/// One row per table of the view, by schema and name; new tables have zeros.
std::vector<TableInfo> LoadTableInfo(StoreConnection& connection, const CatalogView& view,
                                     const Snapshot& snapshot);

/// The stored statistics of a table: they describe the newest snapshot. Absent before the first
/// insert.
std::optional<TableStats> LoadTableStats(StoreConnection& connection, TableId table);

/// A table's folder, resolved; ends in "/". A table whose schema the view lacks throws kCorrupt.
std::string ResolveTablePath(std::string_view data_path, const CatalogView& view,
                             const Table& table);

/// A file's resolved path, given its table's folder.
std::string ResolveFilePath(std::string_view table_path, const std::string& path, bool is_relative);

}  // namespace tarn
