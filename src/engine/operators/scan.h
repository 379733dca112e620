// Scans of lake tables by DuckDB's Parquet reader.
#pragma once

#include <memory>

#include "duckdb.hpp"

namespace duckdb {
class ExtensionLoader;
class LogicalGet;
}  // namespace duckdb

namespace tarn::engine {

class ScanFileList;
class ScanSource;
class TarnTableEntry;

/// The table function that reads `table`, and its bind data. `lookup` is what found the entry; its
/// AT clause is resolved already (TarnTableEntry::at()).
duckdb::TableFunction MakeScanFunction(duckdb::ClientContext& context, TarnTableEntry& table,
                                       duckdb::unique_ptr<duckdb::FunctionData>& bind_data,
                                       const duckdb::EntryLookupInfo& lookup);

/// The same for a source that is there already.
duckdb::TableFunction MakeScanFunction(duckdb::ClientContext& context,
                                       std::shared_ptr<ScanSource> source,
                                       duckdb::unique_ptr<duckdb::FunctionData>& bind_data);

/// rowid, snapshot_id, filename, file_row_number, file_index. DuckDB lets a real column of the same
/// name hide one; all have to be listed all the same, since late materialisation uses them.
duckdb::virtual_column_map_t ScanVirtualColumns();

/// What scans of tables and of their changes have in common: parquet_scan that reads the files of
/// `info`'s source through readers that `make_reader` makes. Not bound, no name, and no answers to
/// the optimiser yet.
duckdb::TableFunction MakeLakeScan(duckdb::ClientContext& context,
                                   duckdb::shared_ptr<duckdb::TableFunctionInfo> info,
                                   duckdb::table_function_get_multi_file_reader_t make_reader);
/// Binds what MakeLakeScan made.
duckdb::unique_ptr<duckdb::FunctionData> BindLakeScan(duckdb::ClientContext& context,
                                                      duckdb::TableFunction& function,
                                                      duckdb::vector<duckdb::LogicalType>& types,
                                                      duckdb::vector<std::string>& names);

/// Statistics of one column of the table as `table` sees it; null when there are none that hold.
duckdb::unique_ptr<duckdb::BaseStatistics> ScanColumnStatistics(duckdb::ClientContext& context,
                                                                TarnTableEntry& table,
                                                                duckdb::column_t column_id);

/// The files of a scan of ours; null for any other operator.
const ScanFileList* FindScannedFiles(const duckdb::PhysicalOperator& op);

/// The same of a plan that is not physical yet.
const ScanFileList* FindScannedFiles(const duckdb::LogicalGet& get);

/// Whether a plan gives all rows of the table as it is now, and how many they are is known.
bool ScansWholeTable(const duckdb::PhysicalOperator& plan, const TarnTableEntry& entry);

/// DuckDB copies plans by writing and reading them, and finds a scan's function by name.
void RegisterScan(duckdb::ExtensionLoader& loader);

}  // namespace tarn::engine
