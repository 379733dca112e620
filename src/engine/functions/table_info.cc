// ducklake_table_info(lake): how many files each table has, and how large they are.
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

/// NULL for what this transaction created: its id is decided by the commit.
template <class IdType>
Value IdOrNull(Ref<IdType> ref) {
  return ref.is_new() ? Value() : Value::BIGINT(ref.id().value);
}

BoundLakeFunction Bind(const LakeCall&) {
  BoundLakeFunction bound;
  bound.names = {"table_name", "schema_id",       "table_id",          "table_uuid",
                 "file_count", "file_size_bytes", "delete_file_count", "delete_file_size_bytes"};
  bound.types = {LogicalType::VARCHAR, LogicalType::BIGINT, LogicalType::BIGINT,
                 LogicalType::UUID,    LogicalType::BIGINT, LogicalType::BIGINT,
                 LogicalType::BIGINT,  LogicalType::BIGINT};
  bound.run = [](duckdb::ClientContext&, TarnTransaction& transaction, ResultRows& rows) {
    for (const auto& info : transaction.kernel().ListTableInfo()) {
      rows.Add({Value(info.table->name), IdOrNull(info.table->schema), IdOrNull(info.table->ref),
                Value::UUID(info.table->uuid), Value::BIGINT(info.file_count),
                Value::BIGINT(info.file_size_bytes), Value::BIGINT(info.delete_file_count),
                Value::BIGINT(info.delete_file_size_bytes)});
    }
  };
  return bound;
}

}  // namespace

LakeFunction TableInfoFunction() { return {.name = "table_info", .bind = Bind}; }

}  // namespace tarn::engine
