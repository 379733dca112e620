// See collected_rows.h; format page, section 7.
#include "engine/operators/collected_rows.h"

#include <algorithm>
#include <utility>

#include "catalog/inlining.h"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "engine/bridge/types.h"
#include "engine/operators/inlined_values.h"
#include "engine/operators/leaf_bounds.h"
#include "engine/operators/reshape.h"
#include "engine/operators/variant_values.h"
#include "engine/store/host_duckdb_store.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::DataChunk;
using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;

/// More are a batch of their own: copying them again with each small insert would not pay.
constexpr idx_t kMaxJoinedRows = STANDARD_VECTOR_SIZE;
/// More bytes than this are no small change; databases limit their values and statements.
constexpr idx_t kMaxBytes = 256 << 20;
/// The columns before the table's own.
constexpr size_t kOwnColumns = 3;

// Goes through rows in the columns of a table as it is now.
class RowWalk {
 public:
  RowWalk(const CollectedRows& rows, const Table& table, std::span<const int64_t> without)
      : rows_(rows), without_(without), reshaper_(*rows.shape(), table) {
    rows_.rows().InitializeScan(scan_);
    rows_.rows().InitializeScanChunk(from_);
    chunk_.InitializeEmpty(reshaper_.types());
  }

  /// The next rows; false at the end.
  bool Next() {
    do {
      from_.Reset();
      if (!rows_.rows().Scan(scan_, from_)) return false;
      LeaveOut();
    } while (from_.size() == 0);
    chunk_.Reset();
    reshaper_.Apply(from_, chunk_);
    return true;
  }
  DataChunk& chunk() { return chunk_; }
  /// Of rows that have them.
  duckdb::Vector& row_ids() { return from_.data.back(); }

 private:
  void LeaveOut() {
    const auto first = std::exchange(position_, position_ + static_cast<int64_t>(from_.size()));
    if (without_.empty()) return;
    duckdb::SelectionVector kept(from_.size());
    idx_t count = 0;
    for (idx_t row = 0; row < from_.size(); ++row) {
      const auto position = first + static_cast<int64_t>(row);
      if (!std::binary_search(without_.begin(), without_.end(), position))
        kept.set_index(count++, row);
    }
    if (count < from_.size()) from_.Slice(kept, count);
  }

  const CollectedRows& rows_;
  const std::span<const int64_t> without_;
  const RowReshaper reshaper_;
  duckdb::ColumnDataScanState scan_;
  DataChunk from_;
  DataChunk chunk_;
  int64_t position_ = 0;
};

void InsertValues(StoreConnection& connection, RowWalk& walk, const StagedRows::Target& target,
                  bool keeps_row_ids) {
  const Dialect& dialect = connection.dialect();
  const auto names = InlinedColumnNames(target.table);
  std::vector<std::vector<Value>> rows;
  int64_t next_row_id = target.first_row_id;
  while (walk.Next()) {
    const auto first = rows.size();
    const auto count = walk.chunk().size();
    rows.resize(first + count, std::vector<Value>(names.size()));
    const std::span<std::vector<Value>> part(rows.data() + first, count);
    duckdb::UnifiedVectorFormat ids;
    if (keeps_row_ids) walk.row_ids().ToUnifiedFormat(count, ids);
    for (idx_t row = 0; row < count; ++row) {
      part[row][0] =
          keeps_row_ids
              ? duckdb::UnifiedVectorFormat::GetData<int64_t>(ids)[ids.sel->get_index(row)]
              : next_row_id++;
      part[row][1] = target.snapshot.value;
    }
    for (size_t i = 0; i < target.table.columns.size(); ++i) {
      BindInlinedColumn(dialect, target.table.columns[i], walk.chunk().data[i], count, part,
                        kOwnColumns + i);
    }
  }
  const auto types = InlinedColumnTypes(dialect, target.table);
  connection.InsertTypedRows(target.table_name, names, types, rows);
}

