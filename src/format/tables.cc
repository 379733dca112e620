// DDL and names from the description of the 28 tables.
#include "format/tables.h"

namespace tarn {

std::vector<std::string_view> CatalogTable::ColumnNames() const {
  std::vector<std::string_view> names;
  names.reserve(columns.size());
  for (const CatalogColumn& column : columns) names.push_back(column.name);
  return names;
}

std::string CreateTableSql(const CatalogTable& table, const Dialect& dialect) {
  std::string sql = "CREATE TABLE " + dialect.QuoteTable(table.name) + "(";
  const char* separator = "";
  for (const CatalogColumn& column : table.columns) {
    sql += separator + dialect.Quote(column.name) + " " + dialect.TypeName(column.type);
    if (column.primary_key) sql += " PRIMARY KEY";
    if (column.not_null) sql += " NOT NULL";
    separator = ", ";
  }
  return sql + ")";
}

std::string ColumnList(std::span<const CatalogColumn> columns, const Dialect& dialect,
                       std::string_view alias) {
  std::string list;
  for (const CatalogColumn& column : columns) {
    if (!list.empty()) list += ", ";
    if (!alias.empty()) (list += alias) += '.';
    list += dialect.Quote(column.name);
  }
  return list;
}

std::string InlinedDataTableName(TableId table, int64_t schema_version) {
  return "ducklake_inlined_data_" + std::to_string(table.value) + "_" +
         std::to_string(schema_version);
}

std::string InlinedDeleteTableName(TableId table) {
  return "ducklake_inlined_delete_" + std::to_string(table.value);
}

std::span<const CatalogTable> AllCatalogTables() {
  namespace t = tables;
  static constexpr CatalogTable kAll[] = {
      t::Metadata::kTable,
      t::Snapshot::kTable,
      t::SnapshotChanges::kTable,
      t::Schema::kTable,
      t::Table::kTable,
      t::View::kTable,
      t::Column::kTable,
      t::Macro::kTable,
      t::MacroImpl::kTable,
      t::MacroParameters::kTable,
      t::DataFile::kTable,
      t::DeleteFile::kTable,
      t::FilesScheduledForDeletion::kTable,
      t::InlinedDataTables::kTable,
      t::ColumnMapping::kTable,
      t::NameMapping::kTable,
      t::TableStats::kTable,
      t::TableColumnStats::kTable,
      t::FileColumnStats::kTable,
      t::FileVariantStats::kTable,
      t::PartitionInfo::kTable,
      t::PartitionColumn::kTable,
      t::FilePartitionValue::kTable,
      t::SortInfo::kTable,
      t::SortExpression::kTable,
      t::Tag::kTable,
      t::ColumnTag::kTable,
      t::SchemaVersions::kTable,
  };
  static_assert(std::size(kAll) == 28);
  return kAll;
}

}  // namespace tarn
