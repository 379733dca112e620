// What the catalog says of some fields in a data file: statistics, partition values, and for files
// from before a column its default. Format page, sections 4 and 8.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/column_history.h"
#include "catalog/predicate_pruner.h"
#include "store/statement.h"
#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/schema.h"

namespace tarn {

/// Facts of several fields of one table's files. Does not outlive the table.
class FileFacts {
 public:
  /// What is known of the files that will be asked about, so that only what matters is loaded.
  struct Needs {
    bool history = false;     ///< some may be older than one of the fields, or than its type
    bool partitions = false;  ///< some have partition values
    bool row_groups = false;  ///< ProvesAbsentNans depends on the lake's options for some
    /// Partition values only of files from this id on, as many as that are.
    DataFileId first_file{0};

    void Add(const DataFile& file, std::span<const PrunableField> fields);
  };

  /// Three queries at most; none of a table that is new.
  FileFacts(StoreConnection& connection, const Table& table, std::span<const PrunableField> fields,
            const Needs& needs);

  std::span<const PrunableField> fields() const { return fields_; }
  /// `stats`: of this field in this file; null when there are none. `has_lake_name`: what
  /// IsLakeFileName says of its path, which itself is looked at for floats only.
  FieldFacts Of(const PrunableField& field, const DataFile& file, bool has_lake_name,
                bool is_staged, const ColumnStats* stats) const;
  /// Of all fields, in their order.
  std::vector<FieldFacts> Of(const DataFile& file, bool is_staged,
                             const std::vector<ColumnStats>* stats) const;

  /// All of the file is from after the column's present row began: then no history is needed. (Of a
  /// merged file, later snapshots may have changed the column again.)
  static bool IsYounger(const DataFile& file, const PrunableField& field);

 private:
  struct KeyValue {
    FieldId field;
    std::string transform;
    std::optional<std::string> value;
    friend bool operator==(const KeyValue&, const KeyValue&) = default;
  };

  bool HadPresentType(const DataFile& file, const PrunableField& field) const;
  bool IsOlderThan(const DataFile& file, const PrunableField& field) const;
  FieldFacts WithPartitionValue(const DataFile& file, const PrunableField& field,
                                FieldFacts known) const;
  bool Holds(const Transform& transform, const DataFile& file, const PrunableField& field) const;
  void LoadOldestSnapshot(StoreConnection& connection);
  void LoadPartitionValues(StoreConnection& connection, TableId table, DataFileId first);
  std::vector<FieldId> FieldIds() const;

  std::span<const PrunableField> fields_;
  std::optional<ColumnHistory> history_;
  SnapshotId oldest_snapshot_{0};
  bool has_small_row_groups_ = false;
  /// Files of one partition have the same: an index into partitions_.
  std::unordered_map<DataFileId, uint32_t> partition_of_;
  std::vector<std::vector<KeyValue>> partitions_;
};

}  // namespace tarn
