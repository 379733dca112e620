// Reads rows that are kept in the catalog, or shall be: those of one inlined table, in the shape it
// was made with, or of one batch that waits in the transaction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/connection_pool.h"
#include "duckdb.hpp"
#include "tarn/catalog_store.h"
#include "tarn/error.h"
#include "tarn/lake.h"
#include "tarn/scan.h"

namespace tarn::engine {

class ChunkReader;

/// Used by one thread.
class RowSource {
 public:
  /// What the columns of the chunks are: a column of the table as it was, or one of these.
  static constexpr size_t kRowId = static_cast<size_t>(-1);
  static constexpr size_t kSnapshot = static_cast<size_t>(-2);
  static constexpr size_t kPlace = static_cast<size_t>(-3);  ///< by which the row can be changed
  static constexpr size_t kEnd = static_cast<size_t>(-4);    ///< its last snapshot, of a dead row
  static bool IsOwn(size_t wanted) { return wanted >= kEnd; }

  virtual ~RowSource() = default;
  /// Fills a chunk of the wanted columns' types; an empty one at the end.
  virtual void Read(duckdb::DataChunk& chunk) = 0;
};

/// For a reader that does not follow rows from the catalog into files.
Error RowsMoved(const std::string& table_name);

/// Where the catalog is a DuckDB file, rows come in DuckDB's own types; elsewhere as text, which is
/// cast. The place of a row is its row id.
class InlinedRowSource final : public RowSource {
 public:
  /// `wanted`: for each column of the chunks to fill. Rows come in order of row id.
  InlinedRowSource(Lake& lake, const InlinedScan& scan, std::vector<size_t> wanted);
  /// All rows there are, dead ones too, read in a transaction of the caller's; `connection` is the
  /// source's as long as it lives. A missing table throws kNotFound.
  InlinedRowSource(StoreConnection& connection, const InlinedScan& scan,
                   std::vector<size_t> wanted);
  ~InlinedRowSource() override;

  void Read(duckdb::DataChunk& chunk) override;
  /// At the end: how many rows that the plan counted are not there, since a flush has moved them.
  int64_t missing() const { return std::max<int64_t>(scan_.row_count - rows_read_, 0); }

 private:
  /// By this transaction.
  bool IsRemoved(int64_t row_id) const;
  /// `chunk` has the row ids as its last column.
  void Start(StoreConnection& connection, const Statement& select);
  void DropRemoved(duckdb::DataChunk& chunk) const;
  void RequireRowIds(duckdb::DataChunk& chunk) const;
  void ReadChunk(duckdb::DataChunk& chunk);
  void ReadTexts(duckdb::DataChunk& chunk);
  bool Next();
  void Fill(duckdb::DataChunk& chunk, duckdb::DataChunk& texts);
  void ReadStructs(duckdb::Vector& from, duckdb::Vector& to, duckdb::idx_t count,
                   size_t column) const;
  void Cast(duckdb::Vector& from, duckdb::Vector& to, duckdb::idx_t count, size_t column) const;

  const InlinedScan& scan_;
  const std::vector<size_t> wanted_;
  std::optional<ConnectionPool::Lease> lease_;
  std::unique_ptr<ChunkReader> chunks_;  ///< one of these two
  std::unique_ptr<Rows> rows_;
  duckdb::unique_ptr<duckdb::DataChunk> from_chunk_;  ///< what the last chunk refers to
  duckdb::DataChunk texts_;                           ///< values that DuckDB has to cast
  int64_t rows_read_ = 0;
  bool at_end_ = false;
};

}  // namespace tarn::engine
