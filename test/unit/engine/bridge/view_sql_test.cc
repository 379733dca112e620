// A view's text has a mark where the lake's name qualified something, and nowhere else.
#include "engine/bridge/view_sql.h"

#include <gtest/gtest.h>

#include "duckdb/parser/parser.hpp"
#include "duckdb/parser/query_node/select_node.hpp"
#include "duckdb/parser/tableref/basetableref.hpp"

namespace tarn::engine {
namespace {

std::string Stored(const std::string& sql, const std::string& lake = "lake") {
  duckdb::Parser parser;
  parser.ParseQuery(sql);
  return ToStoredViewSql(parser.statements.at(0)->Cast<duckdb::SelectStatement>(), lake);
}

TEST(ViewSql, MarksTheLakesNameBeforeTables) {
  EXPECT_EQ(Stored("SELECT i FROM lake.t"), "SELECT i FROM {DUCKLAKE_CATALOG}.t");
  EXPECT_EQ(Stored("SELECT i FROM LAKE.s.t"), "SELECT i FROM {DUCKLAKE_CATALOG}.s.t");
  EXPECT_EQ(Stored("SELECT i FROM t"), "SELECT i FROM t");
  EXPECT_EQ(Stored("SELECT i FROM other.lake.t"), "SELECT i FROM other.lake.t");
}

TEST(ViewSql, MarksItInNestedQueries) {
  EXPECT_EQ(Stored("SELECT (SELECT max(i) FROM lake.t) FROM u"),
            "SELECT (SELECT max(i) FROM {DUCKLAKE_CATALOG}.t) FROM u");
  EXPECT_EQ(Stored("SELECT * FROM (SELECT 1 FROM lake.t) AS q INNER JOIN lake.u ON (true)"),
            "SELECT * FROM (SELECT 1 FROM {DUCKLAKE_CATALOG}.t) AS q INNER JOIN "
            "{DUCKLAKE_CATALOG}.u ON (CAST('t' AS BOOLEAN))");
  EXPECT_EQ(Stored("WITH q AS (SELECT i FROM lake.t) SELECT i FROM q"),
            "WITH q AS (SELECT i FROM {DUCKLAKE_CATALOG}.t)SELECT i FROM q");
  EXPECT_EQ(Stored("SELECT i FROM lake.t UNION ALL SELECT i FROM lake.u"),
            "(SELECT i FROM {DUCKLAKE_CATALOG}.t) UNION ALL (SELECT i FROM {DUCKLAKE_CATALOG}.u)");
}

TEST(ViewSql, MarksItBeforeFunctionsAndColumns) {
  EXPECT_EQ(Stored("SELECT count(*) FROM lake.snapshots()"),
            "SELECT count_star() FROM {DUCKLAKE_CATALOG}.snapshots()");
  EXPECT_EQ(Stored("SELECT lake.t.i, lake.main.t.i FROM lake.t"),
            "SELECT {DUCKLAKE_CATALOG}.t.i, {DUCKLAKE_CATALOG}.main.t.i FROM {DUCKLAKE_CATALOG}.t");
}

TEST(ViewSql, LeavesAnAliasOfTheSameNameAlone) {
  EXPECT_EQ(Stored("SELECT lake.st.a FROM lake.t AS lake"),
            "SELECT lake.st.a FROM {DUCKLAKE_CATALOG}.t AS lake");
  EXPECT_EQ(Stored("SELECT lake.i FROM lake"), "SELECT lake.i FROM lake");
}

TEST(ViewSql, LeavesLiteralsAndNamesAlone) {
  EXPECT_EQ(Stored("SELECT 'lake.t' AS \"lake.t\", 'tarn_lake' FROM lake.t"),
            "SELECT 'lake.t' AS \"lake.t\", 'tarn_lake' FROM {DUCKLAKE_CATALOG}.t");
}

std::string Read(const std::string& sql, const std::string& lake) {
  return FromStoredViewSql(sql, lake)->ToString();
}

TEST(ViewSql, ReadsBackUnderAnyAlias) {
  EXPECT_EQ(Read("SELECT i FROM {DUCKLAKE_CATALOG}.s.t", "my \"lake\""),
            "SELECT i FROM \"my \"\"lake\"\"\".s.t");
  EXPECT_EQ(Read("SELECT '{DUCKLAKE_CATALOG}.t', 'it''s', {DUCKLAKE_CATALOG}.s.t.i FROM "
                 "{DUCKLAKE_CATALOG}.s.t",
                 "x"),
            "SELECT '{DUCKLAKE_CATALOG}.t', 'it''s', x.s.t.i FROM x.s.t");
  EXPECT_EQ(Read("SELECT * FROM tarn_lake, {DUCKLAKE_CATALOG}.s.t", "x"),
            "SELECT * FROM tarn_lake , x.s.t");
}

TEST(ViewSql, TheLakesNameIsNeverTakenForASchema) {
  const auto query = FromStoredViewSql("SELECT i FROM {DUCKLAKE_CATALOG}.t", "s");
  const auto& table =
      query->node->Cast<duckdb::SelectNode>().from_table->Cast<duckdb::BaseTableRef>();
  EXPECT_EQ(table.catalog_name, "s");
  EXPECT_EQ(table.schema_name, "");
  EXPECT_EQ(table.table_name, "t");
}

TEST(ViewSql, TextThatIsNoQueryIsRefused) {
  EXPECT_THROW(FromStoredViewSql("SELECT FROM WHERE", "x"), duckdb::ParserException);
  EXPECT_THROW(FromStoredViewSql("DROP TABLE t", "x"), duckdb::ParserException);
  EXPECT_THROW(FromStoredViewSql("SELECT 1; SELECT 2", "x"), duckdb::ParserException);
  EXPECT_THROW(FromStoredViewSql("", "x"), duckdb::ParserException);
}

TEST(ViewSql, ColumnAliasesAreReadInBothForms) {
  const duckdb::vector<std::string> aliases = {"a", "b b", "c\"d", "e,f"};
  EXPECT_EQ(ToColumnAliases(aliases), R"("a","b b","c""d","e,f")");
  EXPECT_EQ(FromColumnAliases(ToColumnAliases(aliases)), aliases);
  EXPECT_EQ(FromColumnAliases("(a, \"b b\")"), (duckdb::vector<std::string>{"a", "b b"}));
  EXPECT_TRUE(FromColumnAliases("").empty());
}

}  // namespace
}  // namespace tarn::engine
