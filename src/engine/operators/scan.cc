// The table function of a lake's scan: DuckDB's parquet_scan with our reader and file list inside
// and our answers to what the optimiser asks. See scan.h.
#include "engine/operators/scan.h"

#include <memory>
#include <utility>

#include "duckdb/catalog/catalog_entry/schema_catalog_entry.hpp"
#include "duckdb/common/multi_file/multi_file_states.hpp"
#include "duckdb/common/serializer/deserializer.hpp"
#include "duckdb/common/serializer/serializer.hpp"
#include "duckdb/execution/operator/scan/physical_table_scan.hpp"
#include "duckdb/function/partition_stats.hpp"
#include "duckdb/function/table_function.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "duckdb/parser/tableref/table_function_ref.hpp"
#include "duckdb/planner/operator/logical_get.hpp"
#include "duckdb/planner/tableref/bound_at_clause.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/functions/settings.h"
#include "engine/operators/parquet_file.h"
#include "engine/operators/scan_file_list.h"
#include "engine/operators/scan_reader.h"
#include "engine/operators/scan_source.h"
#include "engine/operators/scan_statistics.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::Value;
using BindDataPointer = duckdb::optional_ptr<duckdb::FunctionData>;

constexpr const char* kScanName = "tarn_scan";

// What parquet_scan does; ours wraps it.
duckdb::table_function_t parquet_scan_rows = nullptr;

const duckdb::MultiFileBindData& MultiFile(const duckdb::FunctionData& bind_data) {
  return bind_data.Cast<duckdb::MultiFileBindData>();
}

const ScanFileList& FilesOf(const duckdb::FunctionData& bind_data) {
  return static_cast<const ScanFileList&>(*MultiFile(bind_data).file_list);
}

ScanSource& SourceOf(const duckdb::FunctionData& bind_data) { return *FilesOf(bind_data).source(); }

// Reads rows. A file that is damaged inside is found only here.
void ScanRows(duckdb::ClientContext& context, duckdb::TableFunctionInput& input,
              duckdb::DataChunk& output) {
  try {
    parquet_scan_rows(context, input, output);
  } catch (...) {
    std::string path;
    bool has_key = false;
    if (input.local_state) {
      if (const auto& reader = input.local_state->Cast<duckdb::MultiFileLocalState>().reader) {
        path = reader->GetFileName();
        has_key = HasKey(reader->file);
      }
    }
    RethrowFileError(SourceOf(*input.bind_data), path, has_key);
  }
}

duckdb::BindInfo GetBindInfo(BindDataPointer bind_data) {
  return duckdb::BindInfo(SourceOf(*bind_data).entry());
}

duckdb::virtual_column_map_t GetVirtualColumns(duckdb::ClientContext&, BindDataPointer) {
  return ScanVirtualColumns();
}

duckdb::unique_ptr<duckdb::BaseStatistics> Statistics(duckdb::ClientContext&,
                                                      const duckdb::FunctionData* bind_data,
                                                      duckdb::column_t column_id) {
  return Guard([&] { return ColumnStatistics(SourceOf(*bind_data), column_id); });
}

// Rows of the whole table, when the catalog alone can tell: for COUNT(*) in plans that become one
// only while they are optimised (catalog_answers has the others). With filters DuckDB asks for
// statistics of each partition, which this one has not, and scans.
duckdb::vector<duckdb::PartitionStatistics> PartitionStats(duckdb::ClientContext& context,
                                                           duckdb::GetPartitionStatsInput& input) {
  duckdb::vector<duckdb::PartitionStatistics> result;
  if (!AnswersFromCatalog(context)) {
    return result;
  }
  const auto plan = FilesOf(*input.bind_data).counts();
  if (plan->row_count) {
    duckdb::PartitionStatistics all;
    all.row_start = 0;
    all.count = static_cast<duckdb::idx_t>(*plan->row_count);
    all.count_type = duckdb::CountType::COUNT_EXACT;
    result.push_back(all);
  }
  return result;
}

duckdb::InsertionOrderPreservingMap<std::string> ToString(
    duckdb::TableFunctionToStringInput& input) {
  duckdb::InsertionOrderPreservingMap<std::string> result;
  const auto& files = FilesOf(*input.bind_data);
  auto& source = *files.source();
  result["Table"] = source.entry().name;
  if (source.feed()) {
    result["Snapshots"] = std::to_string(source.feed()->range.first.value) + " to " +
                          std::to_string(source.feed()->range.last.value);
  } else if (source.entry().at()) {
    result["Snapshot"] = std::to_string(source.entry().at()->id.value);
  }
  const auto total = files.counts()->total_files;
  result["Files"] = std::to_string(files.file_count()) + " of " + std::to_string(total);
  if (files.inlined_count() > 0) {
    result["Inlined Tables"] = std::to_string(files.inlined_count());
  }
  return result;
}

