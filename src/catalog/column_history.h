// All rows of ducklake_column that a table ever had: its shape at any snapshot, and since when each
// field exists.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/catalog_store.h"
#include "tarn/schema.h"

namespace tarn {

class ColumnHistory {
 public:
  struct Entry {
    Column column;  ///< without children; begin_snapshot set
    std::optional<SnapshotId> end_snapshot;
    std::optional<FieldId> parent;
  };

  /// One query. Of the fields asked for, or of all when none are named.
  static ColumnHistory Load(StoreConnection& connection, TableId table,
                            const std::vector<FieldId>& fields = {});
  explicit ColumnHistory(std::vector<Entry> entries);

  /// Top-level columns alive at a snapshot, in order, with their children. Orphans of a missing
  /// parent are left out.
  std::vector<Column> ColumnsAt(SnapshotId snapshot) const;
  /// The snapshots with which the columns became different, sorted: between two of them ColumnsAt
  /// always gives the same.
  std::vector<SnapshotId> Changes() const;
  /// The first snapshot that had the field; absent when it is unknown here.
  std::optional<SnapshotId> FirstSnapshot(FieldId field) const;
  /// Each field as it was last, by id.
  std::vector<LostField> Latest() const;
  /// True when the field had exactly this type in all snapshots from `first` to `last`, as far as
  /// is known, and `first` does not lie before what is known.
  bool HadType(FieldId field, const std::string& type, SnapshotId first, SnapshotId last) const;

 private:
  std::vector<Entry> entries_;
  std::map<FieldId, std::vector<size_t>> by_field_;
};

/// The least id from `at_least` on that no data file of the table can have values under. Ended rows
/// of ducklake_column tell that as long as they are there; where snapshots have expired they may be
/// gone, while files of their time are not: then the files' statistics are asked, too.
FieldId FirstUnusedField(StoreConnection& connection, TableId table, FieldId at_least);

}  // namespace tarn
