// One table of a catalog database as DuckDB sees it, and its scan.
#pragma once

#include <string>

#include "duckdb.hpp"
#include "duckdb/catalog/catalog_entry/table_catalog_entry.hpp"
#include "duckdb/parser/parsed_data/create_table_info.hpp"
#include "engine/metadata/metadata_catalog.h"
#include "engine/metadata/table_shapes.h"

namespace tarn::engine {

class MetadataTableEntry : public duckdb::TableCatalogEntry {
 public:
  static duckdb::unique_ptr<MetadataTableEntry> Make(MetadataSchemaEntry& schema,
                                                     const MetadataTable& table);
  MetadataTableEntry(MetadataSchemaEntry& schema, duckdb::CreateTableInfo& info);

  duckdb::unique_ptr<duckdb::BaseStatistics> GetStatistics(duckdb::ClientContext& context,
                                                           duckdb::column_t column_id) override;
  duckdb::TableFunction GetScanFunction(
      duckdb::ClientContext& context, duckdb::unique_ptr<duckdb::FunctionData>& bind_data) override;
  duckdb::TableStorageInfo GetStorageInfo(duckdb::ClientContext& context) override;
  duckdb::virtual_column_map_t GetVirtualColumns() const override;
  duckdb::vector<duckdb::column_t> GetRowIdColumns() const override;

 private:
  MetadataCatalog& metadata_catalog_;
};

}  // namespace tarn::engine
