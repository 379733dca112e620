// That the server and we mean the same by the form of a bound's text.
#include "catalog/bound_order.h"

#include <gtest/gtest.h>

#include <regex>

namespace tarn {
namespace {

std::optional<BoundOrder> OrderOfText(TypeKind kind, const std::string& text) {
  ColumnSummary added;
  added.type.kind = kind;
  added.has_values = true;
  added.min_value = added.max_value = text;
  return OrderOf(added);
}

TEST(BoundOrder, TextsThatWeTakeAreThoseOfThePatternThatTheServerIsTold) {
  const std::string texts[] = {"0",
                               "1",
                               "-5",
                               "--5",
                               "+5",
                               "-",
                               "",
                               ".5",
                               "5.",
                               "5.25",
                               "1e5",
                               "nan",
                               "inf",
                               "infinity",
                               " 5",
                               "5\n",
                               "false",
                               "true",
                               "True",
                               std::string(17, '9'),
                               std::string(18, '9'),
                               std::string(40, '9'),
                               std::string(41, '9'),
                               "1." + std::string(30, '3'),
                               "1." + std::string(31, '3'),
                               "1." + std::string(41, '3'),
                               "2024-01-31",
                               "12024-01-31",
                               "2024-1-31",
                               "0044-03-15 (BC)",
                               "12:30:00",
                               "12:30",
                               "12:30:00.123456789",
                               "12:30:00.1234567890",
                               "12:30:00.",
                               "2024-01-31 12:30:00",
                               "2024-01-31 12:30:00.5",
                               "2024-01-31T12:30:00",
                               "2024-01-31 12:30:00+00",
                               "2024-01-31 12:30:00.5+00",
                               "2024-01-31 12:30:00+02",
                               "00000000-0000-0000-0000-00000000000a",
                               "00000000-0000-0000-0000-00000000000A",
                               "00000000000000000000000000000000"};
  for (const TypeKind kind :
       {TypeKind::kInt32, TypeKind::kDecimal, TypeKind::kBoolean, TypeKind::kFloat32,
        TypeKind::kFloat64, TypeKind::kVarchar, TypeKind::kDate, TypeKind::kTime,
        TypeKind::kTimestamp, TypeKind::kTimestampTz, TypeKind::kUuid}) {
    std::optional<BoundOrder> known;
    for (const std::string& text : texts) {
      if (const auto order = OrderOfText(kind, text)) {
        known = order;
        EXPECT_TRUE(order->pattern.empty() || std::regex_match(text, std::regex(order->pattern)))
            << text << " is taken for " << order->pattern;
      }
    }
    ASSERT_TRUE(known);
    if (known->pattern.empty() || kind == TypeKind::kBoolean) continue;  // which has two
    for (const std::string& text : texts) {
      if (std::regex_match(text, std::regex(known->pattern))) {
        EXPECT_TRUE(OrderOfText(kind, text)) << text << " is refused as " << known->pattern;
      }
    }
  }
}

}  // namespace
}  // namespace tarn
