// See compacted_rows.h.
#include "engine/operators/compacted_rows.h"

#include <string>
#include <utility>

#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/scan.h"
#include "engine/operators/scan_reader.h"
#include "engine/operators/visit_scan.h"

namespace tarn::engine {
namespace {

duckdb::unique_ptr<duckdb::MultiFileReader> MakeReader(const duckdb::TableFunction& function) {
  return duckdb::make_uniq<ScanReader>(function.function_info->Cast<ScanFunctionInfo>().source,
                                       ScanTypes::kStored);
}

}  // namespace

CompactedRows::CompactedRows(duckdb::ClientContext& context, TarnTableEntry& entry,
                             const CompactionUnit& unit, bool row_ids, bool snapshots)
    : context_(context),
      function_(MakeLakeScan(
          context,
          duckdb::make_shared_ptr<ScanFunctionInfo>(std::make_shared<ScanSource>(
              context, entry, unit.shape, std::make_shared<const ScanPlan>(unit.plan))),
          MakeReader)) {
  duckdb::vector<std::string> names;
  bind_data_ = BindLakeScan(context, function_, types_, names);
  for (duckdb::idx_t i = 0; i < types_.size(); ++i) {
    column_ids_.push_back(i);
  }
  if (row_ids) {
    column_ids_.push_back(duckdb::COLUMN_IDENTIFIER_ROW_ID);
    types_.emplace_back(duckdb::LogicalType::BIGINT);
  }
  if (snapshots) {
    column_ids_.push_back(kSnapshotIdColumn);
    types_.emplace_back(duckdb::LogicalType::BIGINT);
  }
}

void CompactedRows::Visit(const std::function<void(duckdb::DataChunk&)>& visit) {
  VisitScan(context_, function_, *bind_data_, column_ids_, types_, nullptr,
            [&](duckdb::DataChunk& chunk) {
              visit(chunk);
              return true;
            });
}

}  // namespace tarn::engine
