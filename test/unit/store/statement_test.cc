#include "store/statement.h"

#include <vector>

#include "gtest/gtest.h"

namespace tarn {
namespace {

/// Numbered placeholders, so that a wrong count shows.
class NumberedDialect : public Dialect {
 public:
  std::string_view name() const override { return "numbered"; }
  std::string Quote(std::string_view identifier) const override {
    return "<" + std::string(identifier) + ">";
  }
  std::string QuoteTable(std::string_view table) const override { return "s." + Quote(table); }
  std::string TypeName(StoreType) const override { return "T"; }
  std::string Placeholder(int n) const override { return "$" + std::to_string(n); }
};

const NumberedDialect kDialect;

TEST(StatementBuilder, NumbersPlaceholdersInTheOrderOfTheirValues) {
  StatementBuilder sql(kDialect);
  sql.Text("SELECT ").Names({"a", "b"}).Text(" FROM ").Table("t").Text(" WHERE ").Name("a");
  sql.Text(" = ").Bind(1).Text(" AND b IN (").BindList({2, 3}).Text(")");
  const Statement statement = sql.Build();
  EXPECT_EQ(statement.text, "SELECT <a>, <b> FROM s.<t> WHERE <a> = $1 AND b IN ($2, $3)");
  EXPECT_EQ(statement.parameters, (std::vector<Value>{int64_t{1}, int64_t{2}, int64_t{3}}));
}

TEST(StatementBuilder, BindsEachKindAsItsOwn) {
  const std::optional<std::string> no_text;
  StatementBuilder sql(kDialect);
  sql.Bind(true)
      .Bind("text")
      .Bind(TableId(7))
      .Bind(no_text)
      .Bind(std::optional<TableId>(TableId(8)));
  sql.Bind(1.5)
      .Bind(Blob{std::string("\0b", 2)})
      .Bind(Timestamp(std::chrono::microseconds(-1)))
      .BindNull();
  const std::vector<Value> expected = {true,
                                       std::string("text"),
                                       int64_t{7},
                                       Value(),
                                       int64_t{8},
                                       1.5,
                                       Blob{std::string("\0b", 2)},
                                       Timestamp(std::chrono::microseconds(-1)),
                                       Value()};
  EXPECT_EQ(sql.Build().parameters, expected);
}

TEST(StatementBuilder, IsEmptyAfterBuild) {
  StatementBuilder sql(kDialect, "SELECT ");
  sql.Bind(1).Build();
  EXPECT_EQ(sql.Text("x = ").Bind(2).Build().text, "x = $1");
}

TEST(OpenCatalogStore, UnknownSchemeNamesItself) {
  try {
    OpenCatalogStore("carrier-pigeon", {});
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(error.message().find("\"carrier-pigeon\""), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace tarn
