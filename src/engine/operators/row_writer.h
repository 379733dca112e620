// Writes rows of the table's shape into new data files as a statement goes along: what UPDATE,
// MERGE and INSERT … RETURNING do with new rows.
#pragma once

#include <memory>

#include "duckdb.hpp"
#include "duckdb/execution/expression_executor.hpp"
#include "duckdb/function/copy_function.hpp"
#include "engine/operators/write_job.h"

namespace tarn::engine {

/// Thread safe, each thread with a Local of its own. Begin() starts one run.
class RowWriter {
 public:
  /// What one thread has not handed over yet.
  struct Local {
    duckdb::DataChunk source;   ///< the rows, and their ids
    duckdb::DataChunk written;  ///< the same as files hold them
    std::unique_ptr<duckdb::ExpressionExecutor> casts;
    duckdb::unique_ptr<duckdb::LocalFunctionData> state;  ///< once there are rows
  };

  RowWriter(duckdb::ClientContext& context, TarnCatalog& catalog, const Table& table,
            bool embed_row_ids);

  void Begin(duckdb::ClientContext& context, const std::shared_ptr<const Table>& table);
  std::unique_ptr<Local> MakeLocal(duckdb::ClientContext& context) const;
  /// `rows` in the types of the table; `row_ids` as well if they are embedded.
  void Write(duckdb::ExecutionContext& context, Local& local, duckdb::DataChunk& rows,
             duckdb::optional_ptr<duckdb::Vector> row_ids);
  void Combine(duckdb::ExecutionContext& context, Local& local);
  /// Closes all files and stages them.
  void Finish(duckdb::ClientContext& context);

 private:
  const std::shared_ptr<WriteJob> job_;
  duckdb::CopyFunction function_;
  duckdb::unique_ptr<duckdb::FunctionData> bind_data_;
  duckdb::vector<duckdb::LogicalType> types_;                     ///< of the rows that come
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> casts_;  ///< to what files hold
  duckdb::unique_ptr<duckdb::GlobalFunctionData> state_;
};

}  // namespace tarn::engine
