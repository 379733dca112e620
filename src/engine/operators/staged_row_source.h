// Reads one batch of rows that wait in the transaction for their place in the catalog.
#pragma once

#include <vector>

#include "duckdb.hpp"
#include "engine/operators/collected_rows.h"
#include "engine/operators/inlined_rows.h"
#include "tarn/scan.h"

namespace tarn::engine {

/// The place of a row is its number in the batch.
class StagedRowSource final : public RowSource {
 public:
  StagedRowSource(const StagedScan& scan, std::vector<size_t> wanted);

  void Read(duckdb::DataChunk& chunk) override;

 private:
  const StagedScan& scan_;
  const CollectedRows& rows_;
  const std::vector<size_t> wanted_;
  duckdb::ColumnDataScanState state_;
  duckdb::DataChunk from_;
  int64_t position_ = 0;
};

}  // namespace tarn::engine
