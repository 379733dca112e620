// Rows that are kept in the catalog database, read as if their table were a file of the scan:
// DuckDB's column mapper then gives them defaults, casts, row ids and projections exactly as it
// does for Parquet files.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/common/multi_file/base_file_reader.hpp"

namespace tarn::engine {

class InlinedRowSource;
class RowSource;

/// One thread reads it: inlined tables are small. Filters that were pushed down are applied here.
class InlinedReader : public duckdb::BaseFileReader {
 public:
  /// `file` is one of a ScanFileList that stands for an inlined table or for rows in memory.
  explicit InlinedReader(const duckdb::OpenFileInfo& file);
  ~InlinedReader() override;

  bool TryInitializeScan(duckdb::ClientContext& context,
                         duckdb::GlobalTableFunctionState& global_state,
                         duckdb::LocalTableFunctionState& local_state) override;
  void PrepareScan(duckdb::ClientContext& context, duckdb::GlobalTableFunctionState& global_state,
                   duckdb::LocalTableFunctionState& local_state) override;
  duckdb::AsyncResult Scan(duckdb::ClientContext& context,
                           duckdb::GlobalTableFunctionState& global_state,
                           duckdb::LocalTableFunctionState& local_state,
                           duckdb::DataChunk& chunk) override;
  void AddVirtualColumn(duckdb::column_t column_id) override;
  double GetProgressInFile(duckdb::ClientContext& context) override;
  std::string GetReaderType() const override { return "Inlined"; }

 private:
  /// Goes on, at the end of an inlined table, with rows that a flush has taken out of it.
  void ReadFlushed(duckdb::ClientContext& context);
  void EvaluateColumn(duckdb::ClientContext& context, duckdb::idx_t position,
                      duckdb::DataChunk& chunk);
  void ApplyFilters(duckdb::ClientContext& context, duckdb::DataChunk& chunk);

  bool started_ = false;  ///< under the scan's own lock
  std::atomic<int64_t> rows_read_ = 0;
  size_t table_columns_ = 0;
  std::vector<size_t> wanted_;  ///< columns, as InlinedRowSource takes them
  std::unique_ptr<RowSource> rows_;
  InlinedRowSource* inlined_ = nullptr;  ///< the same, while it is one
  duckdb::DataChunk raw_;                ///< in the types of the inlined table's shape
};

}  // namespace tarn::engine
