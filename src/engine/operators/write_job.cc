// See write_job.h.
#include "engine/operators/write_job.h"

#include <algorithm>
#include <utility>

#include "base/environment.h"
#include "base/text.h"
#include "base/uuid.h"
#include "catalog/inlining.h"
#include "crypto/random_bytes.h"
#include "duckdb/main/config.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/types.h"
#include "engine/bridge/values.h"
#include "engine/catalog/inlining_limit.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/parquet_file.h"
#include "engine/operators/partition_keys.h"
#include "engine/operators/scan_columns.h"
#include "engine/operators/write_types.h"
#include "engine/operators/written_file.h"
#include "format/paths.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::Value;

constexpr int64_t kDefaultTargetFileSize = 512 * 1000 * 1000;

Column BigintColumn(const char* name, int32_t field_id) {
  Column column;
  column.id = FieldId{field_id};
  column.name = name;
  column.type = "int64";
  return column;
}

// What the embedded columns of a file hold goes into its row of the catalog.
void TakeEmbeddedBounds(DataFile& file, bool has_row_ids) {
  const auto bounds = [&file](int32_t field_id) {
    const auto found = std::find_if(
        file.stats.begin(), file.stats.end(),
        [field_id](const ColumnStats& stats) { return stats.field == FieldId{field_id}; });
    if (found == file.stats.end() || !found->min_value || !found->max_value) {
      throw duckdb::InternalException("a file without bounds of what it embeds");
    }
    const std::pair result(std::stoll(*found->min_value), std::stoll(*found->max_value));
    file.stats.erase(found);
    return result;
  };
  const auto snapshots = bounds(kSnapshotIdField);
  file.begin_snapshot = SnapshotId(snapshots.first);
  file.partial_max = SnapshotId(snapshots.second);
  if (has_row_ids) {
    file.row_id_start = bounds(kRowIdField).first;
  }
}

std::string_view FileName(const std::string& path) {
  return std::string_view(path).substr(path.rfind('/') + 1);
}

class StoredOptions {
 public:
  StoredOptions(const OptionSet& options, const Table* table) : options_(options) {
    if (table != nullptr && !table->schema.is_new()) {
      schema_ = table->schema.id();
    }
    if (table != nullptr && !table->ref.is_new()) {
      table_ = table->ref.id();
    }
  }

  std::optional<std::string> Text(const char* key) const {
    return options_.Find(key, schema_, table_);
  }

  /// One that is on where nothing is stored.
  bool Flag(const char* key) const {
    const auto text = Text(key);
    return !text || !EqualsIgnoreCase(*text, "false");
  }

  std::optional<int64_t> Number(const char* key) const {
    const auto text = Text(key);
    if (!text) {
      return std::nullopt;
    }
    Value value(*text);
    if (!value.DefaultTryCastAs(duckdb::LogicalType::BIGINT) || value.GetValue<int64_t>() < 0) {
      throw Error(ErrorCode::kCorrupt, std::string("The lake's option ") + key + " is \"" + *text +
                                           "\", which is no number. Set it again with set_option.");
    }
    return value.GetValue<int64_t>();
  }

 private:
  const OptionSet& options_;
  std::optional<SchemaId> schema_;
  std::optional<TableId> table_;
};

std::optional<int64_t> SessionTargetFileSize(duckdb::ClientContext& context) {
  Value value;
  if (!context.TryGetCurrentSetting("ducklake_target_file_size", value) || value.IsNull() ||
      value.ToString().empty()) {
    return std::nullopt;
  }
  return static_cast<int64_t>(duckdb::DBConfig::ParseMemoryLimit(value.ToString()));
}

}  // namespace

Value EncryptionConfig(const std::string& key) {
  duckdb::child_list_t<Value> config;
  config.emplace_back("footer_key_value", Value::BLOB_RAW(key));
  return Value::STRUCT(std::move(config));
}

bool ArrangesRows(const Table& table, const WriteOptions& options) {
  const bool is_partitioned = table.partition && !table.partition->keys.empty();
  return is_partitioned || (options.sorts && table.sort && !table.sort->keys.empty());
}

void RequireRowsWritable(const Table& table) { PartitionKeys(table, false); }

