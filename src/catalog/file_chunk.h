// Rows of ducklake_data_file, packed: some 60 bytes for each instead of 400, so that the files of a
// large table can be kept in memory and walked quickly.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/facts_column.h"
#include "tarn/data_file.h"

namespace tarn {

/// Numbers of which most, or all, may be absent: costs nothing until one is there.
class SparseNumbers {
 public:
  void Set(size_t place, std::optional<int64_t> value);
  std::optional<int64_t> Get(size_t place) const;
  size_t memory() const { return values_.capacity() * sizeof(int64_t); }

 private:
  std::vector<int64_t> values_;
};

/// Texts one after the other.
class PackedTexts {
 public:
  void Set(size_t place, const std::optional<std::string>& text);
  std::optional<std::string> Get(size_t place) const;
  size_t memory() const { return bytes_.capacity() + ends_.capacity() * sizeof(uint32_t); }

 private:
  std::string bytes_;
  std::vector<uint32_t> ends_;  ///< an odd number: absent
};

/// Paths: what is the same in many (a folder, a prefix, an ending) is kept once, and the uuid
/// between as 16 bytes.
class PackedPaths {
 public:
  void Add(std::string_view path);
  std::string Get(size_t place) const;
  /// IsLakeFileName of it.
  bool IsLakeName(size_t place) const { return frames_[frame_[place]].is_lake_name; }
  /// No path is added any more.
  void Finish();
  size_t memory() const;

 private:
  struct Frame {
    std::string before;
    std::string after;
    bool has_uuid = false;
    bool is_lake_name = false;
  };
  std::vector<Frame> frames_;
  std::vector<uint16_t> frame_;  ///< of each path
  std::vector<std::array<uint8_t, 16>> uuids_;
  std::unordered_map<std::string, uint16_t> known_;  ///< while paths are added
};

/// Which facts: of a field in the shape that one row of ducklake_column gives it.
struct FactsKey {
  FieldId field;
  SnapshotId column_begin;
  friend auto operator<=>(const FactsKey&, const FactsKey&) = default;
};

/// Committed data files of one table in order of their ids. Their statistics and partition values
/// are left out, and so is the snapshot of their end, which may come later. Immutable once
/// finished, but for the facts, which are added as queries ask for them.
class FileChunk {
 public:
  static constexpr size_t kCapacity = 2048;

  /// The id is greater than those before.
  void Add(const DataFile& file);
  void Finish();
  /// The same files, to which others can be added; facts of the old ones stay known.
  std::shared_ptr<FileChunk> Extend() const;

  size_t size() const { return ids_.size(); }
  DataFileId id(size_t place) const { return DataFileId(ids_[place]); }
  bool has_lake_name(size_t place) const { return paths_.IsLakeName(place); }
  int64_t record_count(size_t place) const { return record_counts_[place]; }
  std::optional<SnapshotId> partial_max(size_t place) const;
  std::optional<size_t> Find(DataFileId id) const;
  DataFile Get(size_t place, bool with_path = true) const;

  int64_t total_records() const { return total_records_; }
  /// The greatest partial_max; invalid when no file has one.
  SnapshotId last_partial() const { return last_partial_; }

  /// Facts of the first files, perhaps not of all; null when none are known. Thread safe.
  std::shared_ptr<const FactsColumn> FindFacts(const FactsKey& key) const;
  void KeepFacts(const FactsKey& key, std::shared_ptr<const FactsColumn> facts) const;

  size_t memory() const;  ///< bytes, with facts

 private:
  std::vector<int64_t> ids_;
  std::vector<int64_t> begins_;
  std::vector<int64_t> record_counts_;
  std::vector<int64_t> sizes_;
  SparseNumbers footer_sizes_;
  SparseNumbers row_id_starts_;
  SparseNumbers partition_ids_;
  SparseNumbers mapping_ids_;
  SparseNumbers partial_maxes_;
  PackedPaths paths_;
  SparseNumbers absolute_;  ///< paths that are not relative
  PackedTexts formats_;     ///< but "parquet"
  PackedTexts keys_;
  int64_t total_records_ = 0;
  SnapshotId last_partial_;

  mutable std::mutex mutex_;
  mutable std::map<FactsKey, std::shared_ptr<const FactsColumn>> facts_;
};

}  // namespace tarn
