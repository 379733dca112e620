// ducklake_last_committed_snapshot(lake): the newest snapshot that this attachment committed.
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"

namespace tarn::engine {
namespace {

BoundLakeFunction Bind(const LakeCall&) {
  BoundLakeFunction bound;
  bound.names = {"id"};
  bound.types = {duckdb::LogicalType::UBIGINT};
  bound.run = [](duckdb::ClientContext&, TarnTransaction& transaction, ResultRows& rows) {
    const auto last = transaction.catalog().lake().last_committed();
    rows.Add({last ? duckdb::Value::UBIGINT(static_cast<uint64_t>(last->value)) : duckdb::Value()});
  };
  return bound;
}

}  // namespace

LakeFunction LastCommittedSnapshotFunction() {
  return {.name = "last_committed_snapshot", .bind = Bind};
}

}  // namespace tarn::engine
