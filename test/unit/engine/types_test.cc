// Types between the format and DuckDB.
#include "engine/bridge/types.h"

#include <gtest/gtest.h>

#include <string>

#include "duckdb.hpp"
#include "duckdb/parser/column_definition.hpp"
#include "duckdb/parser/parser.hpp"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;

// A table's columns as CREATE TABLE gives them: with bound types.
duckdb::ColumnList Parse(const std::string& text) {
  const auto parsed = duckdb::Parser::ParseColumnList(text);
  duckdb::ColumnList columns;
  for (const auto& column : parsed.Logical()) {
    auto bound = column.Copy();
    bound.SetType(duckdb::UnboundType::TryDefaultBind(column.Type()));
    columns.AddColumn(std::move(bound));
  }
  return columns;
}

Column ColumnOf(const std::string& definition) { return ToColumns(Parse(definition)).at(0); }

std::string ErrorOf(const LogicalType& type) {
  try {
    ToColumn("c", type);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    return error.message();
  }
}

TEST(Types, ScalarsGoBothWays) {
  const LogicalType types[] = {LogicalType::BOOLEAN,       LogicalType::TINYINT,
                               LogicalType::SMALLINT,      LogicalType::INTEGER,
                               LogicalType::BIGINT,        LogicalType::HUGEINT,
                               LogicalType::UTINYINT,      LogicalType::USMALLINT,
                               LogicalType::UINTEGER,      LogicalType::UBIGINT,
                               LogicalType::UHUGEINT,      LogicalType::FLOAT,
                               LogicalType::DOUBLE,        LogicalType::DECIMAL(38, 10),
                               LogicalType::DECIMAL(4, 0), LogicalType::DATE,
                               LogicalType::TIME,          LogicalType::TIME_NS,
                               LogicalType::TIME_TZ,       LogicalType::TIMESTAMP,
                               LogicalType::TIMESTAMP_TZ,  LogicalType::TIMESTAMP_S,
                               LogicalType::TIMESTAMP_MS,  LogicalType::TIMESTAMP_NS,
                               LogicalType::INTERVAL,      LogicalType::VARCHAR,
                               LogicalType::JSON(),        LogicalType::BLOB,
                               LogicalType::UUID,          LogicalType::VARIANT(),
                               LogicalType::GEOMETRY()};
  for (const auto& type : types) {
    EXPECT_EQ(ToLogicalType(ToColumn("c", type)), type) << type.ToString();
  }
}

TEST(Types, JsonIsNotText) {
  EXPECT_EQ(ToColumn("c", LogicalType::JSON()).type, "json");
  EXPECT_EQ(ToColumn("c", LogicalType::VARCHAR).type, "varchar");
}

TEST(Types, NestedOnesKeepTheirShape) {
  const auto type = LogicalType::STRUCT(
      {{"A b", LogicalType::LIST(LogicalType::MAP(
                   LogicalType::VARCHAR, LogicalType::STRUCT({{"x", LogicalType::DATE}})))},
       {"n", LogicalType::DECIMAL(5, 2)}});
  const auto column = ToColumn("c", type);
  EXPECT_EQ(column.type, "struct");
  ASSERT_EQ(column.children.size(), 2u);
  EXPECT_EQ(column.children[0].name, "A b");
  EXPECT_EQ(column.children[0].children.at(0).name, "element");
  EXPECT_EQ(column.children[0].children.at(0).children.at(0).name, "key");
  EXPECT_EQ(column.children[0].children.at(0).children.at(1).name, "value");
  EXPECT_EQ(ToLogicalType(column), type);
}

TEST(Types, EnumsAndArraysAreStoredAsWhatTheFormatHas) {
  duckdb::Vector values(LogicalType::VARCHAR, 2);
  values.SetValue(0, "b");
  values.SetValue(1, "a");
  const auto words = LogicalType::ENUM(values, 2);
  const auto column =
      ToColumn("c", LogicalType::STRUCT({{"e", words}, {"v", LogicalType::ARRAY(words, 3)}}));
  EXPECT_EQ(column.children[0].type, "varchar");
  EXPECT_EQ(column.children[0].logical_type, "{\"enum\":[\"b\",\"a\"]}");
  EXPECT_EQ(column.children[1].type, "list");
  EXPECT_EQ(column.children[1].logical_type, "{\"array\":3}");
  EXPECT_EQ(ToSqlType(column).ToString(), "STRUCT(e ENUM('b', 'a'), v ENUM('b', 'a')[3])");
  EXPECT_EQ(ToLogicalType(column).ToString(), "STRUCT(e VARCHAR, v VARCHAR[])");
}