void InsertChunks(HostDuckDbConnection& connection, RowWalk& walk, const StagedRows::Target& target,
                  bool keeps_row_ids) {
  duckdb::vector<LogicalType> types(kOwnColumns, LogicalType::BIGINT);
  const auto& own = walk.chunk().GetTypes();
  types.insert(types.end(), own.begin(), own.end());
  DataChunk chunk;
  chunk.Initialize(duckdb::Allocator::DefaultAllocator(), types);
  int64_t next_row_id = target.first_row_id;
  connection.AppendChunks(target.table_name, [&]() -> DataChunk* {
    if (!walk.Next()) return nullptr;
    const auto count = walk.chunk().size();
    chunk.Reset();
    if (keeps_row_ids) {
      chunk.data[0].Reference(walk.row_ids());
    } else {
      chunk.data[0].Sequence(next_row_id, 1, count);
      next_row_id += static_cast<int64_t>(count);
    }
    chunk.data[1].Reference(duckdb::Value::BIGINT(target.snapshot.value));
    chunk.data[2].Reference(duckdb::Value(LogicalType::BIGINT));
    for (size_t i = 0; i < own.size(); ++i)
      chunk.data[kOwnColumns + i].Reference(walk.chunk().data[i]);
    chunk.SetCardinality(count);
    return &chunk;
  });
}

}  // namespace

std::shared_ptr<RowCollection> MakeRowCollection(duckdb::vector<LogicalType> types) {
  return std::make_shared<RowCollection>(duckdb::Allocator::DefaultAllocator(), std::move(types));
}

CollectedRows::CollectedRows(std::shared_ptr<const Table> shape,
                             std::shared_ptr<const RowCollection> rows, bool keeps_row_ids)
    : shape_(std::move(shape)), rows_(std::move(rows)), keeps_row_ids_(keeps_row_ids) {}

std::shared_ptr<const StagedRows> CollectedRows::Join(const StagedRows& next) const {
  const auto* other = dynamic_cast<const CollectedRows*>(&next);
  const bool fits = other != nullptr && other->shape_ == shape_ &&
                    other->keeps_row_ids_ == keeps_row_ids_ &&
                    rows_->Count() + other->rows_->Count() <= kMaxJoinedRows;
  if (!fits) return nullptr;
  auto joined = MakeRowCollection(rows_->Types());
  for (const auto* part : {rows_.get(), other->rows_.get()}) {
    for (auto& chunk : part->Chunks()) joined->Append(chunk);
  }
  return std::make_shared<CollectedRows>(shape_, std::move(joined), keeps_row_ids_);
}

std::vector<ColumnStats> CollectedRows::Describe(const Table& table,
                                                 std::span<const int64_t> without) const {
  std::vector<ColumnBounds> bounds;
  for (const Column& column : table.columns) bounds.emplace_back(column);
  RowWalk walk(*this, table, without);
  while (walk.Next()) {
    for (size_t i = 0; i < bounds.size(); ++i)
      bounds[i].Add(walk.chunk().data[i], walk.chunk().size());
  }
  std::vector<ColumnStats> stats;
  for (const ColumnBounds& column : bounds) column.AppendTo(stats);
  return stats;
}

void CollectedRows::Insert(StoreConnection& connection, const Target& target,
                           std::span<const int64_t> without) const {
  RowWalk walk(*this, target.table, without);
  if (auto* host = dynamic_cast<HostDuckDbConnection*>(&connection)) {
    InsertChunks(*host, walk, target, keeps_row_ids_);
  } else {
    InsertValues(connection, walk, target, keeps_row_ids_);
  }
}

namespace {

// What could never be flushed is refused where a file is written, as on every other catalog.
bool VariantsFitFiles(const RowCollection& rows) {
  std::vector<size_t> variants;
  for (size_t i = 0; i < rows.Types().size(); ++i) {
    if (rows.Types()[i].id() == LogicalTypeId::VARIANT) variants.push_back(i);
  }
  if (variants.empty()) return true;
  for (auto& chunk : rows.Chunks()) {
    for (const size_t i : variants) {
      if (!FitVariantFiles(chunk.data[i], chunk.size())) return false;
    }
  }
  return true;
}

}  // namespace

bool FitsIntoCatalog(const Dialect& dialect, const Table& table, const RowCollection& rows) {
  if (dialect.name() == "duckdb") return VariantsFitFiles(rows);
  if (rows.SizeInBytes() > kMaxBytes) return false;
  if (dialect.name() != "postgres") return true;
  for (auto& chunk : rows.Chunks()) {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (!FitsIntoColumn(dialect, table.columns[i], chunk.data[i], chunk.size())) return false;
    }
  }
  return true;
}

}  // namespace tarn::engine
