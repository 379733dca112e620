#include "store/sql_names.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tarn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TablesNamedIn, FindsNamesOfEveryStatement) {
  EXPECT_THAT(TablesNamedIn("SELECT a, b FROM \"main\".\"t\" WHERE x = ?"), ElementsAre("t"));
  EXPECT_THAT(TablesNamedIn("INSERT INTO t (a, b) SELECT a, b FROM u"), ElementsAre("t", "u"));
  EXPECT_THAT(TablesNamedIn("UPDATE \"t\" SET a = 1 WHERE b IN (SELECT c FROM \"x\".\"y\".\"z\")"),
              ElementsAre("t", "z"));
  EXPECT_THAT(TablesNamedIn("DELETE FROM t"), ElementsAre("t"));
  EXPECT_THAT(TablesNamedIn("CREATE TABLE IF NOT EXISTS t(a BIGINT)"), ElementsAre("t"));
  EXPECT_THAT(TablesNamedIn("DROP TABLE t"), ElementsAre("t"));
  EXPECT_THAT(TablesNamedIn("SELECT * FROM a x, b AS y JOIN c ON x.i = c.i LEFT JOIN d USING (i)"),
              ElementsAre("a", "b", "c", "d"));
}

TEST(TablesNamedIn, KeepsQuotedNamesWhole) {
  EXPECT_THAT(TablesNamedIn("SELECT 1 FROM \"a \"\"b\"\".from c\""), ElementsAre("a \"b\".from c"));
}

TEST(TablesNamedIn, IgnoresStringsAndComments) {
  EXPECT_THAT(TablesNamedIn("SELECT 'FROM x' -- FROM y\n /* FROM z */"), IsEmpty());
  EXPECT_THAT(TablesNamedIn("SELECT 'it''s FROM x' FROM \"t"), ElementsAre("t"));
}

TEST(LeadingKeyword, IsUpperCase) {
  EXPECT_EQ(LeadingKeyword("  -- why\n create table x(a int)"), "CREATE");
  EXPECT_EQ(LeadingKeyword(""), "");
}

}  // namespace
}  // namespace tarn
