// What `check` reads of a catalog, as plain rows: nothing is resolved or believed yet.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/column_history.h"
#include "catalog/table_folders.h"
#include "format/type_names.h"
#include "tarn/catalog_store.h"
#include "tarn/check.h"
#include "tarn/data_file.h"
#include "tarn/snapshot.h"

namespace tarn::check {

/// From one snapshot up to another, or without end.
struct Life {
  int64_t begin = -1;
  std::optional<int64_t> end;

  bool Covers(const Life& other) const {
    return begin <= other.begin && (!end || (other.end && *other.end <= *end));
  }
  bool Meets(const Life& other) const {
    return (!end || other.begin < *end) && (!other.end || begin < *other.end);
  }
  bool IsAliveAt(int64_t snapshot) const { return begin <= snapshot && (!end || snapshot < *end); }
  /// Both together, as if there were no gap.
  void Extend(const Life& other);
};

enum class ObjectKind { kSchema, kTable, kView, kMacro, kPartitionSpec, kSortOrder };
const char* KindName(ObjectKind kind);

/// A row of ducklake_schema, _table, _view, _macro, _partition_info or _sort_info.
struct ObjectRow {
  ObjectKind kind;
  int64_t id = -1;
  Life life;
  int64_t parent = -1;  ///< the schema; the table of a partition spec or sort order
  std::string name;
  std::string path;
  bool path_is_relative = true;
};

struct FileRow {
  DataFile file;
  int64_t table = -1;
  Life life;
};
struct DeleteRow {
  DeleteFile file;
  int64_t table = -1;
  Life life;
};
/// A file that waits for its deletion.
struct ScheduledRow {
  int64_t file = -1;
  std::optional<LakePath> path;
  bool has_time = false;  ///< one that can be read
};
struct FileStatsRow {
  int64_t file = -1;
  int64_t table = -1;
  ColumnStats stats;
};
struct VariantStatsRow {
  int64_t file = -1;
  int64_t table = -1;
  int64_t column = -1;
  std::string path;
};
struct TagRow {
  int64_t object = -1;
  int64_t column = -1;  ///< of column tags
  Life life;
  std::string key;
};
struct PartitionKeyRow {
  int64_t partition = -1;
  int64_t table = -1;
  int64_t index = -1;
  int64_t column = -1;
  std::string transform;
};
struct InlinedTableRow {
  int64_t table = -1;
  std::string name;
  int64_t schema_version = -1;
};
struct OptionRow {
  std::string key, value, scope;
  int64_t scope_id = -1;
};

struct Model {
  Model() = default;
  Model(Model&&) = default;  // moved, never copied: it points into itself
  Model& operator=(Model&&) = default;

  std::vector<Snapshot> snapshots;         ///< by id
  std::map<int64_t, std::string> changes;  ///< changes_made by snapshot
  std::vector<OptionRow> options;
  std::vector<ObjectRow> objects;
  std::map<int64_t, std::vector<ColumnHistory::Entry>> columns;  ///< by table
  std::map<int64_t, std::vector<std::string>> macro_types;  ///< of the implementations, by macro
  std::vector<PartitionKeyRow> partition_keys;
  std::map<int64_t, int64_t> sort_key_counts;  ///< by sort order
  std::vector<TagRow> tags;
  std::vector<TagRow> column_tags;
  std::vector<FileRow> files;
  std::vector<DeleteRow> deletes;
  std::vector<FileStatsRow> file_stats;
  std::vector<VariantStatsRow> variant_stats;
  std::map<int64_t, std::vector<int64_t>> partition_values;  ///< key indexes by data file
  std::map<int64_t, int64_t> mappings;                       ///< table by mapping
  std::map<int64_t, NameMap> name_maps;                      ///< those with entries
  std::vector<ScheduledRow> scheduled;
  std::multimap<int64_t, TableStats> table_stats;            ///< with their columns
  std::vector<std::pair<int64_t, int64_t>> schema_versions;  ///< (begin snapshot, version)
  std::map<int64_t, std::map<int64_t, int64_t>>
      shapes;  ///< table -> schema version -> begin snapshot
  std::vector<InlinedTableRow> inlined_tables;
  std::set<std::string> physical_tables;

  int64_t head = -1;  ///< the newest snapshot
  const Snapshot* head_snapshot() const { return snapshots.empty() ? nullptr : &snapshots.back(); }

  static Model Load(StoreConnection& connection);

  /// The lives of all rows of one object together; absent when there is no such object.
  std::optional<Life> LifeOf(ObjectKind kind, int64_t id) const;
  bool HasColumn(int64_t table, int64_t column) const;
  /// The column's newest row; null when absent.
  const ColumnHistory::Entry* NewestColumn(int64_t table, int64_t column) const;
  /// A table with all columns that it ever had, each in its newest form: what its files may hold.
  Table EveryColumnOf(int64_t table) const;

  // For sentences: `table "main"."t"`, `data file 12 of table "main"."t"`.
  std::string Name(ObjectKind kind, int64_t id) const;
  std::string TableName(int64_t table) const { return Name(ObjectKind::kTable, table); }
  std::string FileName(const FileRow& row) const;
  std::string DeleteName(const DeleteRow& row) const;

 private:
  std::map<std::pair<ObjectKind, int64_t>, Life> lives_;
  std::map<std::pair<ObjectKind, int64_t>, size_t> newest_;  ///< index into objects
  /// By table and column; points into `columns`, whose nodes stay where they are when the model
  /// moves.
  std::map<std::pair<int64_t, int64_t>, const ColumnHistory::Entry*> newest_columns_;
};

}  // namespace tarn::check
