// See feed_scan.h.
#include "engine/operators/feed_scan.h"

#include <utility>

#include "duckdb/catalog/catalog_entry/schema_catalog_entry.hpp"
#include "duckdb/common/case_insensitive_map.hpp"
#include "duckdb/common/multi_file/multi_file_states.hpp"
#include "duckdb/common/serializer/deserializer.hpp"
#include "duckdb/common/serializer/serializer.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "duckdb/planner/table_filter_state.hpp"
#include "duckdb/planner/tableref/bound_at_clause.hpp"
#include "duckdb/storage/table/column_segment.hpp"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/feed_reader.h"
#include "engine/operators/scan.h"
#include "engine/operators/scan_file_list.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using BindDataPointer = duckdb::optional_ptr<duckdb::FunctionData>;

constexpr const char* kFeedName = "tarn_feed";

struct FeedFunctionInfo : ScanFunctionInfo {
  using ScanFunctionInfo::ScanFunctionInfo;
  std::shared_ptr<FeedUpdates> updates = std::make_shared<FeedUpdates>();
};

const ScanSource& SourceOf(const duckdb::FunctionData& bind_data) {
  const auto& multi_file = bind_data.Cast<duckdb::MultiFileBindData>();
  return *static_cast<const ScanFileList&>(*multi_file.file_list).source();
}

duckdb::unique_ptr<duckdb::MultiFileReader> MakeReader(const duckdb::TableFunction& function) {
  const auto& info = function.function_info->Cast<FeedFunctionInfo>();
  return duckdb::make_uniq<FeedReader>(info.source, info.updates);
}

// Where the feed itself has columns for them, there is no other rowid beside.
duckdb::virtual_column_map_t GetVirtualColumns(duckdb::ClientContext&, BindDataPointer bind_data) {
  auto result = ScanVirtualColumns();
  result.erase(duckdb::MultiFileReader::COLUMN_IDENTIFIER_FILE_INDEX);
  if (SourceOf(*bind_data).feed()->tells_changes) {
    result.erase(duckdb::COLUMN_IDENTIFIER_ROW_ID);
    result.erase(kSnapshotIdColumn);
  }
  return result;
}

// What reads any lake scan; ours wraps it.
duckdb::table_function_t lake_scan_rows = nullptr;

// Filters of the type of change, which readers leave to us: it is made of two columns of a file,
// and a reader's filters see one.
struct TypeFilter {
  duckdb::idx_t column = 0;  ///< of the output
  const duckdb::TableFilter* filter = nullptr;
};

TypeFilter FindTypeFilter(const duckdb::MultiFileGlobalState& state) {
  if (state.filters) {
    for (const auto& [index, filter] : state.filters->filters) {
      if (state.column_indexes[index].GetPrimaryIndex() == kFeedChangeTypeColumn) {
        return {index, filter.get()};
      }
    }
  }
  return {};
}

void ApplyTypeFilter(duckdb::ClientContext& context, const TypeFilter& wanted,
                     duckdb::DataChunk& output) {
  const auto count = output.size();
  auto approved = count;
  duckdb::SelectionVector selection;
  duckdb::UnifiedVectorFormat types;
  output.data[wanted.column].ToUnifiedFormat(count, types);
  const auto state = duckdb::TableFilterState::Initialize(context, *wanted.filter);
  duckdb::ColumnSegment::FilterSelection(selection, output.data[wanted.column], types,
                                         *wanted.filter, *state, count, approved);
  if (approved != count) {
    output.Slice(selection, approved);
  }
}

void ReadChanges(duckdb::ClientContext& context, duckdb::TableFunctionInput& input,
                 duckdb::DataChunk& output) {
  const auto wanted = FindTypeFilter(input.global_state->Cast<duckdb::MultiFileGlobalState>());
  if (wanted.filter == nullptr) {
    lake_scan_rows(context, input, output);
    return;
  }
  do {
    output.Reset();
    lake_scan_rows(context, input, output);
    if (output.size() > 0) {
      ApplyTypeFilter(context, wanted, output);
    }
  } while (output.size() == 0 &&
           input.async_result.GetResultType() == duckdb::AsyncResultType::HAVE_MORE_OUTPUT);
}

void Serialize(duckdb::Serializer& serializer, BindDataPointer bind_data,
               const duckdb::TableFunction&) {
  const auto& source = SourceOf(*bind_data);
  const auto& entry = source.entry();
  const auto& feed = *source.feed();
  serializer.WriteProperty(100, "catalog", entry.catalog.GetName());
  serializer.WriteProperty(101, "schema", entry.schema.name);
  serializer.WriteProperty(102, "table", entry.name);
  serializer.WriteProperty(103, "first", feed.range.first.value);
  serializer.WriteProperty(104, "last", feed.range.last.value);
  serializer.WriteProperty(105, "inserted", feed.inserted);
  serializer.WriteProperty(106, "deleted", feed.deleted);
  serializer.WriteProperty(107, "tells_changes", feed.tells_changes);
  serializer.WriteProperty(108, "at", entry.at()->id.value);
}

