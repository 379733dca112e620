// See compaction_writer.h.
#include "engine/operators/compaction_writer.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "duckdb/execution/expression_executor.hpp"
#include "duckdb/parallel/thread_context.hpp"
#include "duckdb/planner/expression/bound_cast_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/types.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/compacted_rows.h"
#include "engine/operators/partition_writer.h"
#include "engine/operators/reshape.h"
#include "engine/operators/row_arranger.h"
#include "engine/operators/scan_columns.h"
#include "engine/operators/write_job.h"
#include "engine/operators/write_types.h"
#include "tarn/error.h"
#include "tarn/footer.h"

namespace tarn::engine {
namespace {

// The folder of the first file that lies in the table's own: that of its partition, if it has one.
std::string SubfolderOf(const CompactionUnit& unit) {
  for (const auto& source : unit.sources) {
    const auto& path = source.file.path;
    if (source.file.path_is_relative && path.find("://") == std::string::npos) {
      const auto slash = path.rfind('/');
      return slash == std::string::npos ? "" : path.substr(0, slash + 1);
    }
  }
  return "";
}

// Files tell themselves whether they keep ids that differ from their places; those that cannot be
// looked into may.
bool MayEmbedRowIds(FileSystem& files, const ScanFile& file) {
  if (file.file.encryption_key) {
    return true;
  }
  const auto fields = ReadParquetFooter(files, file.path).fields;
  return std::any_of(fields.begin(), fields.end(),
                     [](const ParquetField& field) { return field.field_id == kRowIdField; });
}

bool NeedsRowIds(FileSystem& files, const CompactionUnit& unit) {
  return !unit.first_row_id ||
         std::any_of(unit.sources.begin(), unit.sources.end(),
                     [&](const ScanFile& file) { return MayEmbedRowIds(files, file); });
}

WriteOptions Options(duckdb::ClientContext& context, TarnCatalog& catalog,
                     const CompactionUnit& unit, bool needs_row_ids) {
  auto options = ReadWriteOptions(context, catalog, unit.table.get());
  // Whatever holds for inserts.
  options.sorts = unit.table->sort.has_value();
  // Sorting mixes the ids.
  options.embed_row_ids = options.sorts || needs_row_ids;
  options.embed_snapshots = unit.needs_snapshots;
  // What was taken together becomes one file.
  options.target_file_size = std::numeric_limits<int64_t>::max();
  return options;
}

// Partitions are those of the files; rows are sorted by the order that the table has now.
std::shared_ptr<const Table> LayoutOf(const CompactionUnit& unit) {
  auto layout = std::make_shared<Table>(*unit.table);
  layout->partition.reset();
  return layout;
}

class CompactionWriter {
 public:
  CompactionWriter(duckdb::ClientContext& context, TarnTableEntry& entry,
                   const CompactionUnit& unit, bool needs_row_ids)
      : context_(context),
        unit_(unit),
        options_(Options(context, entry.lake_catalog(), unit, needs_row_ids)),
        job_(context, entry.lake_catalog(), options_),
        rows_(context, entry, unit, options_.embed_row_ids, options_.embed_snapshots) {
    const auto& types = rows_.types();
    for (duckdb::idx_t i = 0; i < types.size(); ++i) {
      casts_.push_back(duckdb::BoundCastExpression::AddDefaultCastToType(
          duckdb::make_uniq<duckdb::BoundReferenceExpression>(types[i], i), WrittenType(types[i])));
    }
    job_.Start(context_, unit_.shape, LayoutOf(unit_));
  }

  std::optional<DataFile> Write() {
    const auto count = job_.arranges() ? WriteSorted() : WriteInOrder();
    if (unit_.row_count && *unit_.row_count != count) {
      throw Error(ErrorCode::kCorrupt,
                  "The files of table \"" + unit_.table->name + "\" that should be merged have " +
                      std::to_string(count) + " rows, but the catalog says " +
                      std::to_string(*unit_.row_count) +
                      ". Nothing was merged; look at the lake with tarn check.");
    }
    auto files = job_.TakeFiles();
    if (files.empty()) {
      return std::nullopt;
    }
    return Describe(std::move(files.front()));
  }

 private:
  int64_t WriteInOrder() {
    PartitionWriter writer(context_, job_, Partition());
    const auto count =
        Visit([&](duckdb::DataChunk&, duckdb::DataChunk& written) { writer.Append(written); });
    writer.Finish();
    return count;
  }

  int64_t WriteSorted() {
    RowArranger arranger(context_, job_, Partition());
    const RowReshaper reshaper(*unit_.shape, job_.layout());
    duckdb::ThreadContext thread(context_);
    duckdb::ExecutionContext execution(context_, thread, nullptr);
    const auto local = arranger.MakeLocal(execution);
    duckdb::DataChunk own;
    own.Initialize(context_, reshaper.types());
    const auto count = Visit([&](duckdb::DataChunk& rows, duckdb::DataChunk& written) {
      own.Reset();
      reshaper.Apply(rows, own);
      arranger.Sink(execution, *local, written, own);
    });
    arranger.Combine(execution, *local);
    arranger.Finish(context_);
    return count;
  }

  FilePartition Partition() const {
    FilePartition partition;  // its values are those of the sources, which the kernel knows
    partition.folder = SubfolderOf(unit_);
    return partition;
  }

  // Calls `write` with rows as they are and as files hold them; returns how many there are.
  int64_t Visit(const std::function<void(duckdb::DataChunk&, duckdb::DataChunk&)>& write) {
    duckdb::DataChunk written;
    written.Initialize(context_, job_.WrittenTypes());
    duckdb::ExpressionExecutor executor(context_, casts_);
    int64_t count = 0;
    rows_.Visit([&](duckdb::DataChunk& rows) {
      if (context_.interrupted) {
        throw duckdb::InterruptException();
      }
      written.Reset();
      executor.Execute(rows, written);
      write(rows, written);
      count += static_cast<int64_t>(written.size());
    });
    return count;
  }

  DataFile Describe(DataFile file) const {
    if (unit_.kind == CompactionKind::kMerge && !options_.embed_snapshots) {
      file.begin_snapshot = unit_.sources.front().file.begin_snapshot;
    }
    if (file.partial_max == file.begin_snapshot) {
      file.partial_max.reset();
    }
    file.row_id_start = options_.embed_row_ids ? std::nullopt : unit_.first_row_id;
    return file;
  }

  duckdb::ClientContext& context_;
  const CompactionUnit& unit_;
  const WriteOptions options_;
  WriteJob job_;
  CompactedRows rows_;
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> casts_;
};

}  // namespace

std::optional<DataFile> WriteCompactedFile(duckdb::ClientContext& context, TarnTableEntry& entry,
                                           const CompactionUnit& unit, std::mutex& preparing) {
  if (unit.plan.files.empty()) {
    return std::nullopt;
  }
  const bool needs_row_ids = NeedsRowIds(entry.lake_catalog().lake().file_system(), unit);
  std::unique_lock<std::mutex> lock(preparing);
  CompactionWriter writer(context, entry, unit, needs_row_ids);
  lock.unlock();
  return writer.Write();
}

}  // namespace tarn::engine
