// ducklake_list_files(lake, table): the files of a table at a snapshot, each with its delete file.
#include "duckdb/planner/tableref/bound_at_clause.hpp"
#include "engine/bridge/values.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;

Value Unsigned(int64_t number) { return Value::UBIGINT(static_cast<uint64_t>(number)); }

/// Path, size, footer size and key of a data or delete file.
template <class File>
void AppendFile(std::vector<Value>& row, const std::string& path, const File& file) {
  row.emplace_back(path);
  row.push_back(Unsigned(file.file_size_bytes));
  row.push_back(file.footer_size ? Unsigned(*file.footer_size) : Value());
  row.push_back(file.encryption_key ? Value::BLOB_RAW(FileKey(file.encryption_key, path))
                                    : Value());
}

/// Null without a snapshot argument.
duckdb::unique_ptr<duckdb::BoundAtClause> AtClause(const LakeCall& call) {
  const auto* version = call.Named("snapshot_version");
  const auto* time = call.Named("snapshot_time");
  if (version && time) {
    throw Error(ErrorCode::kInvalid,
                "Either snapshot_version OR snapshot_time must be specified - not both");
  }
  if (version) return duckdb::make_uniq<duckdb::BoundAtClause>("version", *version);
  if (time) return duckdb::make_uniq<duckdb::BoundAtClause>("timestamp", *time);
  return nullptr;
}

BoundLakeFunction Bind(const LakeCall& call) {
  const auto* schema = call.Named("schema");
  const auto at = AtClause(call);
  const auto& entry =
      call.FindTable(schema ? schema->ToString() : "main", call.Text(0, "table name"), at.get());
  TableScan scan;
  scan.table = entry.shared_table();
  scan.at = entry.at();

  BoundLakeFunction bound;
  for (const std::string kind : {"data_file", "delete_file"}) {
    for (const char* what : {"", "_size_bytes", "_footer_size", "_encryption_key"})
      bound.names.push_back(kind + what);
    for (const auto& type :
         {LogicalType::VARCHAR, LogicalType::UBIGINT, LogicalType::UBIGINT, LogicalType::BLOB}) {
      bound.types.push_back(type);
    }
  }
  bound.run = [scan](duckdb::ClientContext&, TarnTransaction& transaction, ResultRows& rows) {
    for (const auto& file : transaction.kernel().PlanScan(scan).files) {
      std::vector<Value> data;
      AppendFile(data, file.path, file.file);
      if (file.deletes.empty()) {
        data.resize(8);
        rows.Add(data);
      }
      for (const auto& deletion : file.deletes) {
        auto row = data;
        AppendFile(row, deletion.path, deletion.file);
        rows.Add(row);
      }
    }
  };
  return bound;
}

}  // namespace

LakeFunction ListFilesFunction() {
  return {.name = "list_files",
          .arguments = {LogicalType::VARCHAR},
          .named = {{"schema", LogicalType::VARCHAR},
                    {"snapshot_version", LogicalType::BIGINT},
                    {"snapshot_time", LogicalType::TIMESTAMP_TZ}},
          .bind = Bind};
}

}  // namespace tarn::engine
