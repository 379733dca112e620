// Repairs, planned from what a check has read: pure rows to change, each told with how many it must
// hit, so that a catalog that somebody has changed meanwhile is found out and left alone.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/check.h"
#include "tarn/catalog_store.h"
#include "tarn/check.h"
#include "tarn/file_system.h"
#include "tarn/lake.h"
#include "tarn/transaction.h"

namespace tarn {

/// RepairLake without a Lake around it.
struct RepairPlace {
  CatalogStore& store;
  std::string data_path;
  FileSystem& file_system;
  Environment environment;
};
RepairReport RepairCatalog(const RepairPlace& place, const RepairOptions& options);

namespace check {

/// Columns and values; a NULL in a condition means IS NULL.
using Cells = std::vector<std::pair<std::string, Value>>;

/// One statement on rows of the catalog.
struct RowChange {
  enum class Kind { kInsert, kUpdate, kDelete };
  Kind kind;
  std::string table;
  Cells set;  ///< of an insert: the whole row
  Cells where = {};
  std::optional<int64_t> rows = {};  ///< that it must hit; who else changes them makes a snapshot
};

/// Delete files of one data file that become one.
struct DeleteMerge {
  PendingDelete pending;
  int64_t table = -1;
  int64_t data_file = -1;
  int64_t new_id = -1;
  std::optional<int64_t> end;  ///< of all of them
};

struct RepairStep {
  std::string what;
  std::vector<RowChange> changes;
  std::optional<DeleteMerge> merge = {};
  bool forgets_unseen = false;  ///< runs what an expiry does after its snapshots have gone
};

/// Plans on a model of the head; what one step repairs the later ones see repaired. Reads footers
/// and inlined tables, writes nothing.
class RepairPlanner {
 public:
  RepairPlanner(Model& model, StoreConnection& connection, const RepairPlace& place,
                const RepairOptions& options);

  void Plan(const std::vector<CheckFinding>& findings);

  std::vector<RepairStep> steps;
  std::vector<std::string> refusals;
  int64_t next_catalog_id = 0;  ///< of the new snapshot
  int64_t next_file_id = 0;

 private:
  void PlanOne(const RepairTarget& target);

  // repair_plan.cc: snapshots, options, rows without an owner.
  void PlanNextIds();
  void PlanDataPath();
  void PlanOption(const std::string& key);
  void PlanSchedule(const std::string& normal_path);
  void PlanInlinedTable(const std::string& name);
  void PlanInlinedDeletes(int64_t table);
  void Forget(std::string what, std::string_view table, Cells where);
  /// Rows of `table` about a data file without a row of its own, unless it may be there.
  void ForgetFile(int64_t file, std::string what, std::string_view table);
  /// Refuses to forget what is known of a data file while there are files that it may be.
  bool MayBeThere(int64_t file);

  // repair_files.cc
  void PlanDataFile(int64_t id);
  void PlanDeleteFile(int64_t id);
  void PlanUselessDeletes(int64_t id);
  void PlanLastingDeletes(int64_t id);
  void PlanDoubleDeletes(int64_t data_file);
  std::optional<std::string> WhyRowsCannotBe(const FileRow& row, int64_t row_count);
  RowChange Schedule(int64_t id, const std::string& resolved_path);

  // repair_stats.cc
  void PlanFileStats(int64_t file, int64_t column);
  void PlanFileBounds(int64_t file, int64_t column);
  void PlanVariantStats(int64_t file, int64_t column);
  void PlanTableStats(int64_t table);
  void PlanTableColumnStats(int64_t table, int64_t column);
  void PlanNextRowId(int64_t table);
  /// The least row id that no row of the table has. Nullopt: a file that carries its row ids cannot
  /// be read.
  std::optional<int64_t> FirstFreeRowId(int64_t table);
  /// Those that are alive.
  int64_t CountInlinedRows(int64_t table);
  /// Names of those that the database really has.
  std::vector<std::string> InlinedTablesOf(int64_t table) const;

  FileRow* FindFile(int64_t id);
  DeleteRow* FindDelete(int64_t id);
  /// With what reading it needs.
  DataFile Described(const FileRow& row) const;
  /// A sentence may start with a name in lower case.
  void Refuse(std::string why) { refusals.push_back(Capitalized(std::move(why))); }

  Model& model_;
  StoreConnection& connection_;
  const RepairPlace& place_;
  const RepairOptions& options_;
  FilePlaces places_;
  const Timestamp now_;
  std::set<RepairTarget> done_;
  std::optional<std::string> unknown_file_;  ///< one of the files that nothing refers to
  std::set<int64_t> lost_;                   ///< data files that may be one of them
  std::set<std::pair<int64_t, int64_t>> changed_stats_;  ///< (table, column)
  std::set<int64_t> changed_rows_;                       ///< tables with files of another row count
};

}  // namespace check
}  // namespace tarn
