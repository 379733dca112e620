// Reads the rows of one inlined table, in the shape it was made with.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "tarn/catalog_store.h"
#include "tarn/scan.h"

namespace tarn::engine {

/// Used by one thread.
class InlinedRowSource {
 public:
  /// What the columns of the chunks are: a column of the inlined table, or one of these two.
  static constexpr size_t kRowId = static_cast<size_t>(-1);
  static constexpr size_t kSnapshot = static_cast<size_t>(-2);

  /// `wanted`: for each column of the chunks to fill. Rows come in order of row id.
  InlinedRowSource(CatalogStore& store, const InlinedScan& scan, std::string table_name, std::vector<size_t> wanted);
  ~InlinedRowSource();

  /// Fills a chunk of the wanted columns' types; an empty one at the end. Throws kConflict when rows are gone that the plan counted: a flush has moved
  /// them since.
  void Read(duckdb::DataChunk& chunk);

 private:
  void Fill(duckdb::DataChunk& chunk, duckdb::DataChunk& texts);

  const InlinedScan& scan_;
  const std::string table_name_;
  const std::vector<size_t> wanted_;
  std::unique_ptr<StoreConnection> connection_;
  std::unique_ptr<Rows> rows_;
  duckdb::DataChunk texts_;  ///< values that DuckDB has to cast
  int64_t rows_read_ = 0;
  bool at_end_ = false;
};

}  // namespace tarn::engine
