// Boxes and kinds of geometries: several row groups, and what makes them say nothing.
#include "data/geometry_stats.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tarn {
namespace {

using Box = std::array<std::optional<double>, 8>;

Box Flat(double xmin, double xmax, double ymin, double ymax) { return {xmin, xmax, ymin, ymax}; }

TEST(GeometryStats, RowGroupsAreUnited) {
  GeometryStatsMerger merger;
  merger.Add(Flat(1, 2, 3, 4), {3, 1});
  merger.Add(Flat(-1.5, 1, 3.5, 5), {1, 1002});
  const auto stats = merger.Finish();
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->Json(),
            R"({"bbox": {"xmin": -1.500000, "xmax": 2.000000, "ymin": 3.000000, "ymax": 5.000000, )"
            R"("zmin": null, "zmax": null, "mmin": null, "mmax": null}, )"
            R"("types": ["point", "polygon", "linestring_z"]})");
}

TEST(GeometryStats, AnAxisThatOneGroupLacksIsNotKnown) {
  GeometryStatsMerger merger;
  auto deep = Flat(0, 1, 0, 1);
  deep[4] = -7;
  deep[5] = 8;
  merger.Add(deep, {1001});
  EXPECT_EQ(merger.Finish()->box[4], -7);
  merger.Add(Flat(0, 1, 0, 1), {1});
  EXPECT_FALSE(merger.Finish()->box[4]);
  EXPECT_FALSE(merger.Finish()->box[5]);
  EXPECT_EQ(merger.Finish()->box[1], 1);
}

TEST(GeometryStats, WhatIsNotKnownOfAGroupIsNotKnownOfTheFile) {
  const auto after = [](const std::optional<Box>& box, const std::vector<int32_t>& types) {
    GeometryStatsMerger merger;
    merger.Add(Flat(0, 1, 0, 1), {1});
    merger.Add(box, types);
    return merger.Finish().has_value();
  };
  EXPECT_TRUE(after(Flat(0, 1, 0, 1), {1}));
  EXPECT_FALSE(after(std::nullopt, {1}));
  EXPECT_FALSE(after(Box{}, {1}));
  EXPECT_FALSE(after(Flat(0, 1, 0, 1), {}));
  EXPECT_FALSE(after(Flat(170, -170, 0, 1), {1})) << "a box around the back of the world";
  EXPECT_FALSE(after(Flat(std::nan(""), 1, 0, 1), {1}));
  EXPECT_FALSE(after(Flat(0, INFINITY, 0, 1), {1}));
  EXPECT_FALSE(GeometryStatsMerger().Finish());
}

}  // namespace
}  // namespace tarn
