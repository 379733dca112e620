#include "format/tables.h"

#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <set>

#include "format/defaults.h"

namespace tarn {
namespace {

/// Quotes like everyone and names types like DuckDB.
class PlainDialect : public Dialect {
 public:
  std::string_view name() const override { return "plain"; }
  std::string Quote(std::string_view identifier) const override {
    return "\"" + std::string(identifier) + "\"";
  }
  std::string QuoteTable(std::string_view table) const override { return "s." + Quote(table); }
  std::string TypeName(StoreType type) const override {
    switch (type) {
      case StoreType::kBigint:
        return "BIGINT";
      case StoreType::kVarchar:
        return "VARCHAR";
      case StoreType::kBoolean:
        return "BOOLEAN";
      case StoreType::kTimestampTz:
        return "TIMESTAMP WITH TIME ZONE";
      case StoreType::kUuid:
        return "UUID";
      case StoreType::kBlob:
        return "BLOB";
    }
    return "";
  }
  std::string Placeholder(int) const override { return "?"; }
};

/// `ducklake_x(a BIGINT PRIMARY KEY, b VARCHAR)`, as DuckDB lists a table.
std::string Shape(const CatalogTable& table) {
  std::string sql = CreateTableSql(table, PlainDialect());
  std::erase(sql, '"');
  return sql.substr(std::string("CREATE TABLE s.").size());
}

// The tables of a lake that the reference client made, as DuckDB lists them.
constexpr const char* kReferenceTables[] = {
    "ducklake_column(column_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, table_id "
    "BIGINT, column_order BIGINT, column_name VARCHAR, column_type VARCHAR, initial_default "
    "VARCHAR, default_value VARCHAR, nulls_allowed BOOLEAN, parent_column BIGINT, "
    "default_value_type VARCHAR, default_value_dialect VARCHAR)",
    "ducklake_column_mapping(mapping_id BIGINT, table_id BIGINT, type VARCHAR)",
    "ducklake_column_tag(table_id BIGINT, column_id BIGINT, begin_snapshot BIGINT, end_snapshot "
    "BIGINT, key VARCHAR, value VARCHAR)",
    "ducklake_data_file(data_file_id BIGINT PRIMARY KEY, table_id BIGINT, begin_snapshot BIGINT, "
    "end_snapshot BIGINT, file_order BIGINT, path VARCHAR, path_is_relative BOOLEAN, file_format "
    "VARCHAR, record_count BIGINT, file_size_bytes BIGINT, footer_size BIGINT, row_id_start "
    "BIGINT, partition_id BIGINT, encryption_key VARCHAR, mapping_id BIGINT, partial_max BIGINT)",
    "ducklake_delete_file(delete_file_id BIGINT PRIMARY KEY, table_id BIGINT, begin_snapshot "
    "BIGINT, end_snapshot BIGINT, data_file_id BIGINT, path VARCHAR, path_is_relative BOOLEAN, "
    "format VARCHAR, delete_count BIGINT, file_size_bytes BIGINT, footer_size BIGINT, "
    "encryption_key VARCHAR, partial_max BIGINT)",
    "ducklake_files_scheduled_for_deletion(data_file_id BIGINT, path VARCHAR, path_is_relative "
    "BOOLEAN, schedule_start TIMESTAMP WITH TIME ZONE)",
    "ducklake_file_column_stats(data_file_id BIGINT, table_id BIGINT, column_id BIGINT, "
    "column_size_bytes BIGINT, value_count BIGINT, null_count BIGINT, min_value VARCHAR, max_value "
    "VARCHAR, contains_nan BOOLEAN, extra_stats VARCHAR)",
    "ducklake_file_partition_value(data_file_id BIGINT, table_id BIGINT, partition_key_index "
    "BIGINT, partition_value VARCHAR)",
    "ducklake_file_variant_stats(data_file_id BIGINT, table_id BIGINT, column_id BIGINT, "
    "variant_path VARCHAR, shredded_type VARCHAR, column_size_bytes BIGINT, value_count BIGINT, "
    "null_count BIGINT, min_value VARCHAR, max_value VARCHAR, contains_nan BOOLEAN, extra_stats "
    "VARCHAR)",
    "ducklake_inlined_data_tables(table_id BIGINT, table_name VARCHAR, schema_version BIGINT)",
    "ducklake_macro(schema_id BIGINT, macro_id BIGINT, macro_name VARCHAR, begin_snapshot BIGINT, "
    "end_snapshot BIGINT)",
    "ducklake_macro_impl(macro_id BIGINT, impl_id BIGINT, dialect VARCHAR, sql VARCHAR, type "
    "VARCHAR)",
    "ducklake_macro_parameters(macro_id BIGINT, impl_id BIGINT, column_id BIGINT, parameter_name "
    "VARCHAR, parameter_type VARCHAR, default_value VARCHAR, default_value_type VARCHAR)",
    "ducklake_metadata(key VARCHAR NOT NULL, value VARCHAR NOT NULL, scope VARCHAR, scope_id "
    "BIGINT)",
    "ducklake_name_mapping(mapping_id BIGINT, column_id BIGINT, source_name VARCHAR, "
    "target_field_id BIGINT, parent_column BIGINT, is_partition BOOLEAN)",
    "ducklake_partition_column(partition_id BIGINT, table_id BIGINT, partition_key_index BIGINT, "
    "column_id BIGINT, transform VARCHAR)",
    "ducklake_partition_info(partition_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, "
    "end_snapshot BIGINT)",
    "ducklake_schema(schema_id BIGINT PRIMARY KEY, schema_uuid UUID, begin_snapshot BIGINT, "
    "end_snapshot BIGINT, schema_name VARCHAR, path VARCHAR, path_is_relative BOOLEAN)",
    "ducklake_schema_versions(begin_snapshot BIGINT, schema_version BIGINT, table_id BIGINT)",
    "ducklake_snapshot(snapshot_id BIGINT PRIMARY KEY, snapshot_time TIMESTAMP WITH TIME ZONE, "
    "schema_version BIGINT, next_catalog_id BIGINT, next_file_id BIGINT)",
    "ducklake_snapshot_changes(snapshot_id BIGINT PRIMARY KEY, changes_made VARCHAR, author "
    "VARCHAR, commit_message VARCHAR, commit_extra_info VARCHAR)",
    "ducklake_sort_expression(sort_id BIGINT, table_id BIGINT, sort_key_index BIGINT, expression "
    "VARCHAR, dialect VARCHAR, sort_direction VARCHAR, null_order VARCHAR)",
    "ducklake_sort_info(sort_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, end_snapshot "
    "BIGINT)",
    "ducklake_table(table_id BIGINT, table_uuid UUID, begin_snapshot BIGINT, end_snapshot BIGINT, "
    "schema_id BIGINT, table_name VARCHAR, path VARCHAR, path_is_relative BOOLEAN)",
    "ducklake_table_column_stats(table_id BIGINT, column_id BIGINT, contains_null BOOLEAN, "
    "contains_nan BOOLEAN, min_value VARCHAR, max_value VARCHAR, extra_stats VARCHAR)",
    "ducklake_table_stats(table_id BIGINT, record_count BIGINT, next_row_id BIGINT, "
    "file_size_bytes BIGINT)",
    "ducklake_tag(object_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, key VARCHAR, value "
    "VARCHAR)",
    "ducklake_view(view_id BIGINT, view_uuid UUID, begin_snapshot BIGINT, end_snapshot BIGINT, "
    "schema_id BIGINT, view_name VARCHAR, dialect VARCHAR, sql VARCHAR, column_aliases VARCHAR)",
};

TEST(Tables, AreThoseOfTheReference) {
  std::set<std::string> ours;
  for (const CatalogTable& table : AllCatalogTables()) ours.insert(Shape(table));
  const std::set<std::string> theirs(std::begin(kReferenceTables), std::end(kReferenceTables));
  EXPECT_EQ(ours, theirs);
  EXPECT_EQ(ours.size(), 28u);
}

TEST(Tables, HandlesLieWhereTheirTableSaysTheyDo) {
  EXPECT_EQ(tables::DataFile::kTable.Position(tables::DataFile::kDataFileId.name), 0);
  EXPECT_EQ(tables::DataFile::kTable.Position(tables::DataFile::kPartialMax.name), 15);
  EXPECT_EQ(tables::DataFile::kTable.Position("no_such_column"), -1);
  EXPECT_EQ(tables::Snapshot::kTable.ColumnNames().front(), "snapshot_id");
  for (const CatalogTable& table : AllCatalogTables()) {
    std::set<std::string_view> names;
    for (const CatalogColumn& column : table.columns) names.insert(column.name);
    EXPECT_EQ(names.size(), table.columns.size()) << table.name;
  }
}

TEST(Tables, ColumnListsAreQuoted) {
  EXPECT_EQ(ColumnList(tables::InlinedDataTables::kTable.columns, PlainDialect()),
            "\"table_id\", \"table_name\", \"schema_version\"");
  EXPECT_EQ(ColumnList(std::array{tables::Tag::kKey, tables::Tag::kValue}, PlainDialect(), "t"),
            "t.\"key\", t.\"value\"");
}

TEST(Tables, NamesOfInlinedTables) {
  EXPECT_EQ(InlinedDataTableName(TableId(12), 3), "ducklake_inlined_data_12_3");
  EXPECT_EQ(InlinedDeleteTableName(TableId(12)), "ducklake_inlined_delete_12");
}

TEST(Defaults, NoneIsTheWordNull) {
  Column column;
  column.type = "int32";
  EXPECT_EQ(KindOfDefault(column), DefaultKind::kNone);
  SetNoDefault(column);
  EXPECT_EQ(column.default_value, "NULL");
  EXPECT_EQ(column.default_value_type, "literal");
  EXPECT_EQ(column.default_value_dialect, "duckdb");
  EXPECT_EQ(column.initial_default, std::nullopt);
  EXPECT_EQ(KindOfDefault(column), DefaultKind::kNone);
}

TEST(Defaults, NestedColumnsHaveAnEmptyType) {
  for (const char* type : {"list", "struct", "map"}) {
    Column column;
    column.type = type;
    SetNoDefault(column);
    EXPECT_EQ(column.default_value, "NULL");
    EXPECT_EQ(column.default_value_type, "");
    EXPECT_EQ(KindOfDefault(column), DefaultKind::kNone);
  }
}

TEST(Defaults, LiteralsAndExpressions) {
  Column column;
  column.type = "varchar";
  SetLiteralDefault(column, "");
  EXPECT_EQ(column.default_value, "");
  EXPECT_EQ(column.default_value_type, "literal");
  EXPECT_EQ(KindOfDefault(column), DefaultKind::kLiteral);
  SetExpressionDefault(column, "now()");
  EXPECT_EQ(column.default_value_type, "expression");
  EXPECT_EQ(KindOfDefault(column), DefaultKind::kExpression);
  SetExpressionDefault(column, "NULL");
  EXPECT_EQ(KindOfDefault(column), DefaultKind::kExpression);
}

TEST(Defaults, TheWordNullIsWrittenSoThatItReadsBack) {
  Column column;
  column.type = "varchar";
  SetLiteralDefault(column, "NULL");
  EXPECT_EQ(column.default_value, "'NULL'");
  EXPECT_EQ(KindOfDefault(column), DefaultKind::kExpression);
}

}  // namespace
}  // namespace tarn
