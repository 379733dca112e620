// The 28 catalog tables, described once (format page, section 1): names, columns in order, types,
// constraints. DDL, queries and inserts take their names from here:
// `tables::DataFile::kTable.name`, `tables::DataFile::kTableId.name`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/catalog_store.h"
#include "tarn/ids.h"

namespace tarn {

struct CatalogColumn {
  std::string_view name;
  StoreType type = StoreType::kBigint;
  bool not_null = false;
  bool primary_key = false;
};

struct CatalogTable {
  std::string_view name;
  std::span<const CatalogColumn> columns;

  /// Names in order, for InsertRows.
  std::vector<std::string_view> ColumnNames() const;
  /// Position of a column, -1 when absent.
  constexpr int Position(std::string_view column) const {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name == column) return static_cast<int>(i);
    }
    return -1;
  }
};

/// `CREATE TABLE …` with the dialect's quoting and types.
std::string CreateTableSql(const CatalogTable& table, const Dialect& dialect);
/// Quoted column names separated by commas, optionally behind an alias: `d."path",
/// d."record_count"`.
std::string ColumnList(std::span<const CatalogColumn> columns, const Dialect& dialect,
                       std::string_view alias = {});

/// `ducklake_inlined_data_<table>_<schema_version>`.
std::string InlinedDataTableName(TableId table, int64_t schema_version);
/// `ducklake_inlined_delete_<table>`.
std::string InlinedDeleteTableName(TableId table);

