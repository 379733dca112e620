// See change_run.h.
#include "engine/operators/change_run.h"

#include <utility>

#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"

namespace tarn::engine {

void ChangeRun::WillInsert(duckdb::ClientContext& context) {
  if (!inserted_) {
    inserted_ = std::make_unique<RowWriter>(context, entry_.lake_catalog(), entry_.table(), false);
  }
}

void ChangeRun::WillUpdate(duckdb::ClientContext& context) {
  // Rows that have no id of their own yet are written like new ones.
  WillInsert(context);
  if (!updated_) {
    updated_ = std::make_unique<RowWriter>(context, entry_.lake_catalog(), entry_.table(), true);
  }
}

void ChangeRun::Start(duckdb::ClientContext& context) {
  removed_ = RowSet();
  removed_count_ = 0;
  inserted_count_ = 0;
  for (auto* writer : {inserted_.get(), updated_.get()}) {
    if (writer != nullptr) {
      writer->Begin(context, entry_.shared_table());
    }
  }
}

duckdb::idx_t ChangeRun::Claim(const RowPlaces& places, duckdb::idx_t count,
                               duckdb::SelectionVector& fresh) {
  std::lock_guard<std::mutex> guard(mutex_);
  return removed_.Claim(places, count, fresh);
}

void ChangeRun::Remove(RowSet&& rows) {
  std::lock_guard<std::mutex> guard(mutex_);
  removed_.Add(std::move(rows));
}

void ChangeRun::Finish(duckdb::ClientContext& context, const duckdb::PhysicalOperator& plan) {
  const auto removal = removed_.Resolve(context, entry_, plan);
  removed_ = RowSet();
  if (!removal.files.empty() || !removal.inlined.empty() || !removal.staged.empty()) {
    auto& kernel = TarnTransaction::Get(context, entry_.lake_catalog()).kernel();
    removed_count_ = kernel.DeleteRows(entry_.table().ref, removal);
  }
  for (auto* writer : {updated_.get(), inserted_.get()}) {
    if (writer != nullptr) {
      writer->Finish(context);
    }
  }
}

}  // namespace tarn::engine