// What was opened: files whose readers were skipped by filters that filled while running are not
// counted.
duckdb::InsertionOrderPreservingMap<std::string> DynamicToString(
    duckdb::TableFunctionDynamicToStringInput& input) {
  duckdb::InsertionOrderPreservingMap<std::string> result;
  if (!input.global_state) {
    return result;
  }
  const auto& state = input.global_state->Cast<duckdb::MultiFileGlobalState>();
  size_t files = 0;
  size_t inlined = 0;
  std::string names;
  constexpr size_t kNamesShown = 5;
  {
    std::lock_guard<std::mutex> guard(state.lock);
    for (const auto& reader : state.readers) {
      if (!reader || (reader->file_state != duckdb::MultiFileFileState::OPEN &&
                      reader->file_state != duckdb::MultiFileFileState::CLOSED)) {
        continue;
      }
      const auto& info = InfoOf(reader->file_to_be_opened);
      if (info.file == nullptr) {
        ++inlined;
        continue;
      }
      ++files;
      if (files <= kNamesShown) {
        names += (files == 1 ? "" : ", ") + reader->file_to_be_opened.path;
      } else if (files == kNamesShown + 1) {
        names += ", ...";
      }
    }
  }
  const auto total = FilesOf(*input.bind_data).counts()->total_files;
  result["Total Files Read"] = std::to_string(files);
  result["Files Pruned"] = std::to_string(total - static_cast<int64_t>(files));
  if (inlined > 0) {
    result["Inlined Tables Read"] = std::to_string(inlined);
  }
  if (!names.empty()) {
    result["Filename(s)"] = names;
  }
  return result;
}

void Serialize(duckdb::Serializer& serializer, BindDataPointer bind_data,
               const duckdb::TableFunction&) {
  const auto& entry = SourceOf(*bind_data).entry();
  serializer.WriteProperty(100, "catalog", entry.catalog.GetName());
  serializer.WriteProperty(101, "schema", entry.schema.name);
  serializer.WriteProperty(102, "table", entry.name);
  serializer.WritePropertyWithDefault<int64_t>(103, "snapshot",
                                               entry.at() ? entry.at()->id.value : -1, -1);
}

duckdb::unique_ptr<duckdb::FunctionData> Deserialize(duckdb::Deserializer& deserializer,
                                                     duckdb::TableFunction& function) {
  auto& context = deserializer.Get<duckdb::ClientContext&>();
  const auto catalog = deserializer.ReadProperty<std::string>(100, "catalog");
  const auto schema = deserializer.ReadProperty<std::string>(101, "schema");
  const auto table = deserializer.ReadProperty<std::string>(102, "table");
  const auto snapshot = deserializer.ReadPropertyWithExplicitDefault<int64_t>(103, "snapshot", -1);
  duckdb::BoundAtClause at("VERSION", Value::BIGINT(snapshot));
  duckdb::EntryLookupInfo lookup(
      duckdb::CatalogType::TABLE_ENTRY, table,
      snapshot < 0 ? nullptr : duckdb::optional_ptr<duckdb::BoundAtClause>(at),
      duckdb::QueryErrorContext());
  auto entry = duckdb::Catalog::GetEntry(context, catalog, schema, lookup,
                                         duckdb::OnEntryNotFound::THROW_EXCEPTION);
  duckdb::unique_ptr<duckdb::FunctionData> bind_data;
  function = MakeScanFunction(context, entry->Cast<TarnTableEntry>(), bind_data, lookup);
  return bind_data;
}

duckdb::unique_ptr<duckdb::MultiFileReader> MakeReader(const duckdb::TableFunction& function) {
  return duckdb::make_uniq<ScanReader>(function.function_info->Cast<ScanFunctionInfo>().source);
}

duckdb::unique_ptr<duckdb::FunctionData> RefuseCall(duckdb::ClientContext&,
                                                    duckdb::TableFunctionBindInput&,
                                                    duckdb::vector<LogicalType>&,
                                                    duckdb::vector<std::string>&) {
  throw duckdb::BinderException(
      "tarn_scan is how Tarn reads its tables and cannot be called. Name the table in FROM "
      "instead.");
}

}  // namespace

duckdb::virtual_column_map_t ScanVirtualColumns() {
  using duckdb::MultiFileReader;
  using duckdb::TableColumn;
  duckdb::virtual_column_map_t result;
  result.insert({duckdb::COLUMN_IDENTIFIER_ROW_ID, TableColumn("rowid", LogicalType::BIGINT)});
  result.insert({kSnapshotIdColumn, TableColumn("snapshot_id", LogicalType::BIGINT)});
  result.insert(
      {MultiFileReader::COLUMN_IDENTIFIER_FILENAME, TableColumn("filename", LogicalType::VARCHAR)});
  result.insert({MultiFileReader::COLUMN_IDENTIFIER_FILE_ROW_NUMBER,
                 TableColumn("file_row_number", LogicalType::BIGINT)});
  result.insert({MultiFileReader::COLUMN_IDENTIFIER_FILE_INDEX,
                 TableColumn("file_index", LogicalType::UBIGINT)});
  result.insert({duckdb::COLUMN_IDENTIFIER_EMPTY, TableColumn("", LogicalType::BOOLEAN)});
  return result;
}

