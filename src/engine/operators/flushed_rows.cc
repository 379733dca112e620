// See flushed_rows.h.
#include "engine/operators/flushed_rows.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "duckdb/common/types/column/column_data_collection.hpp"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/scan.h"
#include "engine/operators/visit_scan.h"

namespace tarn::engine {
namespace {

// Ids of files grow: what the transaction's base does not know came later. A file that came later
// and yet belongs to the snapshot that is read holds rows that were elsewhere before.
std::shared_ptr<const ScanPlan> PlanNewFiles(duckdb::ClientContext& context,
                                             const ScanFileInfo& info) {
  const auto& entry = info.source->entry();
  auto& kernel = TarnTransaction::Get(context, entry.lake_catalog()).kernel();
  TableScan question;
  question.table = info.source->table();
  question.at = entry.at();
  auto plan = kernel.PlanScan(question);
  std::set<DataFileId> known;
  for (const auto& file : info.plan->files) known.insert(file.file.id);
  std::erase_if(plan.files, [&](const ScanFile& file) {
    return !file.file.id.valid() || file.file.id.value < kernel.base().next_file_id ||
           known.contains(file.file.id);
  });
  plan.total_files = static_cast<int64_t>(plan.files.size());
  plan.inlined.clear();
  plan.staged_rows.clear();
  plan.row_count.reset();
  return std::make_shared<const ScanPlan>(std::move(plan));
}

duckdb::column_t FindColumn(const ScanFileInfo& info, size_t wanted) {
  if (wanted == RowSource::kSnapshot) return kSnapshotIdColumn;
  if (wanted >= RowSource::kPlace) return duckdb::COLUMN_IDENTIFIER_ROW_ID;
  const auto field = info.inlined->columns[wanted].field;
  const auto& columns = info.source->table()->columns;
  const auto at = std::find_if(columns.begin(), columns.end(),
                               [&](const Column& column) { return column.id == field; });
  if (at == columns.end()) throw RowsMoved(info.source->table_name());
  return static_cast<duckdb::column_t>(at - columns.begin());
}

duckdb::LogicalType TypeOf(const TarnTableEntry& entry, duckdb::column_t column) {
  return duckdb::IsVirtualColumn(column)
             ? duckdb::LogicalType::BIGINT
             : entry.GetColumns().GetColumn(duckdb::LogicalIndex(column)).Type();
}

}  // namespace

FlushedRowSource::FlushedRowSource(duckdb::ClientContext& context, const ScanFileInfo& info,
                                   const std::vector<size_t>& wanted, int64_t missing) {
  if (info.source->feed())
    throw RowsMoved(
        info.source->table_name());  // a feed tells how rows came, which has its own plan
  Collect(context, info, wanted);
  if (static_cast<int64_t>(rows_->Count()) != missing) throw RowsMoved(info.source->table_name());
  rows_->InitializeScan(state_);
  rows_->InitializeScanChunk(from_);
}

void FlushedRowSource::Collect(duckdb::ClientContext& context, const ScanFileInfo& info,
                               const std::vector<size_t>& wanted) {
  auto& entry = info.source->entry();
  duckdb::vector<duckdb::column_t> columns;
  duckdb::vector<duckdb::LogicalType> types;
  for (const auto column : wanted) columns.push_back(FindColumn(info, column));
  columns.push_back(duckdb::COLUMN_IDENTIFIER_ROW_ID);  // tells which rows the transaction removed
  for (const auto column : columns) types.push_back(TypeOf(entry, column));
  rows_ = duckdb::make_uniq<duckdb::ColumnDataCollection>(context, types);

  duckdb::unique_ptr<duckdb::FunctionData> bind_data;
  const auto source = std::make_shared<ScanSource>(context, entry, PlanNewFiles(context, info));
  const auto function = MakeScanFunction(context, source, bind_data);
  const auto& removed = info.inlined->removed_row_ids;
  VisitScan(context, function, *bind_data, columns, types, nullptr, [&](duckdb::DataChunk& chunk) {
    duckdb::UnifiedVectorFormat ids;
    chunk.data.back().ToUnifiedFormat(chunk.size(), ids);
    duckdb::SelectionVector alive(chunk.size());
    duckdb::idx_t count = 0;
    for (duckdb::idx_t row = 0; row < chunk.size(); ++row) {
      const auto id = duckdb::UnifiedVectorFormat::GetData<int64_t>(ids)[ids.sel->get_index(row)];
      if (!std::binary_search(removed.begin(), removed.end(), id)) alive.set_index(count++, row);
    }
    if (count < chunk.size()) chunk.Slice(alive, count);
    rows_->Append(chunk);
    return true;
  });
}

void FlushedRowSource::Read(duckdb::DataChunk& chunk) {
  rows_->Scan(state_, from_);
  for (duckdb::idx_t i = 0; i < chunk.ColumnCount(); ++i) {
    auto& from = from_.data[i];
    auto& to = chunk.data[i];
    if (from.GetType() == to.GetType()) {
      to.Reference(from);
    } else {  // the column has been promoted since; its old values fit the old type
      duckdb::VectorOperations::DefaultCast(from, to, from_.size());
    }
  }
  chunk.SetCardinality(from_.size());
}

}  // namespace tarn::engine
