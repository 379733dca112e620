// See change_feed.h.
#include "engine/functions/change_feed.h"

#include <array>
#include <utility>

#include "duckdb/catalog/catalog_entry/table_function_catalog_entry.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/parsed_data/create_table_function_info.hpp"
#include "duckdb/planner/binder.hpp"
#include "duckdb/planner/tableref/bound_at_clause.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/snapshot_selector.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"
#include "engine/operators/feed_scan.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Value;

struct FeedKind {
  const char* name;  ///< without prefix
  bool inserted;
  bool deleted;
  bool tells_changes;
};

constexpr std::array<FeedKind, 3> kKinds{{{"table_insertions", true, false, false},
                                          {"table_deletions", false, true, false},
                                          {"table_changes", true, true, true}}};

struct FunctionInfo : duckdb::TableFunctionInfo {
  FunctionInfo(const FeedKind& kind, TarnCatalog* lake, std::string schema)
      : kind(kind), lake(lake), schema(std::move(schema)) {}
  const FeedKind& kind;
  TarnCatalog* lake;   ///< of a method; null: the first argument names it, the second the schema
  std::string schema;  ///< of a method: the one that it was found in
};

enum class Unit { kSnapshot, kTime };

Unit UnitOf(duckdb::ClientContext& context, const Value& value) {
  if (value.IsNull()) {
    throw Error(ErrorCode::kInvalid, "Snapshot identifier cannot be NULL");
  }
  if (value.type().IsIntegral()) {
    return Unit::kSnapshot;
  }
  if (value.type().id() == LogicalTypeId::VARCHAR) {
    Value number;
    std::string error;
    const bool is_number = value.TryCastAs(context, LogicalType::BIGINT, number, &error, true);
    return is_number ? Unit::kSnapshot : Unit::kTime;
  }
  if (value.type().IsTemporal() && value.type().id() != LogicalTypeId::INTERVAL) {
    return Unit::kTime;
  }
  throw Error(ErrorCode::kInvalid,
              "The ends of a change feed are two snapshot ids or two points in time; " +
                  value.ToString() + " is neither.");
}

// Both ends inclusive.
SnapshotRange RangeOf(duckdb::ClientContext& context, TarnCatalog& lake, const Value& first,
                      const Value& last) {
  const auto unit = UnitOf(context, first);
  if (unit != UnitOf(context, last)) {
    throw Error(ErrorCode::kInvalid,
                "The ends of a change feed must be two snapshot ids or two points in time, not one "
                "of each: " +
                    first.ToString() + " and " + last.ToString() + ".");
  }
  auto& kernel = lake.lake();
  SnapshotRange range;
  if (unit == Unit::kSnapshot) {
    range.last = kernel.FindSnapshot({.version = ToSnapshotId(context, last), .time = {}}).id;
    range.first = kernel.FindSnapshot({.version = ToSnapshotId(context, first), .time = {}}).id;
  } else {
    range.last = kernel.FindSnapshot({.version = {}, .time = ToTimestamp(context, last)}).id;
    range.first = kernel.FirstSnapshotFrom(ToTimestamp(context, first)).id;
  }
  return range;
}

duckdb::unique_ptr<duckdb::FunctionData> Bind(duckdb::ClientContext& context,
                                              duckdb::TableFunctionBindInput& input,
                                              duckdb::vector<LogicalType>& types,
                                              duckdb::vector<std::string>& names) {
  return Guard([&] {
    const auto& info = input.info->Cast<FunctionInfo>();
    auto arguments = input.inputs;
    auto* lake = info.lake;
    auto schema = info.schema;
    if (lake == nullptr) {
      lake = &FindLake(context, arguments.at(0));
      if (arguments.at(1).IsNull()) {
        throw Error(ErrorCode::kInvalid, "The schema name cannot be NULL.");
      }
      schema = arguments.at(1).ToString();
      arguments.erase(arguments.begin(), arguments.begin() + 2);
    }
    if (input.binder) {
      input.binder->GetStatementProperties().RegisterDBRead(*lake, context);
    }
    const LakeCall call{context, *lake, arguments, input.named_parameters};
    const auto table = call.Text(0, "table name");
    TarnTransaction::Get(context, *lake).kernel();  // fixes the snapshot, as any other use does
    FeedRequest request;
    request.range = RangeOf(context, *lake, arguments.at(1), arguments.at(2));
    request.inserted = info.kind.inserted;
    request.deleted = info.kind.deleted;
    request.tells_changes = info.kind.tells_changes;
    duckdb::BoundAtClause at("VERSION", Value::BIGINT(request.range.last.value));
    auto& entry = call.FindTable(schema, table, &at);

    duckdb::unique_ptr<duckdb::FunctionData> bind_data;
    auto function = MakeFeedFunction(context, std::make_shared<ScanSource>(context, entry, request),
                                     bind_data, types, names);
    // The binder goes on with its own copy of the registered function, a copy that it made for this
    // call: that has to become the scan, whose shape is known only now.
    const_cast<duckdb::TableFunction&>(input.table_function) = std::move(function);
    return bind_data;
  });
}

void NeverCalled(duckdb::ClientContext&, duckdb::TableFunctionInput&, duckdb::DataChunk&) {
  throw duckdb::InternalException("a change feed that was not bound");
}

duckdb::TableFunction MakeFunction(const FeedKind& kind, const std::string& name, TarnCatalog* lake,
                                   std::string schema) {
  // The ends are told apart by Bind, which can say what is wrong with them.
  duckdb::vector<LogicalType> arguments{LogicalType::VARCHAR, LogicalType::ANY, LogicalType::ANY};
  if (lake == nullptr) {
    arguments.insert(arguments.begin(), 2, LogicalType::VARCHAR);
  }
  duckdb::TableFunction function(name, arguments, NeverCalled, Bind);
  function.function_info = duckdb::make_shared_ptr<FunctionInfo>(kind, lake, std::move(schema));
  return function;
}

}  // namespace

void RegisterChangeFeed(duckdb::ExtensionLoader& loader) {
  for (const auto& kind : kKinds) {
    for (const std::string prefix : {"ducklake_", "tarn_"}) {
      loader.RegisterFunction(MakeFunction(kind, prefix + kind.name, nullptr, ""));
    }
  }
  RegisterFeedScan(loader);
}

duckdb::unique_ptr<duckdb::CatalogEntry> MakeChangeFeedMethod(TarnCatalog& lake,
                                                              TarnSchemaEntry& schema,
                                                              const std::string& name) {
  for (const auto& kind : kKinds) {
    if (!duckdb::StringUtil::CIEquals(kind.name, name)) {
      continue;
    }
    duckdb::CreateTableFunctionInfo info(MakeFunction(kind, kind.name, &lake, schema.name));
    return duckdb::make_uniq<duckdb::TableFunctionCatalogEntry>(lake, schema, info);
  }
  return nullptr;
}

}  // namespace tarn::engine
