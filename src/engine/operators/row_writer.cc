// See row_writer.h. The writing itself is the copy function of write_stream.h, here without a copy
// operator around it.
#include "engine/operators/row_writer.h"

#include <utility>

#include "duckdb/planner/expression/bound_cast_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "engine/bridge/types.h"
#include "engine/operators/write_stream.h"
#include "engine/operators/write_types.h"

namespace tarn::engine {
namespace {

WriteOptions Options(duckdb::ClientContext& context, TarnCatalog& catalog, const Table& table,
                     bool embed_row_ids) {
  auto options = ReadWriteOptions(context, catalog, &table);
  options.embed_row_ids = embed_row_ids;
  return options;
}

}  // namespace

RowWriter::RowWriter(duckdb::ClientContext& context, TarnCatalog& catalog, const Table& table,
                     bool embed_row_ids)
    : job_(std::make_shared<WriteJob>(context, catalog,
                                      Options(context, catalog, table, embed_row_ids))),
      function_(MakeWriteFunction(*job_)),
      bind_data_(MakeWriteBindData(job_)) {
  for (const auto& column : table.columns) {
    types_.push_back(ToSqlType(column));
  }
  if (embed_row_ids) {
    types_.push_back(duckdb::LogicalType::BIGINT);
  }
  for (duckdb::idx_t i = 0; i < types_.size(); ++i) {
    casts_.push_back(duckdb::BoundCastExpression::AddDefaultCastToType(
        duckdb::make_uniq<duckdb::BoundReferenceExpression>(types_[i], i), WrittenType(types_[i])));
  }
}

void RowWriter::Begin(duckdb::ClientContext& context, const std::shared_ptr<const Table>& table) {
  job_->Start(context, table);
  state_ = function_.copy_to_initialize_global(context, *bind_data_, "");
}

std::unique_ptr<RowWriter::Local> RowWriter::MakeLocal(duckdb::ClientContext& context) const {
  auto local = std::make_unique<Local>();
  local->source.InitializeEmpty(types_);
  local->casts = std::make_unique<duckdb::ExpressionExecutor>(context, casts_);
  duckdb::vector<duckdb::LogicalType> types;
  for (const auto& cast : casts_) {
    types.push_back(cast->return_type);
  }
  local->written.Initialize(context, types);
  return local;
}

void RowWriter::Write(duckdb::ExecutionContext& context, Local& local, duckdb::DataChunk& rows,
                      duckdb::optional_ptr<duckdb::Vector> row_ids) {
  if (!local.state) {
    local.state = function_.copy_to_initialize_local(context, *bind_data_);
  }
  for (duckdb::idx_t i = 0; i < rows.ColumnCount(); ++i) {
    local.source.data[i].Reference(rows.data[i]);
  }
  if (row_ids) {
    local.source.data[rows.ColumnCount()].Reference(*row_ids);
  }
  local.source.SetCardinality(rows);
  local.written.Reset();
  local.casts->Execute(local.source, local.written);
  function_.copy_to_sink(context, *bind_data_, *state_, *local.state, local.written);
}

void RowWriter::Combine(duckdb::ExecutionContext& context, Local& local) {
  if (local.state) {
    function_.copy_to_combine(context, *bind_data_, *state_, *local.state);
    local.state.reset();
  }
}

void RowWriter::Finish(duckdb::ClientContext& context) {
  function_.copy_to_finalize(context, *bind_data_, *state_);
  state_.reset();
}

}  // namespace tarn::engine
