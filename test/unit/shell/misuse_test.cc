// What a command line that makes no sense is answered with.
#include "shell/misuse.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tarn::shell {
namespace {

using testing::HasSubstr;
using testing::Optional;

std::optional<std::string> Explain(const std::vector<std::string>& words) {
  return ExplainMisuse(words, {"tables", "info", "copy", "expire", "checkpoint", "keep"});
}

TEST(MisuseTest, MistypedCommandsAreNamed) {
  EXPECT_THAT(Explain({"chekpoint", "my lake"}),
              Optional(HasSubstr("did you mean: tarn checkpoint 'my lake'? A lake of that name is "
                                 "written ./chekpoint.")));
  EXPECT_THAT(Explain({"tabels", "--csv", "x"}), Optional(HasSubstr("tarn tables --csv x")));
  EXPECT_THAT(Explain({"Keep", "x"}), Optional(HasSubstr("tarn keep x")));
  for (const char* lake : {"shop", "./chekpoint", "tables.db", "index", "checks.sqlite", "t"})
    EXPECT_EQ(Explain({lake}), std::nullopt) << lake;
  EXPECT_EQ(Explain({"table", "-c", "SELECT 1"}), std::nullopt);
  EXPECT_EQ(Explain({"tables", "tabels"}), std::nullopt);
  EXPECT_EQ(Explain({}), std::nullopt);
}

TEST(MisuseTest, TheCommandComesFirst) {
  EXPECT_THAT(Explain({"x.db", "checkpoint", "--dry-run"}),
              Optional(HasSubstr("write: tarn checkpoint x.db --dry-run.")));
}

TEST(MisuseTest, WhatTheShellHasCutIsQuoted) {
  EXPECT_THAT(Explain({"copy", "a", "to", "postgres:dbname=a", "host=b", "--dry-run"}),
              Optional(HasSubstr("quoted: 'postgres:dbname=a host=b'.")));
  EXPECT_EQ(Explain({"copy", "a", "to", "postgres:dbname=a host=b"}), std::nullopt);
  EXPECT_EQ(Explain({"copy", "a", "to", "postgres:dbname=a", "--data=x"}), std::nullopt);
  EXPECT_THAT(Explain({"expire", "x", "--older-than", "30", "days"}),
              Optional(HasSubstr("--older-than '30 days'.")));
  EXPECT_THAT(Explain({"x", "--at", "2026-01-31", "12:00"}),
              Optional(HasSubstr("--at '2026-01-31 12:00'.")));
  EXPECT_EQ(Explain({"expire", "--older-than", "2026-01-31", "x"}), std::nullopt);
}

TEST(MisuseTest, WordsForTheShell) {
  EXPECT_EQ(ShellWord("a/b.sqlite"), "a/b.sqlite");
  EXPECT_EQ(ShellWord("postgres:dbname=a host=b"), "'postgres:dbname=a host=b'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace
}  // namespace tarn::shell
