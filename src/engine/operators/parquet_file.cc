// See parquet_file.h.
#include "engine/operators/parquet_file.h"

#include <utility>

#include "duckdb/catalog/catalog_entry/copy_function_catalog_entry.hpp"
#include "duckdb/catalog/catalog_entry/table_function_catalog_entry.hpp"
#include "duckdb/common/multi_file/multi_file_reader.hpp"
#include "duckdb/execution/execution_context.hpp"
#include "duckdb/function/table_function.hpp"
#include "duckdb/parallel/thread_context.hpp"
#include "duckdb/parser/tableref/table_function_ref.hpp"
#include "engine/bridge/parquet.h"
#include "engine/operators/file_errors.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

struct SingleFileInfo : duckdb::TableFunctionInfo {
  duckdb::OpenFileInfo file;
  duckdb::vector<duckdb::MultiFileColumnDefinition> columns;
};

// One file and a schema that is given, not read from it.
struct SingleFileReader : duckdb::MultiFileReader {
  explicit SingleFileReader(const SingleFileInfo& info) : info(info) {}

  duckdb::shared_ptr<duckdb::MultiFileList> CreateFileList(duckdb::ClientContext&,
                                                           const duckdb::vector<std::string>&,
                                                           const duckdb::FileGlobInput&) override {
    return duckdb::make_shared_ptr<duckdb::SimpleMultiFileList>(
        duckdb::vector<duckdb::OpenFileInfo>{info.file});
  }

  bool Bind(duckdb::MultiFileOptions&, duckdb::MultiFileList&,
            duckdb::vector<duckdb::LogicalType>& types, duckdb::vector<std::string>& names,
            duckdb::MultiFileReaderBindData& bind_data) override {
    for (const auto& column : info.columns) {
      types.push_back(column.type);
      names.push_back(column.name);
    }
    bind_data.schema = info.columns;
    bind_data.mapping = duckdb::MultiFileColumnMappingMode::BY_FIELD_ID;
    return true;
  }

  const SingleFileInfo& info;
};

duckdb::unique_ptr<duckdb::MultiFileReader> MakeReader(const duckdb::TableFunction& function) {
  return duckdb::make_uniq<SingleFileReader>(function.function_info->Cast<SingleFileInfo>());
}

}  // namespace

void DescribeParquetFile(const ParquetFile& file, duckdb::ExtendedOpenFileInfo& info) {
  auto& options = info.options;
  options["file_size"] = duckdb::Value::UBIGINT(static_cast<uint64_t>(file.size_bytes));
  if (file.footer_size && *file.footer_size > 0) {
    options["footer_size"] = duckdb::Value::UBIGINT(static_cast<uint64_t>(*file.footer_size));
  }
  if (!file.encryption_key.empty()) {
    options["encryption_key"] = duckdb::Value::BLOB_RAW(file.encryption_key);
  }
  // Files of a lake never change, so what is cached of a remote one needs no check; a local one's
  // costs nothing.
  if (file.path.find("://") != std::string::npos) {
    options["etag"] = duckdb::Value("");
    options["last_modified"] = duckdb::Value::TIMESTAMP(duckdb::timestamp_t(0));
    options["validate_external_file_cache"] = duckdb::Value::BOOLEAN(false);
  }
}

duckdb::TableFunction ParquetScan(duckdb::ClientContext& context) {
  RequireParquet(*context.db);
  auto& entry = duckdb::Catalog::GetEntry<duckdb::TableFunctionCatalogEntry>(
      context, SYSTEM_CATALOG, DEFAULT_SCHEMA, "parquet_scan");
  return entry.functions.GetFunctionByArguments(context, {duckdb::LogicalType::VARCHAR});
}

duckdb::CopyFunction ParquetWriter(duckdb::ClientContext& context) {
  RequireParquet(*context.db);
  auto& entry = duckdb::Catalog::GetEntry<duckdb::CopyFunctionCatalogEntry>(
      context, SYSTEM_CATALOG, DEFAULT_SCHEMA, "parquet");
  return entry.function;
}

namespace {

void ReadChunks(duckdb::ClientContext& context, const ParquetFile& file,
                const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
                const std::function<void(duckdb::DataChunk&)>& visit) {
  auto info = duckdb::make_shared_ptr<SingleFileInfo>();
  info->file = duckdb::OpenFileInfo(file.path);
  info->file.extended_info = duckdb::make_shared_ptr<duckdb::ExtendedOpenFileInfo>();
  DescribeParquetFile(file, *info->file.extended_info);
  info->columns = columns;

  auto function = ParquetScan(context);
  function.function_info = info;
  function.get_multi_file_reader = MakeReader;

  duckdb::vector<duckdb::Value> inputs{duckdb::Value(file.path)};
  duckdb::named_parameter_map_t parameters;
  duckdb::vector<duckdb::LogicalType> input_types, types;
  duckdb::vector<std::string> input_names, names;
  const duckdb::TableFunctionRef ref;
  duckdb::TableFunctionBindInput bind_input(inputs, parameters, input_types, input_names,
                                            info.get(), nullptr, function, ref);
  const auto bind_data = function.bind(context, bind_input, types, names);

  duckdb::vector<duckdb::column_t> column_ids;
  for (duckdb::idx_t i = 0; i < columns.size(); ++i) {
    column_ids.push_back(i);
  }
  duckdb::TableFunctionInitInput init_input(bind_data.get(), column_ids, {}, nullptr);
  const auto global_state = function.init_global(context, init_input);
  duckdb::ThreadContext thread(context);
  duckdb::ExecutionContext execution(context, thread, nullptr);
  const auto local_state = function.init_local(execution, init_input, global_state.get());

  duckdb::DataChunk chunk;
  chunk.Initialize(duckdb::Allocator::Get(context), types);
  while (true) {
    chunk.Reset();
    duckdb::TableFunctionInput input(bind_data.get(), local_state.get(), global_state.get());
    function.function(context, input, chunk);
    if (chunk.size() == 0) {
      return;
    }
    visit(chunk);
  }
}

}  // namespace

void ReadParquetFile(duckdb::ClientContext& context, const ParquetFile& file,
                     const duckdb::vector<duckdb::MultiFileColumnDefinition>& columns,
                     const std::function<void(duckdb::DataChunk&)>& visit) {
  try {
    ReadChunks(context, file, columns, visit);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    const auto reason = ReasonInFile(error, !file.encryption_key.empty());
    if (!reason) throw;
    throw Error(ErrorCode::kCorrupt,
                "The file \"" + file.path + "\" cannot be read: " + *reason + ".");
  }
}

}  // namespace tarn::engine
