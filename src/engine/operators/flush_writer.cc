// See flush_writer.h.
#include "engine/operators/flush_writer.h"

#include <memory>
#include <utility>

#include "catalog/scan_planner.h"
#include "duckdb/execution/execution_context.hpp"
#include "duckdb/execution/expression_executor.hpp"
#include "duckdb/parallel/thread_context.hpp"
#include "duckdb/planner/expression/bound_cast_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "engine/bridge/types.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/inlined_rows.h"
#include "engine/operators/reshape.h"
#include "engine/operators/row_arranger.h"
#include "engine/operators/variant_values.h"
#include "engine/operators/write_job.h"
#include "engine/operators/write_stream.h"
#include "engine/operators/write_types.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;

WriteOptions Options(duckdb::ClientContext& context, TarnCatalog& catalog, const Table& table) {
  auto options = ReadWriteOptions(context, catalog, &table);
  options.embed_row_ids = true;
  options.embed_snapshots = true;
  options.sorts = true;
  return options;
}

// One inlined table; its columns are those of its own shape.
class InlinedTableWriter {
 public:
  InlinedTableWriter(duckdb::ClientContext& context, TarnCatalog& catalog,
                     const std::shared_ptr<const Table>& table, const InlinedScan& inlined)
      : context_(context),
        catalog_(catalog),
        inlined_(inlined),
        layout_(table),
        job_(context, catalog, Options(context, catalog, *table)),
        stream_(job_) {
    for (const auto& column : inlined.shape->columns) {
      types_.push_back(ToLogicalType(column));
    }
    types_.emplace_back(LogicalType::BIGINT);
    types_.emplace_back(LogicalType::BIGINT);
    for (duckdb::idx_t i = 0; i < types_.size(); ++i) {
      casts_.push_back(duckdb::BoundCastExpression::AddDefaultCastToType(
          duckdb::make_uniq<duckdb::BoundReferenceExpression>(types_[i], i),
          WrittenType(types_[i])));
    }
  }

  /// True after Write() when another flush has moved rows of it meanwhile.
  bool is_moved() const { return is_moved_; }

  FlushedTable Write() {
    job_.Start(context_, inlined_.shape, layout_);
    duckdb::ThreadContext thread(context_);
    duckdb::ExecutionContext execution(context_, thread, nullptr);
    FlushedTable flushed;
    flushed.table_name = inlined_.table_name;
    flushed.row_count = job_.arranges() ? WriteArranged(execution) : WriteInOrder(execution);
    flushed.files = job_.TakeFiles();
    return flushed;
  }

 private:
  int64_t WriteInOrder(duckdb::ExecutionContext& execution) {
    auto local = job_.writer().copy_to_initialize_local(execution, job_.bind_data());
    int64_t count = 0;
    Visit([&](duckdb::DataChunk&, duckdb::DataChunk& written) {
      count += static_cast<int64_t>(written.size());
      const auto file = stream_.Acquire(context_, true);
      job_.writer().copy_to_sink(execution, *file->bind_data, *file->state, *local, written);
      stream_.Release(context_, file);
    });
    if (count == 0) return 0;
    const auto file = stream_.Acquire(context_, false);
    job_.writer().copy_to_combine(execution, *file->bind_data, *file->state, *local);
    stream_.Release(context_, file);
    stream_.Finish(context_);
    return count;
  }

  // Partitions and sort order are those of today, and so are the columns that they are of.
  int64_t WriteArranged(duckdb::ExecutionContext& execution) {
    RowArranger arranger(context_, job_);
    const auto local = arranger.MakeLocal(execution);
    const RowReshaper reshaper(*inlined_.shape, *layout_);
    duckdb::DataChunk own;
    own.Initialize(duckdb::BufferAllocator::Get(context_), reshaper.types());
    int64_t count = 0;
    Visit([&](duckdb::DataChunk& source, duckdb::DataChunk& written) {
      count += static_cast<int64_t>(written.size());
      own.Reset();
      reshaper.Apply(source, own);
      arranger.Sink(execution, *local, written, own);
    });
    arranger.Combine(execution, *local);
    arranger.Finish(context_);
    return count;
  }

  template <class Write>
  void Visit(Write write) {
    std::vector<size_t> wanted;
    for (size_t i = 0; i < inlined_.columns.size(); ++i) {
      wanted.push_back(i);
    }
    wanted.push_back(InlinedRowSource::kRowId);
    wanted.push_back(InlinedRowSource::kSnapshot);
    InlinedRowSource rows(catalog_.lake(), inlined_, std::move(wanted));
    duckdb::DataChunk source;
    duckdb::DataChunk written;
    duckdb::vector<LogicalType> written_types;
    for (const auto& cast : casts_) {
      written_types.push_back(cast->return_type);
    }
    source.Initialize(duckdb::BufferAllocator::Get(context_), types_);
    written.Initialize(duckdb::BufferAllocator::Get(context_), written_types);
    duckdb::ExpressionExecutor executor(context_, casts_);
    while (true) {
      if (context_.interrupted) {
        throw duckdb::InterruptException();
      }
      source.Reset();
      rows.Read(source);
      if (source.size() == 0) {
        is_moved_ = rows.missing() > 0;
        return;
      }
      CheckVariants(source);
      written.Reset();
      executor.Execute(source, written);
      write(source, written);
    }
  }

  // Other clients keep what can never be flushed. The writer would only say which type it is.
  void CheckVariants(duckdb::DataChunk& rows) const {
    for (size_t i = 0; i < inlined_.columns.size(); ++i) {
      if (types_[i].id() != duckdb::LogicalTypeId::VARIANT ||
          FitVariantFiles(rows.data[i], rows.size())) {
        continue;
      }
      throw Error(ErrorCode::kUnsupported,
                  "Table \"" + layout_->name + "\" cannot be flushed: its column \"" +
                      inlined_.columns[i].name +
                      "\" keeps VARIANT values in the catalog that no Parquet file can hold, such "
                      "as an INTERVAL or an integer of more than 64 bits. UPDATE these rows to "
                      "values of other types, expire the snapshots from before, and flush again.");
    }
  }

  duckdb::ClientContext& context_;
  TarnCatalog& catalog_;
  const InlinedScan& inlined_;
  const std::shared_ptr<const Table> layout_;
  WriteJob job_;
  WriteStream stream_;
  bool is_moved_ = false;
  duckdb::vector<LogicalType> types_;
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> casts_;
};

}  // namespace

std::optional<std::vector<FlushedTable>> WriteInlinedRows(duckdb::ClientContext& context,
                                                          TarnCatalog& catalog,
                                                          const std::shared_ptr<const Table>& table,
                                                          const std::vector<InlinedScan>& inlined) {
  RequireRowsWritable(*table);
  std::vector<FlushedTable> flushed;
  bool is_moved = false;
  for (const auto& scan : inlined) {
    InlinedTableWriter writer(context, catalog, table, scan);
    flushed.push_back(writer.Write());
    is_moved = is_moved || writer.is_moved();
  }
  if (!is_moved) return flushed;
  auto& transaction = TarnTransaction::Get(context, catalog);
  const auto folder = catalog.lake().TablePath(*transaction.kernel().view(), *table);
  for (const auto& written : flushed) {
    for (const auto& file : written.files) {
      transaction.pending_files().Drop(ResolveFilePath(folder, file.path, file.path_is_relative));
    }
  }
  return std::nullopt;
}

}  // namespace tarn::engine