namespace tables {

constexpr CatalogColumn Bigint(std::string_view name) { return {name, StoreType::kBigint}; }
constexpr CatalogColumn BigintKey(std::string_view name) {
  return {name, StoreType::kBigint, false, true};
}
constexpr CatalogColumn Varchar(std::string_view name) { return {name, StoreType::kVarchar}; }
constexpr CatalogColumn VarcharNotNull(std::string_view name) {
  return {name, StoreType::kVarchar, true};
}
constexpr CatalogColumn Boolean(std::string_view name) { return {name, StoreType::kBoolean}; }
constexpr CatalogColumn TimestampTz(std::string_view name) {
  return {name, StoreType::kTimestampTz};
}
constexpr CatalogColumn Uuid(std::string_view name) { return {name, StoreType::kUuid}; }

struct Metadata {
  static constexpr CatalogColumn kKey = VarcharNotNull("key");
  static constexpr CatalogColumn kValue = VarcharNotNull("value");
  static constexpr CatalogColumn kScope = Varchar("scope");
  static constexpr CatalogColumn kScopeId = Bigint("scope_id");
  static constexpr CatalogColumn kColumns[] = {kKey, kValue, kScope, kScopeId};
  static constexpr CatalogTable kTable{"ducklake_metadata", kColumns};
};

struct Snapshot {
  static constexpr CatalogColumn kSnapshotId = BigintKey("snapshot_id");
  static constexpr CatalogColumn kSnapshotTime = TimestampTz("snapshot_time");
  static constexpr CatalogColumn kSchemaVersion = Bigint("schema_version");
  static constexpr CatalogColumn kNextCatalogId = Bigint("next_catalog_id");
  static constexpr CatalogColumn kNextFileId = Bigint("next_file_id");
  static constexpr CatalogColumn kColumns[] = {kSnapshotId, kSnapshotTime, kSchemaVersion,
                                               kNextCatalogId, kNextFileId};
  static constexpr CatalogTable kTable{"ducklake_snapshot", kColumns};
};

struct SnapshotChanges {
  static constexpr CatalogColumn kSnapshotId = BigintKey("snapshot_id");
  static constexpr CatalogColumn kChangesMade = Varchar("changes_made");
  static constexpr CatalogColumn kAuthor = Varchar("author");
  static constexpr CatalogColumn kCommitMessage = Varchar("commit_message");
  static constexpr CatalogColumn kCommitExtraInfo = Varchar("commit_extra_info");
  static constexpr CatalogColumn kColumns[] = {kSnapshotId, kChangesMade, kAuthor, kCommitMessage,
                                               kCommitExtraInfo};
  static constexpr CatalogTable kTable{"ducklake_snapshot_changes", kColumns};
};

struct Schema {
  static constexpr CatalogColumn kSchemaId = BigintKey("schema_id");
  static constexpr CatalogColumn kSchemaUuid = Uuid("schema_uuid");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kSchemaName = Varchar("schema_name");
  static constexpr CatalogColumn kPath = Varchar("path");
  static constexpr CatalogColumn kPathIsRelative = Boolean("path_is_relative");
  static constexpr CatalogColumn kColumns[] = {
      kSchemaId, kSchemaUuid, kBeginSnapshot, kEndSnapshot, kSchemaName, kPath, kPathIsRelative};
  static constexpr CatalogTable kTable{"ducklake_schema", kColumns};
};

struct Table {
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kTableUuid = Uuid("table_uuid");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kSchemaId = Bigint("schema_id");
  static constexpr CatalogColumn kTableName = Varchar("table_name");
  static constexpr CatalogColumn kPath = Varchar("path");
  static constexpr CatalogColumn kPathIsRelative = Boolean("path_is_relative");
  static constexpr CatalogColumn kColumns[] = {kTableId,     kTableUuid,     kBeginSnapshot,
                                               kEndSnapshot, kSchemaId,      kTableName,
                                               kPath,        kPathIsRelative};
  static constexpr CatalogTable kTable{"ducklake_table", kColumns};
};

struct View {
  static constexpr CatalogColumn kViewId = Bigint("view_id");
  static constexpr CatalogColumn kViewUuid = Uuid("view_uuid");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kSchemaId = Bigint("schema_id");
  static constexpr CatalogColumn kViewName = Varchar("view_name");
  static constexpr CatalogColumn kDialect = Varchar("dialect");
  static constexpr CatalogColumn kSql = Varchar("sql");
  static constexpr CatalogColumn kColumnAliases = Varchar("column_aliases");
  static constexpr CatalogColumn kColumns[] = {kViewId,      kViewUuid, kBeginSnapshot,
                                               kEndSnapshot, kSchemaId, kViewName,
                                               kDialect,     kSql,      kColumnAliases};
  static constexpr CatalogTable kTable{"ducklake_view", kColumns};
};

struct Column {
  static constexpr CatalogColumn kColumnId = Bigint("column_id");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kColumnOrder = Bigint("column_order");
  static constexpr CatalogColumn kColumnName = Varchar("column_name");
  static constexpr CatalogColumn kColumnType = Varchar("column_type");
  static constexpr CatalogColumn kInitialDefault = Varchar("initial_default");
  static constexpr CatalogColumn kDefaultValue = Varchar("default_value");
  static constexpr CatalogColumn kNullsAllowed = Boolean("nulls_allowed");
  static constexpr CatalogColumn kParentColumn = Bigint("parent_column");
  static constexpr CatalogColumn kDefaultValueType = Varchar("default_value_type");
  static constexpr CatalogColumn kDefaultValueDialect = Varchar("default_value_dialect");
  static constexpr CatalogColumn kColumns[] = {
      kColumnId,     kBeginSnapshot,    kEndSnapshot,        kTableId,      kColumnOrder,
      kColumnName,   kColumnType,       kInitialDefault,     kDefaultValue, kNullsAllowed,
      kParentColumn, kDefaultValueType, kDefaultValueDialect};
  static constexpr CatalogTable kTable{"ducklake_column", kColumns};
};

struct Macro {
  static constexpr CatalogColumn kSchemaId = Bigint("schema_id");
  static constexpr CatalogColumn kMacroId = Bigint("macro_id");
  static constexpr CatalogColumn kMacroName = Varchar("macro_name");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kColumns[] = {kSchemaId, kMacroId, kMacroName, kBeginSnapshot,
                                               kEndSnapshot};
  static constexpr CatalogTable kTable{"ducklake_macro", kColumns};
};

struct MacroImpl {
  static constexpr CatalogColumn kMacroId = Bigint("macro_id");
  static constexpr CatalogColumn kImplId = Bigint("impl_id");
  static constexpr CatalogColumn kDialect = Varchar("dialect");
  static constexpr CatalogColumn kSql = Varchar("sql");
  static constexpr CatalogColumn kType = Varchar("type");
  static constexpr CatalogColumn kColumns[] = {kMacroId, kImplId, kDialect, kSql, kType};
  static constexpr CatalogTable kTable{"ducklake_macro_impl", kColumns};
};

struct MacroParameters {
  static constexpr CatalogColumn kMacroId = Bigint("macro_id");
  static constexpr CatalogColumn kImplId = Bigint("impl_id");
  static constexpr CatalogColumn kColumnId = Bigint("column_id");
  static constexpr CatalogColumn kParameterName = Varchar("parameter_name");
  static constexpr CatalogColumn kParameterType = Varchar("parameter_type");
  static constexpr CatalogColumn kDefaultValue = Varchar("default_value");
  static constexpr CatalogColumn kDefaultValueType = Varchar("default_value_type");
  static constexpr CatalogColumn kColumns[] = {kMacroId,         kImplId,        kColumnId,
                                               kParameterName,   kParameterType, kDefaultValue,
                                               kDefaultValueType};
  static constexpr CatalogTable kTable{"ducklake_macro_parameters", kColumns};
};

struct DataFile {
  static constexpr CatalogColumn kDataFileId = BigintKey("data_file_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kFileOrder = Bigint("file_order");
  static constexpr CatalogColumn kPath = Varchar("path");
  static constexpr CatalogColumn kPathIsRelative = Boolean("path_is_relative");
  static constexpr CatalogColumn kFileFormat = Varchar("file_format");
  static constexpr CatalogColumn kRecordCount = Bigint("record_count");
  static constexpr CatalogColumn kFileSizeBytes = Bigint("file_size_bytes");
  static constexpr CatalogColumn kFooterSize = Bigint("footer_size");
  static constexpr CatalogColumn kRowIdStart = Bigint("row_id_start");
  static constexpr CatalogColumn kPartitionId = Bigint("partition_id");
  static constexpr CatalogColumn kEncryptionKey = Varchar("encryption_key");
  static constexpr CatalogColumn kMappingId = Bigint("mapping_id");
  static constexpr CatalogColumn kPartialMax = Bigint("partial_max");
  static constexpr CatalogColumn kColumns[] = {
      kDataFileId,     kTableId,       kBeginSnapshot, kEndSnapshot,   kFileOrder,  kPath,
      kPathIsRelative, kFileFormat,    kRecordCount,   kFileSizeBytes, kFooterSize, kRowIdStart,
      kPartitionId,    kEncryptionKey, kMappingId,     kPartialMax};
  static constexpr CatalogTable kTable{"ducklake_data_file", kColumns};
};

struct DeleteFile {
  static constexpr CatalogColumn kDeleteFileId = BigintKey("delete_file_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kDataFileId = Bigint("data_file_id");
  static constexpr CatalogColumn kPath = Varchar("path");
  static constexpr CatalogColumn kPathIsRelative = Boolean("path_is_relative");
  static constexpr CatalogColumn kFormat = Varchar("format");
  static constexpr CatalogColumn kDeleteCount = Bigint("delete_count");
  static constexpr CatalogColumn kFileSizeBytes = Bigint("file_size_bytes");
  static constexpr CatalogColumn kFooterSize = Bigint("footer_size");
  static constexpr CatalogColumn kEncryptionKey = Varchar("encryption_key");
  static constexpr CatalogColumn kPartialMax = Bigint("partial_max");
  static constexpr CatalogColumn kColumns[] = {
      kDeleteFileId, kTableId,        kBeginSnapshot, kEndSnapshot, kDataFileId,
      kPath,         kPathIsRelative, kFormat,        kDeleteCount, kFileSizeBytes,
      kFooterSize,   kEncryptionKey,  kPartialMax};
  static constexpr CatalogTable kTable{"ducklake_delete_file", kColumns};
};

struct FilesScheduledForDeletion {
  static constexpr CatalogColumn kDataFileId = Bigint("data_file_id");
  static constexpr CatalogColumn kPath = Varchar("path");
  static constexpr CatalogColumn kPathIsRelative = Boolean("path_is_relative");
  static constexpr CatalogColumn kScheduleStart = TimestampTz("schedule_start");
  static constexpr CatalogColumn kColumns[] = {kDataFileId, kPath, kPathIsRelative, kScheduleStart};
  static constexpr CatalogTable kTable{"ducklake_files_scheduled_for_deletion", kColumns};
};

struct InlinedDataTables {
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kTableName = Varchar("table_name");
  static constexpr CatalogColumn kSchemaVersion = Bigint("schema_version");
  static constexpr CatalogColumn kColumns[] = {kTableId, kTableName, kSchemaVersion};
  static constexpr CatalogTable kTable{"ducklake_inlined_data_tables", kColumns};
};

struct ColumnMapping {
  static constexpr CatalogColumn kMappingId = Bigint("mapping_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kType = Varchar("type");
  static constexpr CatalogColumn kColumns[] = {kMappingId, kTableId, kType};
  static constexpr CatalogTable kTable{"ducklake_column_mapping", kColumns};
};

struct NameMapping {
  static constexpr CatalogColumn kMappingId = Bigint("mapping_id");
  static constexpr CatalogColumn kColumnId = Bigint("column_id");
  static constexpr CatalogColumn kSourceName = Varchar("source_name");
  static constexpr CatalogColumn kTargetFieldId = Bigint("target_field_id");
  static constexpr CatalogColumn kParentColumn = Bigint("parent_column");
  static constexpr CatalogColumn kIsPartition = Boolean("is_partition");
  static constexpr CatalogColumn kColumns[] = {kMappingId,     kColumnId,     kSourceName,
                                               kTargetFieldId, kParentColumn, kIsPartition};
  static constexpr CatalogTable kTable{"ducklake_name_mapping", kColumns};
};

struct TableStats {
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kRecordCount = Bigint("record_count");
  static constexpr CatalogColumn kNextRowId = Bigint("next_row_id");
  static constexpr CatalogColumn kFileSizeBytes = Bigint("file_size_bytes");
  static constexpr CatalogColumn kColumns[] = {kTableId, kRecordCount, kNextRowId, kFileSizeBytes};
  static constexpr CatalogTable kTable{"ducklake_table_stats", kColumns};
};

struct TableColumnStats {
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kColumnId = Bigint("column_id");
  static constexpr CatalogColumn kContainsNull = Boolean("contains_null");
  static constexpr CatalogColumn kContainsNan = Boolean("contains_nan");
  static constexpr CatalogColumn kMinValue = Varchar("min_value");
  static constexpr CatalogColumn kMaxValue = Varchar("max_value");
  static constexpr CatalogColumn kExtraStats = Varchar("extra_stats");
  static constexpr CatalogColumn kColumns[] = {kTableId,  kColumnId, kContainsNull, kContainsNan,
                                               kMinValue, kMaxValue, kExtraStats};
  static constexpr CatalogTable kTable{"ducklake_table_column_stats", kColumns};
};

struct FileColumnStats {
  static constexpr CatalogColumn kDataFileId = Bigint("data_file_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kColumnId = Bigint("column_id");
  static constexpr CatalogColumn kColumnSizeBytes = Bigint("column_size_bytes");
  static constexpr CatalogColumn kValueCount = Bigint("value_count");
  static constexpr CatalogColumn kNullCount = Bigint("null_count");
  static constexpr CatalogColumn kMinValue = Varchar("min_value");
  static constexpr CatalogColumn kMaxValue = Varchar("max_value");
  static constexpr CatalogColumn kContainsNan = Boolean("contains_nan");
  static constexpr CatalogColumn kExtraStats = Varchar("extra_stats");
  static constexpr CatalogColumn kColumns[] = {
      kDataFileId, kTableId,  kColumnId, kColumnSizeBytes, kValueCount,
      kNullCount,  kMinValue, kMaxValue, kContainsNan,     kExtraStats};
  static constexpr CatalogTable kTable{"ducklake_file_column_stats", kColumns};
};

struct FileVariantStats {
  static constexpr CatalogColumn kDataFileId = Bigint("data_file_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kColumnId = Bigint("column_id");
  static constexpr CatalogColumn kVariantPath = Varchar("variant_path");
  static constexpr CatalogColumn kShreddedType = Varchar("shredded_type");
  static constexpr CatalogColumn kColumnSizeBytes = Bigint("column_size_bytes");
  static constexpr CatalogColumn kValueCount = Bigint("value_count");
  static constexpr CatalogColumn kNullCount = Bigint("null_count");
  static constexpr CatalogColumn kMinValue = Varchar("min_value");
  static constexpr CatalogColumn kMaxValue = Varchar("max_value");
  static constexpr CatalogColumn kContainsNan = Boolean("contains_nan");
  static constexpr CatalogColumn kExtraStats = Varchar("extra_stats");
  static constexpr CatalogColumn kColumns[] = {
      kDataFileId, kTableId,   kColumnId, kVariantPath, kShreddedType, kColumnSizeBytes,
      kValueCount, kNullCount, kMinValue, kMaxValue,    kContainsNan,  kExtraStats};
  static constexpr CatalogTable kTable{"ducklake_file_variant_stats", kColumns};
};

struct PartitionInfo {
  static constexpr CatalogColumn kPartitionId = Bigint("partition_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kColumns[] = {kPartitionId, kTableId, kBeginSnapshot,
                                               kEndSnapshot};
  static constexpr CatalogTable kTable{"ducklake_partition_info", kColumns};
};

struct PartitionColumn {
  static constexpr CatalogColumn kPartitionId = Bigint("partition_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kPartitionKeyIndex = Bigint("partition_key_index");
  static constexpr CatalogColumn kColumnId = Bigint("column_id");
  static constexpr CatalogColumn kTransform = Varchar("transform");
  static constexpr CatalogColumn kColumns[] = {kPartitionId, kTableId, kPartitionKeyIndex,
                                               kColumnId, kTransform};
  static constexpr CatalogTable kTable{"ducklake_partition_column", kColumns};
};

struct FilePartitionValue {
  static constexpr CatalogColumn kDataFileId = Bigint("data_file_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kPartitionKeyIndex = Bigint("partition_key_index");
  static constexpr CatalogColumn kPartitionValue = Varchar("partition_value");
  static constexpr CatalogColumn kColumns[] = {kDataFileId, kTableId, kPartitionKeyIndex,
                                               kPartitionValue};
  static constexpr CatalogTable kTable{"ducklake_file_partition_value", kColumns};
};

struct SortInfo {
  static constexpr CatalogColumn kSortId = Bigint("sort_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kColumns[] = {kSortId, kTableId, kBeginSnapshot, kEndSnapshot};
  static constexpr CatalogTable kTable{"ducklake_sort_info", kColumns};
};

struct SortExpression {
  static constexpr CatalogColumn kSortId = Bigint("sort_id");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kSortKeyIndex = Bigint("sort_key_index");
  static constexpr CatalogColumn kExpression = Varchar("expression");
  static constexpr CatalogColumn kDialect = Varchar("dialect");
  static constexpr CatalogColumn kSortDirection = Varchar("sort_direction");
  static constexpr CatalogColumn kNullOrder = Varchar("null_order");
  static constexpr CatalogColumn kColumns[] = {kSortId,  kTableId,       kSortKeyIndex, kExpression,
                                               kDialect, kSortDirection, kNullOrder};
  static constexpr CatalogTable kTable{"ducklake_sort_expression", kColumns};
};

struct Tag {
  static constexpr CatalogColumn kObjectId = Bigint("object_id");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kKey = Varchar("key");
  static constexpr CatalogColumn kValue = Varchar("value");
  static constexpr CatalogColumn kColumns[] = {kObjectId, kBeginSnapshot, kEndSnapshot, kKey,
                                               kValue};
  static constexpr CatalogTable kTable{"ducklake_tag", kColumns};
};

struct ColumnTag {
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kColumnId = Bigint("column_id");
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kEndSnapshot = Bigint("end_snapshot");
  static constexpr CatalogColumn kKey = Varchar("key");
  static constexpr CatalogColumn kValue = Varchar("value");
  static constexpr CatalogColumn kColumns[] = {kTableId,     kColumnId, kBeginSnapshot,
                                               kEndSnapshot, kKey,      kValue};
  static constexpr CatalogTable kTable{"ducklake_column_tag", kColumns};
};

struct SchemaVersions {
  static constexpr CatalogColumn kBeginSnapshot = Bigint("begin_snapshot");
  static constexpr CatalogColumn kSchemaVersion = Bigint("schema_version");
  static constexpr CatalogColumn kTableId = Bigint("table_id");
  static constexpr CatalogColumn kColumns[] = {kBeginSnapshot, kSchemaVersion, kTableId};
  static constexpr CatalogTable kTable{"ducklake_schema_versions", kColumns};
};

}  // namespace tables

/// All 28, in the order of the format page.
std::span<const CatalogTable> AllCatalogTables();

}  // namespace tarn
