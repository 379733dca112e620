// The partition keys of a table: what rows are grouped by before they are written, and what the
// catalog and the folders say of a group.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "format/transform.h"
#include "tarn/ids.h"
#include "tarn/schema.h"

namespace tarn::engine {

/// What the rows of one data file have in common.
struct FilePartition {
  /// Absent: the file is not told to be of a partition, which every reader takes.
  std::optional<PartitionRef> spec;
  std::vector<std::optional<std::string>> values;  ///< by key index
  std::string folder;                              ///< below the table's, ends in "/"; empty: none
};

class PartitionKeys {
 public:
  /// Throws kUnsupported for a spec of another client that this version cannot write under.
  PartitionKeys(const Table& table, bool hive_folders);

  size_t size() const { return keys_.size(); }
  /// Of the key with this index: which column of the table it is of, whether it is the column's
  /// value itself, and the type of its values.
  size_t column(size_t key) const { return keys_[key].column; }
  bool is_identity(size_t key) const {
    return keys_[key].transform.kind == Transform::Kind::kIdentity;
  }
  const duckdb::LogicalType& type(size_t key) const { return keys_[key].result; }
  /// The values of a key for values of its column.
  void Compute(size_t key, duckdb::Vector& values, duckdb::idx_t count,
               duckdb::Vector& result) const;
  /// The partition of rows with these values, one of each key.
  FilePartition Describe(const std::vector<duckdb::Value>& values) const;

 private:
  struct Key {
    size_t column = 0;
    Transform transform;
    ScalarType type;
    duckdb::LogicalType result;
  };

  PartitionRef spec_;
  std::vector<Key> keys_;
  std::vector<std::string> folder_keys_;  ///< empty: no folders
};

}  // namespace tarn::engine
