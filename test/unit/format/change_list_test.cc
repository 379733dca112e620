#include "format/change_list.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

using enum ChangeKind;

TEST(ChangeList, ReadsWhatTheReferenceWrote) {
  const auto changes = ParseChanges(
      "dropped_table:3,created_schema:\"s9\",created_table:\"main\".\"z1\",inlined_insert:36,"
      "inlined_delete:1");
  const std::vector<Change> expected = {
      Change::ById(kDroppedTable, 3), Change::Created(kCreatedSchema, "", "s9"),
      Change::Created(kCreatedTable, "main", "z1"), Change::ById(kInlinedInsert, 36),
      Change::ById(kInlinedDelete, 1)};
  EXPECT_EQ(changes, expected);
}

TEST(ChangeList, QuotesAndCommasAreParts) {
  const std::string text = "created_table:\"we,ird\"\"s\".\"t,\"\"x\",created_schema:\"a.b\"";
  const auto changes = ParseChanges(text);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].schema, "we,ird\"s");
  EXPECT_EQ(changes[0].name, "t,\"x");
  EXPECT_EQ(changes[1].name, "a.b");
  EXPECT_EQ(FormatChanges(changes), text);
}

TEST(ChangeList, EveryKindComesBack) {
  std::vector<Change> changes;
  for (int k = 0; k < static_cast<int>(kUnknown); ++k) {
    const auto kind = static_cast<ChangeKind>(k);
    EXPECT_FALSE(ChangeWord(kind).empty());
    if (!IsByName(kind)) {
      changes.push_back(Change::ById(kind, 7 + k));
    } else {
      changes.push_back(Change::Created(kind, kind == kCreatedSchema ? "" : "s", "\"n\","));
    }
  }
  EXPECT_EQ(ParseChanges(FormatChanges(changes)), changes);
}

TEST(ChangeList, WordsAreThoseOfTheFormat) {
  EXPECT_EQ(FormatChanges(std::vector{Change::ById(kInsertedIntoTable, 1),
                                      Change::ById(kDeletedFromTable, 1)}),
            "inserted_into_table:1,deleted_from_table:1");
  EXPECT_EQ(FormatChanges(std::vector{Change::Created(kCreatedTableMacro, "main", "tm")}),
            "created_table_macro:\"main\".\"tm\"");
  EXPECT_EQ(FormatChanges({}), "");
}

TEST(ChangeList, OlderWordsAreRead) {
  EXPECT_EQ(ParseChanges("flushed_inlined:3,compacted_table:4"),
            (std::vector{Change::ById(kInlineFlush, 3), Change::ById(kCompactedTable, 4)}));
  EXPECT_EQ(FormatChanges(ParseChanges("flushed_inlined:3")), "inline_flush:3");
}

TEST(ChangeList, KeepsWhatItDoesNotKnow) {
  for (const char* text :
       {"vacuumed_table:1", "created_table:main.t", "created_table:\"main\"",
        "inserted_into_table:x", "inserted_into_table:", "inserted_into_table:-1", "altered_table",
        "created_schema:\"a\"b", "created_table:\"main\".\"t",
        "inserted_into_table:99999999999999999999"}) {
    const auto changes = ParseChanges(text);
    ASSERT_EQ(changes.size(), 1u) << text;
    EXPECT_EQ(changes[0].kind, kUnknown) << text;
    EXPECT_EQ(changes[0].word, text);
    EXPECT_EQ(FormatChanges(changes), text);
  }
}

TEST(ChangeList, EmptyItemsAndSpacesAreNothing) {
  EXPECT_TRUE(ParseChanges("").empty());
  EXPECT_TRUE(ParseChanges(",, ,").empty());
  EXPECT_EQ(ParseChanges(" altered_table:1 , altered_view:2 ").size(), 2u);
}

}  // namespace
}  // namespace tarn
