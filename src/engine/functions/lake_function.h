// SQL functions about a lake. Each exists as ducklake_x('lake', …), as tarn_x('lake', …) and as the
// method lake.x(…).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/common/types/column/column_data_collection.hpp"

namespace tarn::engine {

class TarnCatalog;
class TarnSchemaEntry;
class TarnTableEntry;
class TarnTransaction;

/// The rows of one call, in the order they were added.
class ResultRows {
 public:
  ResultRows(duckdb::ClientContext& context, const duckdb::vector<duckdb::LogicalType>& types);
  void Add(const std::vector<duckdb::Value>& row);
  /// No more rows follow.
  duckdb::ColumnDataCollection& Finish();

 private:
  duckdb::ColumnDataCollection rows_;
  duckdb::ColumnDataAppendState append_;
  duckdb::DataChunk chunk_;
};

/// What a function gets to bind: the lake and the arguments after it.
struct LakeCall {
  duckdb::ClientContext& context;
  TarnCatalog& lake;
  const duckdb::vector<duckdb::Value>& arguments;
  const duckdb::named_parameter_map_t& named;

  TarnTransaction& transaction() const;
  /// A named argument; null when it was not given or is NULL.
  const duckdb::Value* Named(const std::string& name) const;
  /// For those to which NULL means that they are not given.
  const duckdb::Value* NamedOrNull(const std::string& name) const;
  /// A text that must be there; throws kInvalid naming it when it is NULL.
  std::string Text(size_t position, const char* what) const;
  /// Throws as a query would when there is no such schema or table. `at` may be null.
  TarnSchemaEntry& FindSchema(const std::string& schema) const;
  TarnTableEntry& FindTable(const std::string& schema, const std::string& table,
                            duckdb::BoundAtClause* at = nullptr) const;
};

/// The lake that a function's first argument names; throws when it names none.
TarnCatalog& FindLake(duckdb::ClientContext& context, const duckdb::Value& name);

struct BoundLakeFunction {
  duckdb::vector<std::string> names;
  duckdb::vector<duckdb::LogicalType> types;
  /// Called once, when the statement runs.
  std::function<void(duckdb::ClientContext&, TarnTransaction&, ResultRows&)> run;
};

struct LakeFunction {
  std::string name;                                    ///< without prefix
  bool writes = false;                                 ///< unless it is called with dry_run
  duckdb::vector<duckdb::LogicalType> arguments = {};  ///< after the lake
  duckdb::vector<duckdb::LogicalType> optional = {};   ///< that may follow these, all or none
  duckdb::named_parameter_type_map_t named = {};
  BoundLakeFunction (*bind)(const LakeCall& call) = nullptr;
};

/// All of them, by name.
const std::vector<LakeFunction>& LakeFunctions();

/// Registers ducklake_x and tarn_x for each.
void RegisterLakeFunctions(duckdb::ExtensionLoader& loader);

/// The entry behind lake.x(…); null when there is no such method.
duckdb::unique_ptr<duckdb::CatalogEntry> MakeLakeMethod(TarnCatalog& lake, TarnSchemaEntry& schema,
                                                        const std::string& name);

/// A column that says only that a call came back: it has no rows.
BoundLakeFunction SuccessOnly(std::function<void(duckdb::ClientContext&, TarnTransaction&)> run);

// One file each.
LakeFunction AddDataFilesFunction();
LakeFunction CleanupOldFilesFunction();
LakeFunction CurrentSnapshotFunction();
LakeFunction DeleteOrphanedFilesFunction();
LakeFunction ExpireSnapshotsFunction();
LakeFunction FlushInlinedDataFunction();
LakeFunction LastCommittedSnapshotFunction();
LakeFunction ListFilesFunction();
LakeFunction MergeAdjacentFilesFunction();
LakeFunction OptionsFunction();
LakeFunction RestoreFunction();
LakeFunction RewriteDataFilesFunction();
LakeFunction SetCommitMessageFunction();
LakeFunction SetOptionFunction();
LakeFunction SettingsFunction();
LakeFunction SnapshotsFunction();
LakeFunction TableInfoFunction();
LakeFunction UndropFunction();

}  // namespace tarn::engine
