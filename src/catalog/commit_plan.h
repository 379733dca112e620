// CommitPlan: exactly the rows that a commit writes. What only the head decides (ids, versions, row
// numbers) stays relative to it, so one plan can be tried at one head after the other, stacked on
// another plan, or settled inside the database.
//
//   ducklake_table  (catalog id + 0, uuid, snapshot, NULL, schema 0, "t", "t/", true)
//   ducklake_column (1, snapshot, NULL, catalog id + 0, 1, "i", "int32", ...)
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "catalog/change_set.h"
#include "catalog/delete_files.h"
#include "catalog/inlining.h"
#include "catalog/name_maps.h"
#include "catalog/stats_merge.h"
#include "format/change_list.h"
#include "format/tables.h"
#include "tarn/catalog_store.h"

namespace tarn {

/// A number that the head decides, plus an offset.
struct HeadRelative {
  enum class From : uint8_t {
    kSnapshotId,     ///< the new snapshot's id
    kSchemaVersion,  ///< the new snapshot's schema version
    kCatalogId,      ///< the head's next_catalog_id
    kFileId,         ///< the head's next_file_id
    kRowId,          ///< the table's next_row_id at the head
    kSnapshotTime,   ///< the new snapshot's time
  };
  From from = From::kSnapshotId;
  int64_t offset = 0;
  size_t table = 0;  ///< of kRowId: which of CommitPlan::stats
  friend bool operator==(const HeadRelative&, const HeadRelative&) = default;
};
using PlanValue = std::variant<Value, HeadRelative>;

/// Rows to insert into one of the 28 tables.
struct PlanInsert {
  const CatalogTable* table = nullptr;
  std::vector<std::vector<PlanValue>> rows;
};

/// Live rows to end: `end_snapshot` becomes the new snapshot where `fixed` columns have their
/// values and `id_column` is one of `ids`.
struct PlanEnd {
  const CatalogTable* table = nullptr;
  std::vector<std::pair<std::string_view, Value>> fixed;
  std::string_view id_column;
  std::vector<Value> ids;
  /// The table whose rows these are, if each id must end exactly one row: else somebody else was
  /// there before.
  std::optional<TableId> checked;
};

/// Rows to remove for good.
struct PlanRemoval {
  const CatalogTable* table = nullptr;
  TableId of;  ///< whose rows these are
  std::string_view id_column;
  std::vector<Value> ids;
  bool checked = true;  ///< each id must remove exactly one
};

/// Rows of an inlined table to end: those with these row ids, or all, that began at `base` or
/// before; they must be `count`.
struct PlanInlinedEnd {
  TableId of;
  std::string table_name;
  SnapshotId base;
  bool all = false;
  std::vector<int64_t> row_ids;
  int64_t count = 0;
};

/// A table for inlined rows that has to be made and registered.
struct PlanInlinedTable {
  PlanValue table_id;
  PlanValue schema_version;
  std::shared_ptr<const Table> table;  ///< as it is from this commit on
};

/// Rows for an inlined table.
struct PlanInlinedInsert {
  PlanValue table_id;
  PlanValue schema_version;
  std::shared_ptr<const Table> table;  ///< whose columns the inlined table has
  StagedBatch batch;
  HeadRelative first_row_id;
};

/// Rows of a data file that are deleted in the catalog.
struct PlanInlinedDelete {
  TableId table;
  DataFileId file;
  std::vector<int64_t> positions;
};

/// Rows that a flush has moved into files: those of an inlined table that began at `base` or
/// before, or the deletes of these data files. They must be `count`.
struct PlanFlush {
  TableId of;
  std::string table_name;
  SnapshotId base;
  std::vector<Value> files;  ///< of deletes
  int64_t count = 0;
};

/// How the statistics of one table grow.
struct PlanStats {
  PlanValue table_id;  ///< relative when the table is new
  int64_t rows = 0;
  int64_t row_ids = 0;  ///< how many of them get a new id
  int64_t bytes = 0;
  std::vector<ColumnSummary> columns;
};

/// One item of changes_made.
struct PlanWord {
  ChangeKind kind = ChangeKind::kUnknown;
  std::string schema, name;
  PlanValue id;  ///< of kinds that are logged by id
};

struct PlanOption {
  std::string key;
  std::string value;
  std::optional<std::string> scope;
  PlanValue scope_id;
};

/// By what a commit whose outcome is unknown can be told from everyone else's: a text that only
/// this plan writes.
struct PlanMark {
  const CatalogTable* table = nullptr;
  std::string_view column;
  std::string text;
};

struct CommitPlan {
  bool makes_snapshot = false;
  bool changes_schema = false;
  int64_t catalog_ids = 0;  ///< how many it uses up
  int64_t file_ids = 0;
  std::map<int64_t, int64_t>
      new_objects;  ///< ordinals of new objects to their offsets from the head's next_catalog_id
  std::vector<PlanWord> words;
  CommitMessage message;
  std::vector<PlanEnd> ends;  ///< written before the inserts
  std::vector<PlanRemoval> removals;
  std::vector<PlanInlinedEnd> inlined_ends;
  std::vector<PlanInlinedTable> inlined_tables;
  std::vector<PlanInlinedInsert> inlined_inserts;
  std::vector<PlanInlinedDelete> inlined_deletes;
  std::vector<PlanFlush> flushes;
  std::vector<PlanInsert> inserts;  ///< one per table, in the order of the format page
  std::vector<PlanStats> stats;
  std::vector<PlanOption> options;
  std::optional<PlanMark> mark;
};

/// What a plan has to know of the catalog database: for rows that it keeps there, and for files
/// that it registers.
struct InlinedPlaces {
  /// Without one nothing is inlined, and no table for it is made.
  const Dialect* dialect = nullptr;
  std::map<TableRef, InlinedTarget> targets;
  /// The objects at the head, if they are known; others may have altered tables.
  std::shared_ptr<const CatalogView> head;
  KnownNameMaps name_maps;
};

/// Pure: the same change set gives the same plan. Throws kCorrupt when a table has a type that the
/// format does not know.
CommitPlan BuildCommitPlan(const ChangeSet& changes, const SettledDeletes& deletes = {},
                           const InlinedPlaces& inlined = {});

}  // namespace tarn
