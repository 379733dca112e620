// A query plans first and reads later, without holding a transaction of the catalog database in
// between. A flush may move rows of the catalog into files in that time; the query finds them
// there.
#pragma once

#include <cstdint>
#include <vector>

#include "duckdb.hpp"
#include "engine/operators/inlined_rows.h"
#include "engine/operators/scan_file_list.h"

namespace tarn::engine {

/// The rows of an inlined table that were there when the scan was planned and are in files since.
class FlushedRowSource final : public RowSource {
 public:
  /// `info` is of the inlined table in its scan; `wanted` as InlinedRowSource takes it; `missing`:
  /// how many rows that the plan counted were not found. Reads them all, into memory that DuckDB
  /// may spill. A merge may have mixed them with rows of files that the scan reads: these are known
  /// by their row ids. Throws kConflict when they cannot be told from others.
  FlushedRowSource(duckdb::ClientContext& context, const ScanFileInfo& info,
                   const std::vector<size_t>& wanted, int64_t missing);

  void Read(duckdb::DataChunk& chunk) override;

 private:
  void Collect(duckdb::ClientContext& context, const ScanFileInfo& info,
               const std::vector<size_t>& wanted, int64_t missing);

  duckdb::unique_ptr<duckdb::ColumnDataCollection> rows_;
  duckdb::ColumnDataScanState state_;
  std::vector<size_t> positions_;  ///< of the wanted columns among those that are read
  duckdb::DataChunk from_;
};

}  // namespace tarn::engine
