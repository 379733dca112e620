// See flushed_rows.h.
#include "engine/operators/flushed_rows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
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

// What has become of the files of a scan since it was planned.
struct MovedFiles {
  std::shared_ptr<const ScanPlan> come;
  std::shared_ptr<const ScanPlan> gone;  ///< into others: a merge has taken them
  bool are_all = true;  ///< the scan had planned all files, before it left out what cannot match
};

std::shared_ptr<const ScanPlan> PlanOf(std::vector<ScanFile> files, const ScanPlan& names) {
  auto plan = std::make_shared<ScanPlan>();
  plan->total_files = static_cast<int64_t>(files.size());
  plan->files = std::move(files);
  plan->name_maps = names.name_maps;
  return plan;
}

// Ids of files grow: what the transaction's base does not know came later. A file that came later
// and yet belongs to the snapshot that is read holds rows that were elsewhere before.
MovedFiles FindMovedFiles(duckdb::ClientContext& context, const ScanFileInfo& info) {
  const auto& entry = info.source->entry();
  auto& kernel = TarnTransaction::Get(context, entry.lake_catalog()).kernel();
  TableScan question;
  question.table = info.source->table();
  question.at = entry.at();
  auto now = kernel.PlanScan(question);
  std::map<DataFileId, const ScanFile*> known;
  const auto plans = info.source->plans();
  for (const auto& plan : plans) {
    for (const auto& file : plan->files) known.emplace(file.file.id, &file);
  }
  for (const auto& file : info.plan->files) known.emplace(file.file.id, &file);
  MovedFiles moved;
  moved.are_all = static_cast<int64_t>(known.size()) >= info.plan->total_files;
  std::vector<ScanFile> come;
  for (auto& file : now.files) {
    if (!file.file.id.valid()) continue;
    if (known.erase(file.file.id) == 0 && file.file.id.value >= kernel.base().next_file_id)
      come.push_back(std::move(file));
  }
  std::vector<ScanFile> gone;
  for (const auto& [id, file] : known) {
    if (id.valid()) gone.push_back(*file);
  }
  moved.come = PlanOf(std::move(come), now);
  moved.gone = PlanOf(std::move(gone), *info.plan);
  return moved;
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

void Visit(duckdb::ClientContext& context, TarnTableEntry& entry,
           const std::shared_ptr<const ScanPlan>& plan,
           const duckdb::vector<duckdb::column_t>& columns,
           const duckdb::vector<duckdb::LogicalType>& types,
           const std::function<void(duckdb::DataChunk&)>& visit) {
  duckdb::unique_ptr<duckdb::FunctionData> bind_data;
  const auto source = std::make_shared<ScanSource>(context, entry, plan);
  const auto function = MakeScanFunction(context, source, bind_data);
  VisitScan(context, function, *bind_data, columns, types, nullptr, [&](duckdb::DataChunk& chunk) {
    visit(chunk);
    return true;
  });
}

}  // namespace

FlushedRowSource::FlushedRowSource(duckdb::ClientContext& context, const ScanFileInfo& info,
                                   const std::vector<size_t>& wanted, int64_t missing) {
  if (info.source->feed())
    throw RowsMoved(
        info.source->table_name());  // a feed tells how rows came, which has its own plan
  Collect(context, info, wanted, missing);
  rows_->InitializeScan(state_);
  rows_->InitializeScanChunk(from_);
}

void FlushedRowSource::Collect(duckdb::ClientContext& context, const ScanFileInfo& info,
                               const std::vector<size_t>& wanted, int64_t missing) {
  auto& entry = info.source->entry();
  duckdb::vector<duckdb::column_t> columns;
  duckdb::vector<duckdb::LogicalType> types;
  // First what tells one row from others. A reader cannot read a column twice.
  columns.push_back(duckdb::COLUMN_IDENTIFIER_ROW_ID);
  for (const auto wanted_column : wanted) {
    const auto column = FindColumn(info, wanted_column);
    const auto found = std::find(columns.begin(), columns.end(), column);
    positions_.push_back(static_cast<size_t>(found - columns.begin()));
    if (found == columns.end()) columns.push_back(column);
  }
  for (const auto column : columns) types.push_back(TypeOf(entry, column));
  rows_ = duckdb::make_uniq<duckdb::ColumnDataCollection>(context, types);

  const auto moved = FindMovedFiles(context, info);
  // Rows that the transaction removed, and those that the scan reads where they were.
  auto others = info.inlined->removed_row_ids;
  if (!moved.gone->files.empty()) {
    Visit(context, entry, moved.gone, {duckdb::COLUMN_IDENTIFIER_ROW_ID},
          {duckdb::LogicalType::BIGINT}, [&](duckdb::DataChunk& chunk) {
            chunk.Flatten();
            const auto* ids = duckdb::FlatVector::GetData<int64_t>(chunk.data[0]);
            others.insert(others.end(), ids, ids + chunk.size());
          });
    std::sort(others.begin(), others.end());
  }
  Visit(context, entry, moved.come, columns, types, [&](duckdb::DataChunk& chunk) {
    duckdb::UnifiedVectorFormat ids;
    chunk.data.front().ToUnifiedFormat(chunk.size(), ids);
    duckdb::SelectionVector wanted_rows(chunk.size());
    duckdb::idx_t count = 0;
    for (duckdb::idx_t row = 0; row < chunk.size(); ++row) {
      const auto id = duckdb::UnifiedVectorFormat::GetData<int64_t>(ids)[ids.sel->get_index(row)];
      if (!std::binary_search(others.begin(), others.end(), id))
        wanted_rows.set_index(count++, row);
    }
    if (count < chunk.size()) chunk.Slice(wanted_rows, count);
    rows_->Append(chunk);
  });
  // Of files that the scan left out no row can match its filters, which come after this. (They are
  // not known from rows that the transaction removed itself.)
  const auto found = static_cast<int64_t>(rows_->Count());
  const bool may_be_more =
      !moved.are_all && !TarnTransaction::Get(context, entry.lake_catalog()).kernel().has_changes();
  if (found < missing || (found > missing && !may_be_more))
    throw RowsMoved(info.source->table_name());
}

void FlushedRowSource::Read(duckdb::DataChunk& chunk) {
  rows_->Scan(state_, from_);
  for (duckdb::idx_t i = 0; i < chunk.ColumnCount(); ++i) {
    auto& from = from_.data[positions_[i]];
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
