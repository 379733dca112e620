// NaN is above all numbers and not in a file's bounds, and not every writer tells of it.
#include <tuple>

#include <gtest/gtest.h>

#include "format/paths.h"
#include "unit/catalog/pruner_helpers.h"

namespace tarn {
namespace {

TEST(PredicatePruner, NanIsAboveTheBounds) {
  ColumnStats with_nan = Stats("1.0", "2.0", 10, 0, true);
  EXPECT_TRUE(Stays("float64", with_nan, Is(1, Op::kGreater, "5")));
  EXPECT_TRUE(Stays("float64", with_nan, Is(1, Op::kEqual, "nan")));
  EXPECT_TRUE(Stays("float64", with_nan, Is(1, Op::kNotEqual, "1.0")));
  EXPECT_FALSE(Stays("float64", with_nan, Is(1, Op::kLess, "1.0")));
  ColumnStats without = Stats("1.0", "2.0", 10, 0, false);
  EXPECT_FALSE(Stays("float64", without, Is(1, Op::kGreater, "5")));
  EXPECT_FALSE(Stays("float64", without, Is(1, Op::kEqual, "nan")));
  EXPECT_TRUE(Stays("float64", without, Is(1, Op::kLess, "nan")));
  EXPECT_TRUE(Stays("float64", Stats("1.0", "2.0"), Is(1, Op::kGreater, "5")))
      << "not said whether there is one";
  EXPECT_TRUE(Stays("float64", Stats({}, {}, 10, 0, true), Is(1, Op::kLess, "5")))
      << "only NaN, or no bounds known";
  EXPECT_FALSE(Stays("float64", with_nan, Is(1, Op::kEqual, "5")));
  EXPECT_FALSE(Stays("float64", with_nan, Is(1, Op::kLessOrEqual, "0.5")));
  EXPECT_FALSE(Stays("float64", with_nan, In(1, {"0.5", "5"})));
  EXPECT_TRUE(Stays("float64", with_nan, In(1, {"0.5", "nan"})));
}

// The NaN is above 5, the numbers are below 9, and nothing lies between.
TEST(PredicatePruner, NanFulfilsBothEndsOfARangeOrNone) {
  const auto between = [](const char* from, const char* to) {
    return Join(Kind::kAnd, {Is(1, Op::kGreaterOrEqual, from), Is(1, Op::kLessOrEqual, to)});
  };
  // The statistics tell of a NaN, or their silence proves nothing.
  for (const bool proves : {false, true}) {
    const ColumnStats stats = Stats("1.0", "4.0", 10, 0, proves);
    const auto stays = [&](const Predicate& predicate) {
      return Stays("float64", stats, predicate, false, proves);
    };
    EXPECT_FALSE(stays(between("5", "9")));
    EXPECT_FALSE(stays(between("-2", "0")));
    EXPECT_TRUE(stays(between("3", "9")));
    EXPECT_TRUE(stays(between("5", "nan")));
    EXPECT_FALSE(stays(Join(Kind::kOr, {between("5", "9"), between("7", "8")})));
    EXPECT_TRUE(stays(Join(Kind::kOr, {between("5", "9"), Is(1, Op::kGreater, "6")})));
  }
}

TEST(PredicatePruner, AbsentNansAreBelievedOfFilesWithOneRowGroup) {
  DataFile file;
  file.path = "ducklake-01234567-89ab-7fff-bfff-ffffffffffff.parquet";
  for (const auto& [rows, proves, proves_with_small_groups] :
       {std::tuple(1, true, true), std::tuple(2, true, false), std::tuple(1024, true, false),
        std::tuple(1025, false, false), std::tuple(200'000, false, false)}) {
    file.record_count = rows;
    EXPECT_EQ(ProvesAbsentNans(file, false), proves) << rows;
    EXPECT_EQ(ProvesAbsentNans(file, true), proves_with_small_groups) << rows;
  }
  file.path = "p=1/" + DataFileName("01234567-89ab-7fff-bfff-ffffffffffff");
  EXPECT_TRUE(ProvesAbsentNans(file, true)) << "what Tarn wrote, it has looked at";
  const ColumnStats stats = Stats("1.0", "2.0", 10, 0, false);
  EXPECT_FALSE(Stays("float64", stats, Is(1, Op::kGreater, "5"), false, true));
  EXPECT_TRUE(Stays("float64", stats, Is(1, Op::kGreater, "5"), false, false));
  EXPECT_TRUE(Stays("float64", stats, Is(1, Op::kNotEqual, "5"), false, false));
  EXPECT_FALSE(Stays("float64", stats, Is(1, Op::kLess, "1.0"), false, false));
}

TEST(PredicatePruner, NanAsAConstantMeetsBounds) {
  const Table table = MakeTable({MakeColumn(1, "c", "float64")});
  const PredicatePruner pruner(Is(1, Op::kEqual, "nan"), table);
  const PrunableField& field = pruner.fields().front();
  for (const bool has_nan : {true, false}) {
    const FieldFacts both =
        Intersect(FactsFromStats(field, Stats("1", "5", 10, 0, has_nan), 10, false),
                  FactsOfConstant(field, "nan"));
    EXPECT_EQ(pruner.CanMatch(std::vector{both}), has_nan);
  }
}

}  // namespace
}  // namespace tarn