ParquetOptions ReadParquetOptions(const OptionSet& options, const Table* table) {
  const StoredOptions stored(options, table);
  ParquetOptions result;
  const auto codec = AsciiLower(stored.Text("parquet_compression").value_or("snappy"));
  result["compression"] = {Value(codec)};
  // Parquet's own type of geometries. GeoParquet's metadata know only columns of the top level, and
  // not all dimensions.
  result["geoparquet_version"] = {Value("NONE")};
  if (const auto level = stored.Number("parquet_compression_level"); level && codec == "zstd") {
    result["compression_level"] = {Value::BIGINT(*level)};
  }
  if (const auto version = stored.Text("parquet_version")) {
    result["parquet_version"] = {Value(version->ends_with('2') ? "V2" : "V1")};
  }
  if (const auto rows = stored.Number("parquet_row_group_size")) {
    result["row_group_size"] = {Value::UBIGINT(static_cast<uint64_t>(*rows))};
  }
  if (const auto bytes = stored.Number("parquet_row_group_size_bytes")) {
    result["row_group_size_bytes"] = {Value::UBIGINT(static_cast<uint64_t>(*bytes))};
  }
  return result;
}

int64_t StoredTargetFileSize(const OptionSet& options, const Table* table) {
  return StoredOptions(options, table).Number("target_file_size").value_or(kDefaultTargetFileSize);
}

WriteOptions ReadWriteOptions(duckdb::ClientContext& context, TarnCatalog& catalog,
                              const Table* table) {
  const auto& options = TarnTransaction::Get(context, catalog).kernel().options();
  const StoredOptions stored(options, table);
  WriteOptions result;
  result.target_file_size =
      SessionTargetFileSize(context).value_or(StoredTargetFileSize(options, table));
  const auto per_thread = stored.Text("per_thread_output");
  result.per_thread_output = per_thread && EqualsIgnoreCase(*per_thread, "true");
  // Folders would tell the values of an encrypted lake.
  result.hive_folders = stored.Flag("hive_file_pattern") && !catalog.lake().encrypted();
  result.sorts = stored.Flag("sort_on_insert");
  result.parquet = ReadParquetOptions(options, table);
  return result;
}

WriteJob::WriteJob(duckdb::ClientContext& context, TarnCatalog& catalog, WriteOptions options)
    : catalog_(catalog), options_(std::move(options)), writer_(ParquetWriter(context)) {}

void WriteJob::Start(duckdb::ClientContext& context, std::shared_ptr<const Table> table) {
  layout_ = table;
  Start(context, std::move(table), layout_);
}

void WriteJob::Start(duckdb::ClientContext& context, std::shared_ptr<const Table> shape,
                     std::shared_ptr<const Table> layout) {
  table_ = std::move(shape);
  layout_ = std::move(layout);
  auto& kernel = TarnTransaction::Get(context, catalog_).kernel();
  folder_ = catalog_.lake().TablePath(*kernel.view(), *table_);
  existing_folders_.clear();
  files_.clear();
  bind_data_ = Bind(context, "");
  auto& transaction = TarnTransaction::Get(context, catalog_);
  const auto limit = CanInline(catalog_.lake().store().dialect(), *table_)
                         ? InliningRowLimit(context, transaction, table_->schema, table_->ref)
                         : 0;
  buffer_.Start(limit, WrittenTypes());
}

duckdb::vector<duckdb::LogicalType> WriteJob::WrittenTypes() const {
  duckdb::vector<duckdb::LogicalType> types;
  for (const auto& column : table_->columns) {
    types.push_back(WrittenType(ToLogicalType(column)));
  }
  if (options_.embed_row_ids) {
    types.push_back(duckdb::LogicalType::BIGINT);
  }
  if (options_.embed_snapshots) {
    types.push_back(duckdb::LogicalType::BIGINT);
  }
  return types;
}

bool WriteJob::KeepRows(duckdb::ClientContext& context, const RowCollection& rows) {
  duckdb::vector<duckdb::LogicalType> types;
  for (const auto& column : table_->columns) {
    types.push_back(ToLogicalType(column));
  }
  if (options_.embed_row_ids) {
    types.push_back(duckdb::LogicalType::BIGINT);
  }
  // From the types that files would have to the table's own.
  auto kept = MakeRowCollection(types);
  duckdb::DataChunk own;
  own.Initialize(duckdb::Allocator::DefaultAllocator(), types);
  for (auto& chunk : rows.Chunks()) {
    own.Reset();
    CastToOwnTypes(chunk, own);
    kept->Append(own);
  }
  if (!FitsIntoCatalog(catalog_.lake().store().dialect(), *table_, *kept)) {
    return false;
  }
  TarnTransaction::Get(context, catalog_)
      .kernel()
      .StageRows(table_->ref,
                 std::make_shared<CollectedRows>(table_, std::move(kept), options_.embed_row_ids));
  return true;
}

