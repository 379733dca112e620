// Which tables may have rows in the catalog, by the types of their columns and by the database.
#include "catalog/inlining.h"

#include <gtest/gtest.h>

#include "store/duckdb_dialect.h"
#include "unit/catalog/lake_fixture.h"

namespace tarn::test {
namespace {

/// Of a database that is only a name here.
class NamedDialect : public DuckDbDialect {
 public:
  explicit NamedDialect(std::string name)
      : DuckDbDialect("d", "s", false), name_(std::move(name)) {}
  std::string_view name() const override { return name_; }

 private:
  const std::string name_;
};

Table TableOf(std::vector<Column> columns) {
  Table table;
  table.columns = std::move(columns);
  return table;
}

TEST(CanInline, VariantsWhereTheDatabaseHasThem) {
  const Table table = TableOf({MakeColumn("i", "int32"), MakeColumn("v", "variant")});
  const DuckDbDialect now("d", "s", true);
  EXPECT_TRUE(CanInline(now, table));
  EXPECT_EQ(InlinedColumnType(now, table.columns[1]), "VARIANT");
  EXPECT_FALSE(CanInline(DuckDbDialect("d", "s", false), table));
  EXPECT_FALSE(CanInline(NamedDialect("sqlite"), table));
  EXPECT_FALSE(CanInline(NamedDialect("postgres"), table));
}

TEST(CanInline, NoVariantsInsideOfOtherTypes) {
  const DuckDbDialect now("d", "s", true);
  EXPECT_FALSE(
      CanInline(now, TableOf({MakeColumn("l", "list", {MakeColumn("element", "variant")})})));
  EXPECT_FALSE(CanInline(now, TableOf({MakeColumn("s", "struct", {MakeColumn("a", "variant")})})));
}

TEST(CanInline, GeometriesNowhere) {
  const DuckDbDialect now("d", "s", true);
  EXPECT_FALSE(CanInline(now, TableOf({MakeColumn("v", "variant"), MakeColumn("g", "geometry")})));
  EXPECT_FALSE(CanInline(now, TableOf({MakeColumn("s", "struct", {MakeColumn("g", "geometry")})})));
}

TEST(CanInline, OtherTypesEverywhere) {
  const Table table = TableOf({MakeColumn("j", "json"), MakeColumn("b", "blob"),
                               MakeColumn("l", "list", {MakeColumn("element", "varchar")})});
  for (const bool has_variant : {true, false})
    EXPECT_TRUE(CanInline(DuckDbDialect("d", "s", has_variant), table));
  EXPECT_TRUE(CanInline(NamedDialect("sqlite"), table));
  EXPECT_TRUE(CanInline(NamedDialect("postgres"), table));
}

}  // namespace
}  // namespace tarn::test