duckdb::unique_ptr<duckdb::FunctionData> Deserialize(duckdb::Deserializer& deserializer,
                                                     duckdb::TableFunction& function) {
  auto& context = deserializer.Get<duckdb::ClientContext&>();
  const auto catalog = deserializer.ReadProperty<std::string>(100, "catalog");
  const auto schema = deserializer.ReadProperty<std::string>(101, "schema");
  const auto table = deserializer.ReadProperty<std::string>(102, "table");
  FeedRequest feed;
  feed.range.first = SnapshotId(deserializer.ReadProperty<int64_t>(103, "first"));
  feed.range.last = SnapshotId(deserializer.ReadProperty<int64_t>(104, "last"));
  feed.inserted = deserializer.ReadProperty<bool>(105, "inserted");
  feed.deleted = deserializer.ReadProperty<bool>(106, "deleted");
  feed.tells_changes = deserializer.ReadProperty<bool>(107, "tells_changes");
  const auto snapshot = deserializer.ReadProperty<int64_t>(108, "at");
  duckdb::BoundAtClause at("VERSION", duckdb::Value::BIGINT(snapshot));
  duckdb::EntryLookupInfo lookup(duckdb::CatalogType::TABLE_ENTRY, table,
                                 duckdb::optional_ptr<duckdb::BoundAtClause>(at),
                                 duckdb::QueryErrorContext());
  auto entry = duckdb::Catalog::GetEntry(context, catalog, schema, lookup,
                                         duckdb::OnEntryNotFound::THROW_EXCEPTION);
  duckdb::unique_ptr<duckdb::FunctionData> bind_data;
  duckdb::vector<LogicalType> types;
  duckdb::vector<std::string> names;
  function = MakeFeedFunction(
      context, std::make_shared<ScanSource>(context, entry->Cast<TarnTableEntry>(), feed),
      bind_data, types, names);
  return bind_data;
}

// A table may have columns that are named like the feed's own.
void MakeUnique(duckdb::vector<std::string>& names) {
  duckdb::case_insensitive_set_t taken(names.begin(), names.end());
  duckdb::case_insensitive_set_t seen;
  for (auto& name : names) {
    const auto original = name;
    for (int number = 1; !seen.insert(name).second;) {
      do {
        name = original + "_" + std::to_string(number++);
      } while (taken.count(name) > 0);
    }
  }
}

duckdb::unique_ptr<duckdb::FunctionData> RefuseCall(duckdb::ClientContext&,
                                                    duckdb::TableFunctionBindInput&,
                                                    duckdb::vector<LogicalType>&,
                                                    duckdb::vector<std::string>&) {
  throw duckdb::BinderException(
      "tarn_feed is how Tarn reads changes and cannot be called. Call tarn_table_changes instead.");
}

}  // namespace

duckdb::TableFunction MakeFeedFunction(duckdb::ClientContext& context,
                                       std::shared_ptr<ScanSource> source,
                                       duckdb::unique_ptr<duckdb::FunctionData>& bind_data,
                                       duckdb::vector<LogicalType>& types,
                                       duckdb::vector<std::string>& names) {
  const bool tells_changes = source->feed()->tells_changes;
  auto function = MakeLakeScan(
      context, duckdb::make_shared_ptr<FeedFunctionInfo>(std::move(source)), MakeReader);
  function.name = kFeedName;
  // A row can be in a feed several times, so nothing but the scan itself tells its rows apart.
  function.late_materialization = false;
  function.get_row_id_columns = nullptr;
  function.get_bind_info = nullptr;
  function.statistics = nullptr;
  function.statistics_extended = nullptr;
  function.get_partition_stats = nullptr;
  function.get_virtual_columns = GetVirtualColumns;
  if (tells_changes) {
    lake_scan_rows = function.function;
    function.function = ReadChanges;
    function.filter_prune = false;  // what is filtered by has to be in the output
  }
  function.serialize = Serialize;
  function.deserialize = Deserialize;
  bind_data = BindLakeScan(context, function, types, names);
  MakeUnique(names);
  return function;
}

void RegisterFeedScan(duckdb::ExtensionLoader& loader) {
  duckdb::TableFunction function(kFeedName, {LogicalType::VARCHAR}, nullptr, RefuseCall);
  function.serialize = Serialize;
  function.deserialize = Deserialize;
  loader.RegisterFunction(function);
}

}  // namespace tarn::engine