std::vector<Column> WriteJob::WrittenColumns() const {
  auto columns = table_->columns;
  if (options_.embed_row_ids) {
    columns.push_back(BigintColumn(kRowIdName, kRowIdField));
  }
  if (options_.embed_snapshots) {
    columns.push_back(BigintColumn(kSnapshotIdName, kSnapshotIdField));
  }
  return columns;
}

duckdb::unique_ptr<duckdb::FunctionData> WriteJob::Bind(duckdb::ClientContext& context,
                                                        const std::string& encryption_key) {
  duckdb::CopyInfo info;
  info.format = "parquet";
  info.options = options_.parquet;
  const auto columns = WrittenColumns();
  info.options["field_ids"] = {FieldIdOption(columns)};
  if (!encryption_key.empty()) {
    info.options["encryption_config"] = {EncryptionConfig(encryption_key)};
  }
  duckdb::vector<std::string> names;
  duckdb::vector<duckdb::LogicalType> types;
  for (const auto& column : columns) {
    names.push_back(column.name);
    types.push_back(WrittenType(ToLogicalType(column)));
  }
  duckdb::CopyFunctionBindInput input(info);
  if (!info.options.contains("row_group_size_bytes")) {
    return writer_.copy_to_bind(context, input, names, types);
  }
  // DuckDB's writer refuses this option to sessions that keep the order of rows, as its own COPY
  // could not keep it then. Here rows come in order.
  duckdb::Connection unordered(*context.db);
  unordered.Query("SET SESSION preserve_insertion_order = false");
  return writer_.copy_to_bind(*unordered.context, input, names, types);
}

std::shared_ptr<OutputFile> WriteJob::Open(duckdb::ClientContext& context,
                                           const FilePartition& partition) {
  auto& lake = catalog_.lake();
  auto file = std::make_shared<OutputFile>();
  {
    std::lock_guard<std::mutex> guard(mutex_);
    const auto random = [&lake] { return Random(lake.environment()); };
    file->partition = partition;
    file->name = partition.folder + DataFileName(UuidV7(Now(lake.environment()), random));
    if (lake.encrypted()) {
      file->encryption_key = NewFileKey();
    }
    if (existing_folders_.insert(partition.folder).second) {
      lake.file_system().CreateDirectories(folder_ + partition.folder);
    }
  }
  const auto path = folder_ + file->name;
  TarnTransaction::Get(context, catalog_).pending_files().Add(path);
  file->bind_data = Bind(context, file->encryption_key);
  file->state = writer_.copy_to_initialize_global(context, *file->bind_data, path);
  writer_.copy_to_get_written_statistics(context, *file->bind_data, *file->state, file->written);
  return file;
}

void WriteJob::Close(duckdb::ClientContext& context, OutputFile& file) {
  writer_.copy_to_finalize(context, *file.bind_data, *file.state);
  auto described = DescribeWrittenFile(
      file.written, options_.embed_snapshots ? WrittenColumns() : table_->columns);
  if (options_.embed_snapshots) {
    TakeEmbeddedBounds(described, options_.embed_row_ids);
  }
  file.state.reset();
  described.path = file.name;
  described.partition_id = file.partition.spec;
  described.partition_values = std::move(file.partition.values);
  described.embeds_row_ids = options_.embed_row_ids;
  if (!file.encryption_key.empty()) {
    described.encryption_key = EncodeKey(file.encryption_key);
  }
  DoubtAbsentNans(catalog_.lake().file_system(), folder_ + file.name, described);
  std::lock_guard<std::mutex> guard(mutex_);
  files_.push_back(std::move(described));
}

std::vector<DataFile> WriteJob::TakeFiles() {
  std::lock_guard<std::mutex> guard(mutex_);
  // Threads close their files in any order; names sort by the time that they were opened.
  std::sort(files_.begin(), files_.end(), [](const DataFile& a, const DataFile& b) {
    return FileName(a.path) < FileName(b.path);
  });
  return std::exchange(files_, {});
}

void WriteJob::Stage(duckdb::ClientContext& context) {
  auto files = TakeFiles();
  if (!files.empty()) {
    TarnTransaction::Get(context, catalog_).kernel().AddDataFiles(table_->ref, std::move(files));
  }
}

}  // namespace tarn::engine