TEST(Types, WhatTheFormatLacksIsRefusedWithAdvice) {
  EXPECT_EQ(ErrorOf(LogicalType::BIT),
            "Failed to convert DuckDB type to DuckLake - unsupported type BIT. Store it as BLOB or "
            "VARCHAR.");
  EXPECT_NE(ErrorOf(LogicalType::ARRAY(LogicalType::BIT, 3)).find("unsupported type BIT"),
            std::string::npos);
  EXPECT_NE(ErrorOf(LogicalType::LIST(LogicalType::BIT)).find("unsupported type BIT"),
            std::string::npos);
  EXPECT_NE(
      ErrorOf(LogicalType::UNION({{"a", LogicalType::INTEGER}})).find("unsupported type UNION"),
      std::string::npos);
  EXPECT_NE(ErrorOf(LogicalType::BIGNUM).find("unsupported type BIGNUM"), std::string::npos);
}

TEST(Types, MissingChildrenAreACorruptCatalog) {
  Column list;
  list.name = "l";
  list.type = "list";
  EXPECT_THROW(ToLogicalType(list), Error);
  Column structure;
  structure.name = "s";
  structure.type = "struct";
  EXPECT_THROW(ToLogicalType(structure), Error);
}

TEST(Defaults, LiteralsAreStoredAsTheirText) {
  EXPECT_EQ(ColumnOf("a INTEGER DEFAULT 42").default_value, "42");
  EXPECT_EQ(ColumnOf("a INTEGER DEFAULT 42").default_value_type, "literal");
  EXPECT_EQ(ColumnOf("a INTEGER DEFAULT -1").default_value, "-1");
  EXPECT_EQ(ColumnOf("a VARCHAR DEFAULT 'x'").default_value, "x");
  EXPECT_EQ(ColumnOf("a VARCHAR DEFAULT ''").default_value, "");
}

TEST(Defaults, WhatRowsReadAsIsInTheColumnsType) {
  const auto column = ColumnOf("a DECIMAL(10, 3) DEFAULT 1.5");
  EXPECT_EQ(column.default_value, "1.5");
  EXPECT_EQ(column.initial_default, "1.500");
}

TEST(Defaults, ExpressionsAreStoredAsSql) {
  const auto column = ColumnOf("a INTEGER DEFAULT (1 + 2)");
  EXPECT_EQ(column.default_value, "(1 + 2)");
  EXPECT_EQ(column.default_value_type, "expression");
  EXPECT_FALSE(column.initial_default);
}

TEST(Defaults, NoneIsTheWordNull) {
  EXPECT_EQ(ColumnOf("a INTEGER").default_value, "NULL");
  EXPECT_FALSE(ColumnOf("a INTEGER DEFAULT NULL").HasDefault());
  EXPECT_EQ(ColumnOf("a INTEGER[]").default_value_type, "");
}

TEST(Defaults, WhatCannotBeConvertedIsRefused) {
  EXPECT_THROW(ColumnOf("a INTEGER DEFAULT 'abc'"), Error);
  EXPECT_THROW(ColumnOf("a INTEGER[] DEFAULT [1]"), Error);
}

TEST(Defaults, ComeBackAsTheyWere) {
  Table table;
  table.columns = ToColumns(Parse(
      "a INTEGER DEFAULT 42, b TIMESTAMP DEFAULT now(), c VARCHAR, d VARCHAR DEFAULT 'NULL'"));
  const auto columns = ToColumnList(table);
  EXPECT_EQ(columns.GetColumn("a").DefaultValue().ToString(), "'42'");
  EXPECT_EQ(columns.GetColumn("b").DefaultValue().ToString(), "now()");
  EXPECT_FALSE(columns.GetColumn("c").HasDefaultValue());
  EXPECT_EQ(columns.GetColumn("d").DefaultValue().ToString(), "'NULL'");
}

}  // namespace
}  // namespace tarn::engine
