// A lake's table as DuckDB sees it. See tarn_table_entry.h.
#include "engine/catalog/tarn_table_entry.h"

#include "duckdb/common/multi_file/multi_file_reader.hpp"
#include "duckdb/storage/statistics/base_statistics.hpp"
#include "duckdb/storage/table_storage_info.hpp"
#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_schema_entry.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/operators/row_changes_bind.h"
#include "engine/operators/scan.h"

namespace tarn::engine {

TarnTableEntry::TarnTableEntry(TarnCatalog& catalog, TarnSchemaEntry& schema,
                               duckdb::CreateTableInfo& info, std::shared_ptr<const Table> table,
                               std::optional<Snapshot> at)
    : duckdb::TableCatalogEntry(catalog, schema, info),
      lake_catalog_(catalog),
      table_(std::move(table)),
      at_(std::move(at)) {}

const Column* TarnTableEntry::FindColumn(duckdb::column_t column_id) const {
  return column_id < table_->columns.size() ? &table_->columns[column_id] : nullptr;
}

duckdb::unique_ptr<duckdb::BaseStatistics> TarnTableEntry::GetStatistics(duckdb::ClientContext&,
                                                                         duckdb::column_t) {
  return nullptr;  // the scan function has its own, which know the snapshot that is read
}

duckdb::TableFunction TarnTableEntry::GetScanFunction(duckdb::ClientContext&,
                                                      duckdb::unique_ptr<duckdb::FunctionData>&) {
  throw duckdb::InternalException("a scan of a lake table without a look-up");
}

duckdb::TableFunction TarnTableEntry::GetScanFunction(
    duckdb::ClientContext& context, duckdb::unique_ptr<duckdb::FunctionData>& bind_data,
    const duckdb::EntryLookupInfo& lookup) {
  return Guard([&] { return MakeScanFunction(context, *this, bind_data, lookup); });
}

duckdb::TableStorageInfo TarnTableEntry::GetStorageInfo(duckdb::ClientContext& context) {
  return Guard([&] {
    duckdb::TableStorageInfo result;
    if (!at_) {
      const auto rows = TarnTransaction::Get(context, lake_catalog_).RowCount(context, table_->ref);
      if (rows && *rows >= 0) result.cardinality = static_cast<duckdb::idx_t>(*rows);
    }
    return result;
  });
}

void TarnTableEntry::BindUpdateConstraints(duckdb::Binder&, duckdb::LogicalGet& get,
                                           duckdb::LogicalProjection& proj,
                                           duckdb::LogicalUpdate& update, duckdb::ClientContext&) {
  AddUnchangedColumns(*this, get, proj, update);
}

duckdb::virtual_column_map_t TarnTableEntry::GetVirtualColumns() const {
  using Reader = duckdb::MultiFileReader;
  duckdb::virtual_column_map_t result;
  const auto add = [&](duckdb::column_t id, const char* name, const duckdb::LogicalType& type) {
    result.emplace(id, duckdb::TableColumn(name, type));
  };
  add(duckdb::COLUMN_IDENTIFIER_ROW_ID, "rowid", duckdb::LogicalType::BIGINT);
  add(kSnapshotIdColumn, "snapshot_id", duckdb::LogicalType::BIGINT);
  add(Reader::COLUMN_IDENTIFIER_FILENAME, "filename", duckdb::LogicalType::VARCHAR);
  add(Reader::COLUMN_IDENTIFIER_FILE_ROW_NUMBER, "file_row_number", duckdb::LogicalType::BIGINT);
  add(Reader::COLUMN_IDENTIFIER_FILE_INDEX, "file_index", duckdb::LogicalType::UBIGINT);
  add(duckdb::COLUMN_IDENTIFIER_EMPTY, "", duckdb::LogicalType::BOOLEAN);
  return result;
}

duckdb::vector<duckdb::column_t> TarnTableEntry::GetRowIdColumns() const {
  // For statements that change rows: a row's place, stable in one transaction, and the id that an
  // update keeps.
  return {duckdb::MultiFileReader::COLUMN_IDENTIFIER_FILE_INDEX,
          duckdb::MultiFileReader::COLUMN_IDENTIFIER_FILE_ROW_NUMBER,
          duckdb::COLUMN_IDENTIFIER_ROW_ID};
}

}  // namespace tarn::engine