duckdb::TableFunction MakeLakeScan(duckdb::ClientContext& context,
                                   duckdb::shared_ptr<duckdb::TableFunctionInfo> info,
                                   duckdb::table_function_get_multi_file_reader_t make_reader) {
  auto function = ParquetScan(context);
  parquet_scan_rows = function.function;
  function.function = ScanRows;
  function.function_info = std::move(info);
  function.get_multi_file_reader = make_reader;
  function.to_string = ToString;
  function.dynamic_to_string = DynamicToString;
  return function;
}

duckdb::unique_ptr<duckdb::FunctionData> BindLakeScan(duckdb::ClientContext& context,
                                                      duckdb::TableFunction& function,
                                                      duckdb::vector<LogicalType>& types,
                                                      duckdb::vector<std::string>& names) {
  duckdb::vector<Value> inputs{Value("")};
  duckdb::named_parameter_map_t parameters;
  // Bounds of floats leave NaN out, in files of every writer; row groups must not be skipped as if
  // there were none.
  parameters["can_have_nan"] = Value::BOOLEAN(true);
  duckdb::vector<LogicalType> input_types;
  duckdb::vector<std::string> input_names;
  const duckdb::TableFunctionRef ref;
  duckdb::TableFunctionBindInput input(inputs, parameters, input_types, input_names,
                                       function.function_info.get(), nullptr, function, ref);
  auto bind_data = function.bind(context, input, types, names);
  bind_data->Cast<duckdb::MultiFileBindData>().virtual_columns = ScanVirtualColumns();
  return bind_data;
}

duckdb::TableFunction MakeScanFunction(duckdb::ClientContext& context, TarnTableEntry& table,
                                       duckdb::unique_ptr<duckdb::FunctionData>& bind_data,
                                       const duckdb::EntryLookupInfo&) {
  return MakeScanFunction(context, std::make_shared<ScanSource>(context, table), bind_data);
}

duckdb::TableFunction MakeScanFunction(duckdb::ClientContext& context,
                                       std::shared_ptr<ScanSource> source,
                                       duckdb::unique_ptr<duckdb::FunctionData>& bind_data) {
  auto function = MakeLakeScan(
      context, duckdb::make_shared_ptr<ScanFunctionInfo>(std::move(source)), MakeReader);
  function.name = kScanName;
  function.get_bind_info = GetBindInfo;
  function.get_virtual_columns = GetVirtualColumns;
  function.statistics = Statistics;
  function.get_partition_stats = PartitionStats;
  function.serialize = Serialize;
  function.deserialize = Deserialize;
  duckdb::vector<LogicalType> types;
  duckdb::vector<std::string> names;
  bind_data = BindLakeScan(context, function, types, names);
  return function;
}

duckdb::unique_ptr<duckdb::BaseStatistics> ScanColumnStatistics(duckdb::ClientContext& context,
                                                                TarnTableEntry& table,
                                                                duckdb::column_t column_id) {
  ScanSource source(context, table);
  return Guard([&] { return ColumnStatistics(source, column_id); });
}

const ScanFileList* FindScannedFiles(const duckdb::PhysicalOperator& op) {
  if (op.type != duckdb::PhysicalOperatorType::TABLE_SCAN) {
    return nullptr;
  }
  const auto& scan = op.Cast<duckdb::PhysicalTableScan>();
  return scan.function.name == kScanName ? &FilesOf(*scan.bind_data) : nullptr;
}

const ScanFileList* FindScannedFiles(const duckdb::LogicalGet& get) {
  return get.function.name == kScanName && get.bind_data ? &FilesOf(*get.bind_data) : nullptr;
}

bool ScansWholeTable(const duckdb::PhysicalOperator& plan, const TarnTableEntry& entry) {
  if (plan.type == duckdb::PhysicalOperatorType::PROJECTION) {
    return ScansWholeTable(plan.children[0].get(), entry);
  }
  const auto* files = FindScannedFiles(plan);
  if (files == nullptr || &files->source()->entry() != &entry) {
    return false;
  }
  const auto& scan = plan.Cast<duckdb::PhysicalTableScan>();
  const bool is_filtered =
      (scan.table_filters && !scan.table_filters->filters.empty()) || scan.dynamic_filters;
  const auto scan_plan = files->counts();
  return !is_filtered && static_cast<int64_t>(files->file_count()) == scan_plan->total_files &&
         scan_plan->row_count;
}

void RegisterScan(duckdb::ExtensionLoader& loader) {
  duckdb::TableFunction function(kScanName, {LogicalType::VARCHAR}, nullptr, RefuseCall);
  function.serialize = Serialize;
  function.deserialize = Deserialize;
  loader.RegisterFunction(function);
}

}  // namespace tarn::engine
