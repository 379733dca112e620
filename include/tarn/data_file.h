// What holds rows, what removes them, and what is known of them: descriptions only, nothing here
// opens a file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/ids.h"

namespace tarn {

/// Statistics of one leaf column in one file (ducklake_file_column_stats). Texts are in the
/// format's encoding (format page, section 4); bounds may be wider than the data, never narrower.
/// An absent bound says nothing.
struct ColumnStats {
  FieldId field;
  std::optional<int64_t> column_size_bytes;
  std::optional<int64_t> value_count;  ///< without NULLs
  std::optional<int64_t> null_count;
  std::optional<std::string> min_value;
  std::optional<std::string> max_value;
  std::optional<bool> contains_nan;  ///< absent for types that have no NaN
  std::optional<std::string> extra_stats;
};

/// One entry of ducklake_name_mapping: how a field of a registered file is called there.
struct NameMapEntry {
  int64_t id = 0;  ///< position inside the mapping
  std::string source_name;
  FieldId target;
  std::optional<int64_t> parent;  ///< an entry's id
  bool is_partition = false;      ///< the value comes from the file's Hive folders
  friend bool operator==(const NameMapEntry&, const NameMapEntry&) = default;
};
struct NameMap {
  MappingId id;
  std::vector<NameMapEntry> entries;
};

/// Of a staged file that was there before the lake: what a commit must know of it. Such a file is
/// not the transaction's to remove.
struct Registration {
  std::string real_path;  ///< FileSystem::RealPath
};

/// A row of ducklake_data_file, with its partition values and statistics when loaded or when
/// staged.
struct DataFile {
  DataFileId id;  ///< invalid while staged
  std::string path;
  bool path_is_relative = true;  ///< to the table's path
  std::string format = "parquet";
  int64_t record_count = 0;
  int64_t file_size_bytes = 0;
  std::optional<int64_t> footer_size;
  std::optional<int64_t>
      row_id_start;  ///< decided at commit; staged files get transaction-local numbers
  /// The spec it was written under; of staged files it may be one that the commit gives an id.
  std::optional<PartitionRef> partition_id;
  std::optional<std::string> encryption_key;  ///< base64 of the raw key
  std::optional<MappingId> mapping_id;
  std::optional<SnapshotId> partial_max;
  SnapshotId begin_snapshot;  ///< invalid while staged
  std::optional<SnapshotId> end_snapshot;
  /// Rows carry their ids in `_ducklake_internal_row_id`, as an update writes them. Known of staged
  /// files only; a reader finds the column in the file.
  bool embeds_row_ids = false;
  /// Of staged files: it has been in the lake before, and its rows are given no new ids.
  bool is_revived = false;
  std::shared_ptr<const Registration> registration;
  /// Of staged files that are read by name: a map that the commit gives an id, shared by files of
  /// one shape. Without it, mapping_id counts.
  std::shared_ptr<const NameMap> names;
  std::vector<std::optional<std::string>> partition_values;  ///< by key index
  std::vector<ColumnStats> stats;
};

/// A row of ducklake_delete_file.
struct DeleteFile {
  DeleteFileId id;
  DataFileId data_file;
  std::string path;
  bool path_is_relative = true;
  std::string format = "parquet";  ///< "parquet" or "puffin"
  int64_t delete_count = 0;
  int64_t file_size_bytes = 0;
  std::optional<int64_t> footer_size;
  std::optional<std::string> encryption_key;
  std::optional<SnapshotId> partial_max;
  SnapshotId begin_snapshot;
  std::optional<SnapshotId> end_snapshot;
};

/// An inlined table whose rows, dead ones too, were written into files by a flush.
struct FlushedTable {
  std::string table_name;  ///< InlinedScan::table_name
  int64_t row_count = 0;   ///< how many rows that were
  /// They embed row ids and snapshots; begin_snapshot, partial_max and row_id_start are set: the
  /// first and last snapshot of their rows, and the lowest row id.
  std::vector<DataFile> files;
};

/// ducklake_table_stats and ducklake_table_column_stats of one table: they describe the newest
/// snapshot only.
struct TableStats {
  int64_t record_count = 0;  ///< rows ever inserted and not compacted away; deletes do not lower it
  int64_t next_row_id = 0;
  int64_t file_size_bytes = 0;
  struct Column {
    FieldId field;
    std::optional<bool> contains_null;
    std::optional<bool> contains_nan;
    std::optional<std::string> min_value;
    std::optional<std::string> max_value;
    std::optional<std::string> extra_stats;
  };
  std::vector<Column> columns;
};

}  // namespace tarn
