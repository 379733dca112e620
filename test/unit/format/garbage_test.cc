// Catalogs hold what any program wrote: no text may crash a parser. Worth most under the
// sanitizers.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "format/change_list.h"
#include "format/paths.h"
#include "format/stats_text.h"
#include "format/transform.h"

namespace tarn {
namespace {

/// Pieces of valid texts in random order, with random bytes between.
std::string Garbage(std::mt19937_64& random) {
  static constexpr std::string_view kPieces[] = {"2020-01-31",
                                                 " ",
                                                 "12:34:56",
                                                 ".789",
                                                 "+02",
                                                 "-",
                                                 "infinity",
                                                 "(BC)",
                                                 "T",
                                                 "Z",
                                                 "1e308",
                                                 "nan",
                                                 ".",
                                                 "9223372036854775808",
                                                 "99999999999999999999999999999999999999",
                                                 "\\x",
                                                 "FF",
                                                 "\"",
                                                 ",",
                                                 ":",
                                                 "created_table:",
                                                 "inserted_into_table:",
                                                 "/",
                                                 "..",
                                                 "file:",
                                                 "s3://",
                                                 "(",
                                                 ")",
                                                 "bucket(",
                                                 "year",
                                                 " days ",
                                                 "5877642-06-25",
                                                 "294247-01-10",
                                                 "\xF4\x8F\xBF\xBF",
                                                 "e-1000",
                                                 "0"};
  std::string text;
  for (auto n = random() % 7; n > 0; --n) {
    if (random() % 8 == 0) {
      text.push_back(static_cast<char>(random()));
    } else {
      text += kPieces[random() % std::size(kPieces)];
    }
  }
  return text;
}

TEST(Garbage, NeverCrashesAParser) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 5'000; ++i) {
    const std::string text = Garbage(random);
    for (const TypeKind kind : AllTypeKinds()) {
      const ScalarType type =
          kind == TypeKind::kDecimal ? ScalarType{kind, 38, 19} : ScalarType{kind};
      const auto min = ParseBound(type, text, BoundSide::kMin);
      const auto max = ParseBound(type, text, BoundSide::kMax);
      if (!min || !max) continue;
      ASSERT_TRUE(Compare(*min, *max) <= 0) << TypeName(type) << " " << text;
      EncodeBound(type, *max, BoundSide::kMax);
      PartitionValue({Transform::Kind::kBucket, 16}, type, *min);
      PartitionValue({Transform::Kind::kHour, 0}, type, *min);
      // What was understood can be said again.
      ASSERT_TRUE(
          ParseValue(type, FormatValue(type, *min, TextEncoding::kPlain), TextEncoding::kPlain))
          << TypeName(type) << " " << text;
    }
    ASSERT_EQ(ParseChanges(FormatChanges(ParseChanges(text))), ParseChanges(text)) << text;
    // A folder that is itself called `file:` reads as a URL the second time.
    const std::string normal = NormalPath(text);
    if (!normal.starts_with("file:")) {
      ASSERT_EQ(NormalPath(normal), normal) << text;
    }
    ParseTransform(text);
    ParseTypeName(text);
    IsLakeFileName(text);
  }
}

}  // namespace
}  // namespace tarn
