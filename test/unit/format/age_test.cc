// Numbers without a unit.
#include "format/age.h"

#include "gtest/gtest.h"

namespace tarn {
namespace {

TEST(AgeTest, BareNumbers) {
  for (const char* text : {"30", " 2 ", "-2", "+ 7", "1.5", "2026"})
    EXPECT_TRUE(IsBareNumber(text)) << text;
  for (const char* text : {"", "30 days", "1:00:00", "2026-01-31", ".", "-", "P1D", "7d"})
    EXPECT_FALSE(IsBareNumber(text)) << text;
}

}  // namespace
}  // namespace tarn
