#include "base/text.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(Text, CaseIsIgnoredForAsciiOnly) {
  EXPECT_EQ(AsciiLower("AbÄZ[`{"), "abÄz[`{");
  EXPECT_TRUE(EqualsIgnoreCase("Flights", "fLIGHTS"));
  EXPECT_FALSE(EqualsIgnoreCase("ä", "Ä"));
  EXPECT_FALSE(EqualsIgnoreCase("a", "a "));
}

TEST(Text, OrderIsByteOrderOfLowerCase) {
  EXPECT_EQ(CompareIgnoreCase("ABC", "abc"), 0);
  EXPECT_LT(CompareIgnoreCase("ab", "ABC"), 0);
  EXPECT_GT(CompareIgnoreCase("b", "AC"), 0);
  EXPECT_LT(CompareIgnoreCase("_", "A"), 0) << "'_' lies before 'a', though after 'A'";
  EXPECT_GT(CompareIgnoreCase("\xC3\xA4", "z"), 0) << "bytes over 127 come last";
  EXPECT_LT(CompareIgnoreCase("", "a"), 0);
}

TEST(Text, QuotesAreDoubled) {
  EXPECT_EQ(QuoteIdentifier("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(QuoteIdentifier(""), "\"\"");
  EXPECT_EQ(QuoteLiteral("it's"), "'it''s'");
}

TEST(Text, TrimTakesSpaceAtBothEnds) {
  EXPECT_EQ(TrimSpace(" \t\na b\r "), "a b");
  EXPECT_EQ(TrimSpace("  "), "");
}

TEST(Text, UrlEscapesAsTheReferenceNamesFolders) {
  EXPECT_EQ(UrlEscape("a b/c=d%"), "a%20b%2Fc%3Dd%25");
  EXPECT_EQ(UrlEscape("\xC3\xBC"), "%C3%BC");
  EXPECT_EQ(UrlEscape("~.-_!*()"), "~.-_%21%2A%28%29");
  EXPECT_EQ(UrlEscape("2020-01-01 10:00:00+00"), "2020-01-01%2010%3A00%3A00%2B00");
}

TEST(Text, UrlEscapesComeBack) {
  std::string all;
  for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  EXPECT_EQ(UrlUnescape(UrlEscape(all)), all);
  EXPECT_EQ(UrlUnescape("100%"), "100%");
  EXPECT_EQ(UrlUnescape("%4"), "%4");
  EXPECT_EQ(UrlUnescape("%zz%41"), "%zzA");
}

TEST(Text, HexComesBack) {
  const std::string bytes("\x00\xFF\x1a", 3);
  EXPECT_EQ(HexUpper(bytes), "00FF1A");
  EXPECT_EQ(FromHex("00ff1A"), bytes);
  EXPECT_EQ(FromHex(""), "");
  EXPECT_EQ(FromHex("0"), std::nullopt);
  EXPECT_EQ(FromHex("0g"), std::nullopt);
}

}  // namespace
}  // namespace tarn
