// See copy_inlined.h.
#include "engine/copy_inlined.h"

#include <span>
#include <string>
#include <vector>

#include "catalog/inlining.h"
#include "duckdb.hpp"
#include "engine/bridge/types.h"
#include "engine/operators/inlined_rows.h"
#include "engine/operators/inlined_values.h"
#include "engine/store/host_duckdb_store.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

/// The columns before the table's own.
constexpr size_t kOwnColumns = 3;

/// Reads whole rows: row id, first and last snapshot, and the table's columns.
class WholeRows {
 public:
  WholeRows(StoreConnection& from, const InlinedScan& scan) : rows_(from, scan, Wanted(scan)) {
    duckdb::vector<duckdb::LogicalType> types(kOwnColumns, duckdb::LogicalType::BIGINT);
    for (const auto& column : scan.columns) types.push_back(ToLogicalType(*column.column));
    chunk_.Initialize(duckdb::Allocator::DefaultAllocator(), types);
  }

  /// Null at the end.
  duckdb::DataChunk* Next() {
    chunk_.Reset();
    rows_.Read(chunk_);
    return chunk_.size() > 0 ? &chunk_ : nullptr;
  }

 private:
  static std::vector<size_t> Wanted(const InlinedScan& scan) {
    std::vector<size_t> wanted = {RowSource::kRowId, RowSource::kSnapshot, RowSource::kEnd};
    for (size_t i = 0; i < scan.columns.size(); ++i) wanted.push_back(i);
    return wanted;
  }

  InlinedRowSource rows_;
  duckdb::DataChunk chunk_;
};

void RequireFit(const Dialect& dialect, const InlinedScan& scan, duckdb::DataChunk& chunk) {
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    if (FitsIntoColumn(dialect, *scan.columns[i].column, chunk.data[kOwnColumns + i], chunk.size()))
      continue;
    throw Error(ErrorCode::kUnsupported,
                "Column \"" + scan.columns[i].name + "\" of \"" + scan.table_name +
                    "\" has a value that a catalog in " + std::string(dialect.name()) +
                    " cannot hold: move these rows into files first, with `tarn flush`.");
  }
}

std::vector<std::vector<Value>> ToValues(const Dialect& dialect, const InlinedScan& scan,
                                         duckdb::DataChunk& chunk) {
  const auto count = chunk.size();
  std::vector<std::vector<Value>> rows(count, std::vector<Value>(chunk.ColumnCount()));
  for (size_t i = 0; i < kOwnColumns; ++i) {
    duckdb::UnifiedVectorFormat format;
    chunk.data[i].ToUnifiedFormat(count, format);
    for (duckdb::idx_t row = 0; row < count; ++row) {
      const auto index = format.sel->get_index(row);
      if (format.validity.RowIsValid(index))
        rows[row][i] = duckdb::UnifiedVectorFormat::GetData<int64_t>(format)[index];
    }
  }
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    BindInlinedColumn(dialect, *scan.columns[i].column, chunk.data[kOwnColumns + i], count, rows,
                      kOwnColumns + i);
  }
  return rows;
}

}  // namespace

void TransferInlinedRows(StoreConnection& from, StoreConnection& to, const InlinedScan& scan,
                         const std::function<void(int64_t rows)>& done) {
  WholeRows source(from, scan);
  if (auto* host = dynamic_cast<HostDuckDbConnection*>(&to)) {
    host->AppendChunks(scan.table_name, [&]() -> duckdb::DataChunk* {
      auto* const chunk = source.Next();
      if (chunk != nullptr) done(static_cast<int64_t>(chunk->size()));
      return chunk;
    });
    return;
  }
  const Dialect& dialect = to.dialect();
  const auto names = InlinedColumnNames(*scan.shape);
  const auto types = InlinedColumnTypes(dialect, *scan.shape);
  while (auto* chunk = source.Next()) {
    RequireFit(dialect, scan, *chunk);
    to.InsertTypedRows(scan.table_name, names, types, ToValues(dialect, scan, *chunk));
    done(static_cast<int64_t>(chunk->size()));
  }
}

}  // namespace tarn::engine
