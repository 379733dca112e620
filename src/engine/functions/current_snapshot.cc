// ducklake_current_snapshot(lake): the snapshot that this transaction reads.
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"

namespace tarn::engine {
namespace {

BoundLakeFunction Bind(const LakeCall&) {
  BoundLakeFunction bound;
  bound.names = {"id"};
  bound.types = {duckdb::LogicalType::UBIGINT};
  bound.run = [](duckdb::ClientContext&, TarnTransaction& transaction, ResultRows& rows) {
    rows.Add({duckdb::Value::UBIGINT(static_cast<uint64_t>(transaction.kernel().base().id.value))});
  };
  return bound;
}

}  // namespace

LakeFunction CurrentSnapshotFunction() { return {.name = "current_snapshot", .bind = Bind}; }

}  // namespace tarn::engine
