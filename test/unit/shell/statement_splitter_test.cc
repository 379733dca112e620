// Where statements end, and which of them fit on one line.
#include "shell/statement_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shell/line_editor.h"

namespace tarn::shell {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::IsEmpty;
using testing::Optional;

TEST(StatementSplitter, ALineCanHoldSeveralStatements) {
  StatementSplitter splitter;
  EXPECT_THAT(splitter.AddLine("SELECT 1; SELECT 2;; SELECT"),
              ElementsAre("SELECT 1;", " SELECT 2;"));
  EXPECT_FALSE(splitter.between_statements());
  EXPECT_THAT(splitter.AddLine("3;"), ElementsAre(" SELECT\n3;"));
  EXPECT_TRUE(splitter.between_statements());
  EXPECT_TRUE(splitter.empty());
}

TEST(StatementSplitter, QuotesAndCommentsHideSemicolons) {
  for (const char* text : {"SELECT ';';", "SELECT \"a;\";", "SELECT $$;$$;", "SELECT $a$;$$;$a$;",
                           "SELECT /*;*/ 1;", "SELECT /* /*;*/ ;*/ 1;", "SELECT 'it'';s';",
                           R"(SELECT e'\';';)", "SELECT E'a'';';", "SELECT a$b;", "SELECT $1;"}) {
    StatementSplitter splitter;
    EXPECT_THAT(splitter.AddLine(text), ElementsAre(text)) << text;
  }
}

TEST(StatementSplitter, TellsWhatItWaitsFor) {
  const std::pair<const char*, char> kCases[] = {{"SELECT", ';'},         {"SELECT 'a", '\''},
                                                 {"SELECT E'a\\'", '\''}, {"FROM \"", '"'},
                                                 {"SELECT $x$ $$", '$'},  {"/* a /* b */", '*'}};
  for (const auto& [line, expected] : kCases) {
    StatementSplitter splitter;
    EXPECT_THAT(splitter.AddLine(line), IsEmpty());
    EXPECT_EQ(splitter.waits_for(), expected) << line;
  }
}

TEST(StatementSplitter, CommentsAloneAreNothing) {
  StatementSplitter splitter;
  splitter.AddLine("-- a; b");
  splitter.AddLine("/* c; */");
  EXPECT_TRUE(splitter.between_statements());
  EXPECT_EQ(splitter.Finish(), std::nullopt);
  splitter.AddLine("-- a");
  splitter.AddLine("SELECT 1");
  EXPECT_THAT(splitter.Finish(), Optional(Eq("-- a\nSELECT 1\n")));
  EXPECT_TRUE(splitter.empty());
}

TEST(OnOneLine, KeepsBreaksThatMeanSomething) {
  EXPECT_THAT(OnOneLine("SELECT 1,\n  2\nFROM t;"), Optional(Eq("SELECT 1,   2 FROM t;")));
  EXPECT_THAT(OnOneLine("SELECT 1 -- last\n"), Optional(Eq("SELECT 1 -- last")));
  EXPECT_EQ(OnOneLine("SELECT 1 -- one\n, 2;"), std::nullopt);
  EXPECT_EQ(OnOneLine("SELECT 'a\nb';"), std::nullopt);
}

TEST(WordBeforeCursor, TakesDotCommandsWhole) {
  EXPECT_EQ(WordBeforeCursor("SELECT fl"), "fl");
  EXPECT_EQ(WordBeforeCursor("SELECT f.ca"), "ca");
  EXPECT_EQ(WordBeforeCursor("SELECT f."), "");
  EXPECT_EQ(WordBeforeCursor(".sch"), ".sch");
}

}  // namespace
}  // namespace tarn::shell
