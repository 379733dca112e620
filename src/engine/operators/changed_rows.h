// Which rows of a table a statement changes, by where they lie: what its scan calls file_index and
// file_row_number. Kept as compressed sets, so that changing millions of rows needs little memory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "data/delete_mask.h"
#include "duckdb.hpp"
#include "duckdb/execution/physical_operator.hpp"
#include "tarn/transaction.h"

namespace tarn::engine {

class TarnTableEntry;

/// The two columns of a chunk that say where its rows lie.
class RowPlaces {
 public:
  RowPlaces(duckdb::DataChunk& rows, duckdb::idx_t first_column);

  uint64_t file(duckdb::idx_t row) const {
    return duckdb::UnifiedVectorFormat::GetData<uint64_t>(files_)[files_.sel->get_index(row)];
  }
  int64_t position(duckdb::idx_t row) const {
    return duckdb::UnifiedVectorFormat::GetData<int64_t>(
        positions_)[positions_.sel->get_index(row)];
  }

 private:
  duckdb::UnifiedVectorFormat files_;
  duckdb::UnifiedVectorFormat positions_;
};

/// A set of rows. Not thread safe.
class RowSet {
 public:
  void Add(const RowPlaces& places, duckdb::idx_t count);
  /// Adds the rows that are new and lists them in `fresh`; returns how many they are.
  duckdb::idx_t Claim(const RowPlaces& places, duckdb::idx_t count, duckdb::SelectionVector& fresh);
  void Add(RowSet&& other);
  bool empty() const { return files_.empty(); }

  /// The same in the kernel's words; `plan` is what the rows were read by, `entry` the table that
  /// they are of.
  RowRemoval Resolve(duckdb::ClientContext& context, const TarnTableEntry& entry,
                     const duckdb::PhysicalOperator& plan) const;

 private:
  DeleteMask& FileOf(uint64_t file);

  std::map<uint64_t, DeleteMask> files_;
  uint64_t last_file_ = 0;
  DeleteMask* last_mask_ = nullptr;  ///< rows come file by file
};

}  // namespace tarn::engine
