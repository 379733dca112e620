// A lake's table as DuckDB sees it: columns, constraints and comments of one immutable tarn::Table,
// and how to scan it.
#pragma once

#include <memory>
#include <optional>

#include "duckdb.hpp"
#include "duckdb/catalog/catalog_entry/table_catalog_entry.hpp"
#include "duckdb/parser/parsed_data/create_table_info.hpp"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn::engine {

class TarnCatalog;
class TarnSchemaEntry;

/// Column ids of the virtual columns that DuckDB's Parquet reader does not have (it has `filename`,
/// `file_row_number`, `file_index`).
inline constexpr duckdb::column_t kSnapshotIdColumn = UINT64_C(9223372036854776001);

class TarnTableEntry : public duckdb::TableCatalogEntry {
 public:
  TarnTableEntry(TarnCatalog& catalog, TarnSchemaEntry& schema, duckdb::CreateTableInfo& info,
                 std::shared_ptr<const Table> table, std::optional<Snapshot> at);

  const Table& table() const { return *table_; }
  const std::shared_ptr<const Table>& shared_table() const { return table_; }
  /// The snapshot that an AT clause chose; absent: read the transaction's own.
  const std::optional<Snapshot>& at() const { return at_; }
  TarnCatalog& lake_catalog() const { return lake_catalog_; }
  /// The table's column with this logical index; null for virtual columns.
  const Column* FindColumn(duckdb::column_t column_id) const;

  duckdb::unique_ptr<duckdb::BaseStatistics> GetStatistics(duckdb::ClientContext& context,
                                                           duckdb::column_t column_id) override;
  duckdb::TableFunction GetScanFunction(
      duckdb::ClientContext& context, duckdb::unique_ptr<duckdb::FunctionData>& bind_data) override;
  duckdb::TableFunction GetScanFunction(duckdb::ClientContext& context,
                                        duckdb::unique_ptr<duckdb::FunctionData>& bind_data,
                                        const duckdb::EntryLookupInfo& lookup) override;
  duckdb::TableStorageInfo GetStorageInfo(duckdb::ClientContext& context) override;
  void BindUpdateConstraints(duckdb::Binder& binder, duckdb::LogicalGet& get,
                             duckdb::LogicalProjection& proj, duckdb::LogicalUpdate& update,
                             duckdb::ClientContext& context) override;
  duckdb::virtual_column_map_t GetVirtualColumns() const override;
  duckdb::vector<duckdb::column_t> GetRowIdColumns() const override;

 private:
  TarnCatalog& lake_catalog_;
  std::shared_ptr<const Table> table_;
  std::optional<Snapshot> at_;
};

}  // namespace tarn::engine
