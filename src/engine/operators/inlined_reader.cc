// See inlined_reader.h.
#include "engine/operators/inlined_reader.h"

#include <utility>

#include "duckdb/common/multi_file/multi_file_reader.hpp"
#include "duckdb/execution/expression_executor.hpp"
#include "duckdb/planner/table_filter_state.hpp"
#include "duckdb/storage/table/column_segment.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/flushed_rows.h"
#include "engine/operators/inlined_rows.h"
#include "engine/operators/scan_columns.h"
#include "engine/operators/scan_file_list.h"
#include "engine/operators/staged_row_source.h"

namespace tarn::engine {

InlinedReader::InlinedReader(const duckdb::OpenFileInfo& file) : BaseFileReader(file) {
  // In this order Wanted() below finds them again; virtual columns come after them.
  const auto& info = InfoOf(file);
  if (info.inlined != nullptr) {
    for (const auto& column : info.inlined->columns) {
      columns.push_back(ToFileDefinition(*column.column));
    }
  } else {
    for (const auto& column : info.staged->rows->shape()->columns) {
      columns.push_back(ToFileDefinition(column));
    }
  }
  table_columns_ = columns.size();
  columns.push_back(EmbeddedColumn("row_id", kRowIdField));
  columns.push_back(EmbeddedColumn("begin_snapshot", kSnapshotIdField));
}

InlinedReader::~InlinedReader() = default;

bool InlinedReader::TryInitializeScan(duckdb::ClientContext&, duckdb::GlobalTableFunctionState&,
                                      duckdb::LocalTableFunctionState&) {
  return !std::exchange(started_, true);
}

void InlinedReader::AddVirtualColumn(duckdb::column_t column_id) {
  // A row of an inlined table has no place in a file; what serves where one is asked for is its row
  // id, or its number in its batch.
  if (column_id != duckdb::MultiFileReader::COLUMN_IDENTIFIER_FILE_ROW_NUMBER) {
    BaseFileReader::AddVirtualColumn(column_id);
  }
}

void InlinedReader::PrepareScan(duckdb::ClientContext& context, duckdb::GlobalTableFunctionState&,
                                duckdb::LocalTableFunctionState&) {
  const auto& info = InfoOf(file);
  std::vector<size_t> wanted;
  duckdb::vector<duckdb::LogicalType> types;
  for (duckdb::idx_t i = 0; i < column_ids.size(); ++i) {
    const auto local_id = column_ids[duckdb::MultiFileLocalIndex(i)].GetId();
    types.push_back(columns[local_id].type);
    if (local_id < table_columns_) {
      wanted.push_back(local_id);
    } else if (local_id == table_columns_) {
      wanted.push_back(RowSource::kRowId);
    } else {
      wanted.push_back(local_id == table_columns_ + 1 ? RowSource::kSnapshot : RowSource::kPlace);
    }
  }
  raw_.Destroy();
  if (types.empty()) {
    raw_.SetCapacity(STANDARD_VECTOR_SIZE);  // COUNT(*) reads no column, but rows all the same
  } else {
    raw_.Initialize(duckdb::BufferAllocator::Get(context), types);
  }
  if (info.staged != nullptr) {
    rows_ = std::make_unique<StagedRowSource>(*info.staged, std::move(wanted));
    return;
  }
  auto& lake = info.source->entry().lake_catalog().lake();
  wanted_ = std::move(wanted);
  Guard([&] {
    auto rows = std::make_unique<InlinedRowSource>(lake, *info.inlined, wanted_);
    inlined_ = rows.get();
    rows_ = std::move(rows);
  });
}

duckdb::AsyncResult InlinedReader::Scan(duckdb::ClientContext& context,
                                        duckdb::GlobalTableFunctionState&,
                                        duckdb::LocalTableFunctionState&,
                                        duckdb::DataChunk& chunk) {
  chunk.Reset();
  raw_.Reset();
  Guard([&] {
    rows_->Read(raw_);
    if (raw_.size() == 0) ReadFlushed(context);
  });
  if (raw_.size() == 0) {
    rows_.reset();
    return duckdb::SourceResultType::FINISHED;
  }
  rows_read_ += static_cast<int64_t>(raw_.size());
  chunk.SetCardinality(raw_.size());
  for (duckdb::idx_t i = 0; i < raw_.ColumnCount(); ++i) {
    EvaluateColumn(context, i, chunk);
  }
  ApplyFilters(context, chunk);
  return duckdb::SourceResultType::HAVE_MORE_OUTPUT;
}

void InlinedReader::ReadFlushed(duckdb::ClientContext& context) {
  const auto missing = inlined_ == nullptr ? 0 : std::exchange(inlined_, nullptr)->missing();
  if (missing == 0) return;
  rows_.reset();  // its connection, too
  rows_ = std::make_unique<FlushedRowSource>(context, InfoOf(file), wanted_, missing);
  raw_.Reset();
  rows_->Read(raw_);
}

// Where a filter needs the column in the table's type, the mapper has put the cast here, before the
// filters.
void InlinedReader::EvaluateColumn(duckdb::ClientContext& context, duckdb::idx_t position,
                                   duckdb::DataChunk& chunk) {
  const auto local_id = column_ids[duckdb::MultiFileLocalIndex(position)].GetId();
  const auto expression = expression_map.find(local_id);
  if (expression == expression_map.end()) {
    chunk.data[position].Reference(raw_.data[position]);
    return;
  }
  duckdb::DataChunk input;
  input.InitializeEmpty({raw_.data[position].GetType()});
  input.data[0].Reference(raw_.data[position]);
  input.SetCardinality(raw_.size());
  duckdb::ExpressionExecutor executor(context, *expression->second);
  executor.ExecuteExpression(input, chunk.data[position]);
}

void InlinedReader::ApplyFilters(duckdb::ClientContext& context, duckdb::DataChunk& chunk) {
  if (!filters) {
    return;
  }
  const auto count = chunk.size();
  auto approved = count;
  duckdb::SelectionVector selection;
  for (const auto& [position, filter] : filters->filters) {
    if (approved == 0) {
      break;
    }
    auto& vector = chunk.data[position];
    duckdb::UnifiedVectorFormat format;
    vector.ToUnifiedFormat(count, format);
    const auto state = duckdb::TableFilterState::Initialize(context, *filter);
    duckdb::ColumnSegment::FilterSelection(selection, vector, format, *filter, *state, count,
                                           approved);
  }
  if (approved != count) {
    chunk.Slice(selection, approved);
  }
}

double InlinedReader::GetProgressInFile(duckdb::ClientContext&) {
  const auto& info = InfoOf(file);
  const auto total = info.inlined != nullptr ? info.inlined->row_count : info.staged->row_count;
  return total == 0 ? 100.0 : 100.0 * static_cast<double>(rows_read_) / static_cast<double>(total);
}

}  // namespace tarn::engine
