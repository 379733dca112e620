// See compacted_rows.h.
#include "engine/operators/compacted_rows.h"

#include <string>
#include <utility>

#include "duckdb/execution/execution_context.hpp"
#include "duckdb/parallel/thread_context.hpp"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/scan.h"
#include "engine/operators/scan_reader.h"

namespace tarn::engine {
namespace {

duckdb::unique_ptr<duckdb::MultiFileReader> MakeReader(const duckdb::TableFunction& function) {
  return duckdb::make_uniq<ScanReader>(function.function_info->Cast<ScanFunctionInfo>().source);
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
  duckdb::TableFunctionInitInput init(bind_data_.get(), column_ids_, {}, nullptr);
  const auto global_state = function_.init_global(context_, init);
  duckdb::ThreadContext thread(context_);
  duckdb::ExecutionContext execution(context_, thread, nullptr);
  const auto local_state = function_.init_local(execution, init, global_state.get());
  duckdb::DataChunk chunk;
  chunk.Initialize(context_, types_);
  while (true) {
    chunk.Reset();
    duckdb::TableFunctionInput input(bind_data_.get(), local_state.get(), global_state.get());
    function_.function(context_, input, chunk);
    if (chunk.size() == 0) {
      return;
    }
    visit(chunk);
  }
}

}  // namespace tarn::engine
