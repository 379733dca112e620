// Each column by itself, so that one that cannot be read hides no other. See inspect_inlined.h.
#include "engine/inspect_inlined.h"

#include <memory>
#include <string>

#include "base/text.h"
#include "catalog/catalog_view.h"
#include "catalog/flush.h"
#include "catalog/lake_impl.h"
#include "engine/bridge/types.h"
#include "engine/operators/inlined_rows.h"
#include "tarn/error.h"
#include "tarn/transaction.h"

namespace tarn::engine {
namespace {

void ReadColumn(duckdb::ClientContext& context, Lake& lake, const InlinedScan& scan,
                size_t column) {
  InlinedRowSource rows(lake, scan, {column});
  duckdb::DataChunk chunk;
  chunk.Initialize(duckdb::BufferAllocator::Get(context),
                   {ToLogicalType(*scan.columns[column].column)});
  do {
    chunk.Reset();
    rows.Read(chunk);
  } while (chunk.size() > 0);
}

}  // namespace

std::vector<CheckFinding> InspectInlinedRows(duckdb::ClientContext& context, Lake& lake) {
  std::vector<CheckFinding> findings;
  const auto transaction = lake.Begin();
  const auto view = transaction->view();
  for (const auto& [schema, entries] : view->schemas()) {
    for (const auto& [name, table] : entries->tables) {
      std::map<TableRef, FlushPlan> plans;
      try {
        const auto connection = static_cast<LakeImpl&>(lake).pool().Acquire();
        plans = PlanTableFlushes(*connection, {table}, transaction->base().id);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kCorrupt) throw;
        continue;  // the check of the catalog itself has named it
      }
      for (const auto& [ref, plan] : plans) {
        for (const auto& scan : plan.inlined) {
          for (size_t column = 0; column < scan.columns.size(); ++column) {
            try {
              ReadColumn(context, lake, scan, column);
            } catch (const Error& error) {
              if (error.code() != ErrorCode::kCorrupt) throw;
              findings.push_back({true, "Inlined rows of table " +
                                            QuoteIdentifier(entries->schema->name) + "." +
                                            QuoteIdentifier(table->name) + ": " + error.message()});
            }
          }
        }
      }
    }
  }
  return findings;
}

}  // namespace tarn::engine
