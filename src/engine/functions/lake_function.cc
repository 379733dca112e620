// How SQL functions about a lake are bound and run. See lake_function.h.
#include "engine/functions/lake_function.h"

#include "duckdb/catalog/catalog_entry/table_function_catalog_entry.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "duckdb/parser/parsed_data/create_table_function_info.hpp"
#include "duckdb/planner/binder.hpp"
#include "duckdb/planner/tableref/bound_at_clause.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/change_feed.h"

namespace tarn::engine {
namespace {

/// What a table function knows of itself: which one it is, and for a method whose.
struct FunctionInfo : duckdb::TableFunctionInfo {
  FunctionInfo(const LakeFunction& function, TarnCatalog* lake) : function(function), lake(lake) {}
  const LakeFunction& function;
  TarnCatalog* lake;  ///< null: the first argument names it
};

struct BindData : duckdb::TableFunctionData {
  BindData(TarnCatalog& lake, BoundLakeFunction bound) : lake(lake), bound(std::move(bound)) {}
  TarnCatalog& lake;
  BoundLakeFunction bound;
};

struct GlobalState : duckdb::GlobalTableFunctionState {
  GlobalState(duckdb::ClientContext& context, const BindData& data)
      : rows(context, data.bound.types) {}
  ResultRows rows;
  duckdb::ColumnDataCollection* result = nullptr;
  duckdb::ColumnDataScanState scan;
};

duckdb::unique_ptr<duckdb::FunctionData> Bind(duckdb::ClientContext& context,
                                              duckdb::TableFunctionBindInput& input,
                                              duckdb::vector<duckdb::LogicalType>& types,
                                              duckdb::vector<std::string>& names) {
  return Guard([&] {
    const auto& info = input.info->Cast<FunctionInfo>();
    auto arguments = input.inputs;
    auto* lake = info.lake;
    if (!lake) {
      lake = &FindLake(context, arguments.at(0));
      arguments.erase(arguments.begin());
    }
    const LakeCall call{context, *lake, arguments, input.named_parameters};
    if (input.binder) {
      auto& properties = input.binder->GetStatementProperties();
      const auto* dry_run = call.Named("dry_run");
      if (info.function.writes && !(dry_run && duckdb::BooleanValue::Get(*dry_run))) {
        properties.RegisterDBModify(*lake, context, duckdb::DatabaseModificationType::UPDATE_DATA);
      } else {
        properties.RegisterDBRead(*lake, context);
      }
    }
    auto data = duckdb::make_uniq<BindData>(*lake, info.function.bind(call));
    types = data->bound.types;
    names = data->bound.names;
    return duckdb::unique_ptr<duckdb::FunctionData>(std::move(data));
  });
}

duckdb::unique_ptr<duckdb::GlobalTableFunctionState> Run(duckdb::ClientContext& context,
                                                         duckdb::TableFunctionInitInput& input) {
  return Guard([&] {
    const auto& data = input.bind_data->Cast<BindData>();
    auto state = duckdb::make_uniq<GlobalState>(context, data);
    data.bound.run(context, TarnTransaction::Get(context, data.lake), state->rows);
    state->result = &state->rows.Finish();
    state->result->InitializeScan(state->scan);
    return duckdb::unique_ptr<duckdb::GlobalTableFunctionState>(std::move(state));
  });
}

void Emit(duckdb::ClientContext&, duckdb::TableFunctionInput& input, duckdb::DataChunk& output) {
  auto& state = input.global_state->Cast<GlobalState>();
  state.result->Scan(state.scan, output);
}

duckdb::TableFunctionSet MakeTableFunctions(const LakeFunction& function, const std::string& name,
                                            TarnCatalog* lake) {
  auto arguments = function.arguments;
  if (!lake) arguments.insert(arguments.begin(), duckdb::LogicalType::VARCHAR);
  duckdb::TableFunction with_arguments(name, arguments, Emit, Bind, Run);
  with_arguments.named_parameters = function.named;
  with_arguments.function_info = duckdb::make_shared_ptr<FunctionInfo>(function, lake);
  duckdb::TableFunctionSet result(name);
  result.AddFunction(with_arguments);
  if (!function.optional.empty()) {
    auto& all = with_arguments.arguments;
    all.insert(all.end(), function.optional.begin(), function.optional.end());
    result.AddFunction(with_arguments);
  }
  return result;
}

}  // namespace

TarnCatalog& FindLake(duckdb::ClientContext& context, const duckdb::Value& value) {
  if (value.IsNull()) throw duckdb::BinderException("Catalog cannot be NULL");
  const auto name = value.ToString();
  auto catalog = duckdb::Catalog::GetCatalogEntry(context, name);
  if (!catalog) throw duckdb::BinderException("Failed to find attached database \"%s\"", name);
  auto* lake = dynamic_cast<TarnCatalog*>(catalog.get());
  if (!lake)
    throw duckdb::BinderException("Attached database \"%s\" does not refer to a DuckLake database",
                                  name);
  return *lake;
}

ResultRows::ResultRows(duckdb::ClientContext& context,
                       const duckdb::vector<duckdb::LogicalType>& types)
    : rows_(context, types) {
  rows_.InitializeAppend(append_);
  chunk_.Initialize(context, types);
}

void ResultRows::Add(const std::vector<duckdb::Value>& row) {
  const auto position = chunk_.size();
  for (size_t i = 0; i < row.size(); ++i) chunk_.SetValue(i, position, row[i]);
  chunk_.SetCardinality(position + 1);
  if (chunk_.size() == STANDARD_VECTOR_SIZE) {
    rows_.Append(append_, chunk_);
    chunk_.Reset();
  }
}

duckdb::ColumnDataCollection& ResultRows::Finish() {
  if (chunk_.size() > 0) rows_.Append(append_, chunk_);
  chunk_.Reset();
  return rows_;
}

TarnTransaction& LakeCall::transaction() const { return TarnTransaction::Get(context, lake); }

const duckdb::Value* LakeCall::NamedOrNull(const std::string& name) const {
  const auto found = named.find(name);
  return found == named.end() || found->second.IsNull() ? nullptr : &found->second;
}

const duckdb::Value* LakeCall::Named(const std::string& name) const {
  const auto found = named.find(name);
  if (found == named.end()) return nullptr;
  if (found->second.IsNull()) throw duckdb::BinderException("The %s cannot be NULL.", name);
  return &found->second;
}

std::string LakeCall::Text(size_t position, const char* what) const {
  const auto& value = arguments.at(position);
  if (value.IsNull()) throw duckdb::BinderException("The %s cannot be NULL.", what);
  return value.ToString();
}

TarnSchemaEntry& LakeCall::FindSchema(const std::string& schema) const {
  return lake.GetSchema(context, schema).Cast<TarnSchemaEntry>();
}

TarnTableEntry& LakeCall::FindTable(const std::string& schema, const std::string& table,
                                    duckdb::BoundAtClause* at) const {
  const duckdb::EntryLookupInfo schema_lookup(duckdb::CatalogType::SCHEMA_ENTRY, schema, at,
                                              duckdb::QueryErrorContext());
  if (!lake.GetSchema(context, schema_lookup, duckdb::OnEntryNotFound::RETURN_NULL)) {
    throw duckdb::CatalogException(
        "Schema \"%s\" not found in DuckLakeCatalog \"%s\": table \"%s\" does not exist", schema,
        lake.GetName(), table);
  }
  const duckdb::EntryLookupInfo lookup(duckdb::CatalogType::TABLE_ENTRY, table, at,
                                       duckdb::QueryErrorContext());
  auto entry = lake.GetEntry(context, schema, lookup, duckdb::OnEntryNotFound::RETURN_NULL);
  if (!entry) {
    if (at) lake.GetEntry(context, schema, lookup);  // its error tells of the version, too
    throw duckdb::CatalogException(
        "Table with name %s does not exist in the schema \"%s\" of the lake \"%s\".",
        table.empty() ? "\"\"" : table, schema, lake.GetName());
  }
  if (entry->type != duckdb::CatalogType::TABLE_ENTRY) {
    throw duckdb::CatalogException("\"%s\" is a view: this function takes a table.", table);
  }
  return entry->Cast<TarnTableEntry>();
}

const std::vector<LakeFunction>& LakeFunctions() {
  static const std::vector<LakeFunction> functions = {
      AddDataFilesFunction(),
      CleanupOldFilesFunction(),
      CurrentSnapshotFunction(),
      DeleteOrphanedFilesFunction(),
      ExpireSnapshotsFunction(),
      FlushInlinedDataFunction(),
      LastCommittedSnapshotFunction(),
      ListFilesFunction(),
      MergeAdjacentFilesFunction(),
      OptionsFunction(),
      RestoreFunction(),
      RewriteDataFilesFunction(),
      SetCommitMessageFunction(),
      SetOptionFunction(),
      SettingsFunction(),
      SnapshotsFunction(),
      TableInfoFunction(),
      UndropFunction(),
  };
  return functions;
}

void RegisterLakeFunctions(duckdb::ExtensionLoader& loader) {
  for (const auto& function : LakeFunctions()) {
    for (const char* prefix : {"ducklake_", "tarn_"}) {
      loader.RegisterFunction(MakeTableFunctions(function, prefix + function.name, nullptr));
    }
  }
}

duckdb::unique_ptr<duckdb::CatalogEntry> MakeLakeMethod(TarnCatalog& lake, TarnSchemaEntry& schema,
                                                        const std::string& name) {
  for (const auto& function : LakeFunctions()) {
    if (!duckdb::StringUtil::CIEquals(function.name, name)) continue;
    duckdb::CreateTableFunctionInfo info(MakeTableFunctions(function, function.name, &lake));
    return duckdb::make_uniq<duckdb::TableFunctionCatalogEntry>(lake, schema, info);
  }
  return MakeChangeFeedMethod(lake, schema, name);
}

BoundLakeFunction SuccessOnly(std::function<void(duckdb::ClientContext&, TarnTransaction&)> run) {
  BoundLakeFunction bound;
  bound.names = {"Success"};
  bound.types = {duckdb::LogicalType::BOOLEAN};
  bound.run = [run = std::move(run)](duckdb::ClientContext& context, TarnTransaction& transaction,
                                     ResultRows&) { run(context, transaction); };
  return bound;
}

}  // namespace tarn::engine
