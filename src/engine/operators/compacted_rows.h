// Reads the live rows of the files that become one, through the reader that scans use: deletes,
// casts, defaults of columns that a file lacks, name maps, row ids.
#pragma once

#include <functional>
#include <memory>

#include "duckdb.hpp"
#include "duckdb/function/table_function.hpp"
#include "engine/operators/scan_source.h"
#include "tarn/compaction.h"

namespace tarn::engine {

class TarnTableEntry;

/// Used by one thread.
class CompactedRows {
 public:
  /// With the rows' ids as a column after the shape's, and their snapshots after that.
  CompactedRows(duckdb::ClientContext& context, TarnTableEntry& entry, const CompactionUnit& unit,
                bool row_ids, bool snapshots);

  const duckdb::vector<duckdb::LogicalType>& types() const { return types_; }
  /// Calls `visit` with all rows, file by file, each in its own order.
  void Visit(const std::function<void(duckdb::DataChunk&)>& visit);

 private:
  duckdb::ClientContext& context_;
  duckdb::TableFunction function_;
  duckdb::unique_ptr<duckdb::FunctionData> bind_data_;
  duckdb::vector<duckdb::LogicalType> types_;
  duckdb::vector<duckdb::column_t> column_ids_;
};

}  // namespace tarn::engine
