// See the header. A function that Tarn learns goes from this list to lake_function.cc.
#include "engine/functions/other_clients_functions.h"

#include "duckdb/catalog/catalog_entry/table_function_catalog_entry.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/parsed_data/create_table_function_info.hpp"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"

namespace tarn::engine {
namespace {

constexpr const char* kFunctions[] = {
    "add_data_files",
};

// Of any of them: with a name that is not here DuckDB would complain of the name first.
constexpr const char* kNamedArguments[] = {
    "allow_missing", "hive_partitioning", "ignore_extra_columns",
    "schema",        "schema_name",       "table_name",
};

duckdb::unique_ptr<duckdb::FunctionData> Refuse(duckdb::ClientContext&,
                                                duckdb::TableFunctionBindInput& input,
                                                duckdb::vector<duckdb::LogicalType>&,
                                                duckdb::vector<std::string>&) {
  throw duckdb::NotImplementedException(
      "%s is not supported in this version of Tarn. Run it in a DuckDB client that has loaded the "
      "ducklake extension: both may work on this lake at the same time.",
      input.table_function.name);
}

void Nothing(duckdb::ClientContext&, duckdb::TableFunctionInput&, duckdb::DataChunk&) {}

duckdb::TableFunction MakeFunction(const std::string& name) {
  duckdb::TableFunction function(name, {}, Nothing, Refuse);
  function.varargs = duckdb::LogicalType::ANY;
  for (const char* argument : kNamedArguments)
    function.named_parameters[argument] = duckdb::LogicalType::ANY;
  return function;
}

}  // namespace

void RegisterOtherClientsFunctions(duckdb::ExtensionLoader& loader) {
  for (const std::string name : kFunctions) {
    for (const char* prefix : {"ducklake_", "tarn_"})
      loader.RegisterFunction(MakeFunction(prefix + name));
  }
}

duckdb::unique_ptr<duckdb::CatalogEntry> MakeOtherClientsMethod(TarnCatalog& lake,
                                                                TarnSchemaEntry& schema,
                                                                const std::string& name) {
  for (const std::string known : kFunctions) {
    if (!duckdb::StringUtil::CIEquals(known, name)) continue;
    duckdb::CreateTableFunctionInfo info(MakeFunction(known));
    return duckdb::make_uniq<duckdb::TableFunctionCatalogEntry>(lake, schema, info);
  }
  return nullptr;
}

}  // namespace tarn::engine
