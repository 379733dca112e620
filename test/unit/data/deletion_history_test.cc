// When rows of a file went, as a change feed asks.
#include "data/deletion_history.h"

#include <vector>

#include <gtest/gtest.h>

namespace tarn {
namespace {

constexpr SnapshotRange kRange{SnapshotId(5), SnapshotId(8)};

std::vector<int64_t> Removed(const DeletionHistory& history, int64_t rows) {
  std::vector<uint32_t> offsets(static_cast<size_t>(rows));
  const int64_t count = history.SelectRemoved(0, rows, offsets.data());
  return {offsets.begin(), offsets.begin() + count};
}

TEST(DeletionHistory, RowsGoOnceWithTheFirstDelete) {
  DeletionHistory history(kRange, SnapshotId(1));
  history.Add(7, SnapshotId(6));
  history.Add(3, SnapshotId(8));
  history.Add(7, SnapshotId(5));
  history.Add(3, SnapshotId(8));
  history.Settle({});
  EXPECT_EQ(Removed(history, 10), (std::vector<int64_t>{3, 7}));
  EXPECT_EQ(history.At(7), SnapshotId(5));
  EXPECT_EQ(history.At(3), SnapshotId(8));
  EXPECT_EQ(history.At(4), std::nullopt);
  EXPECT_EQ(history.only_snapshot(), std::nullopt);
}

TEST(DeletionHistory, WhatWentBeforeTheRangeCannotGoAgain) {
  DeletionHistory history(kRange, SnapshotId(1));
  history.Add(1, SnapshotId(6));
  history.Add(1, SnapshotId(4));
  history.Add(2, SnapshotId(9));
  history.Settle({});
  EXPECT_TRUE(history.empty());
  EXPECT_EQ(Removed(history, 10), std::vector<int64_t>{});
}

TEST(DeletionHistory, TheEndOfAFileTakesTheRest) {
  DeletionHistory history(kRange, SnapshotId(1));
  history.Add(0, SnapshotId(2));
  history.Add(1, SnapshotId(6));
  history.Settle(SnapshotId(7));
  EXPECT_EQ(Removed(history, 4), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(history.At(0), std::nullopt);
  EXPECT_EQ(history.At(1), SnapshotId(6));
  EXPECT_EQ(history.At(3), SnapshotId(7));
}

TEST(DeletionHistory, RowsThatWentWithTheirOwnSnapshotWereNeverThere) {
  DeletionHistory history(kRange, SnapshotId(6));
  history.Add(1, SnapshotId(6));
  history.Add(2, SnapshotId(7));
  history.Settle({});
  EXPECT_EQ(Removed(history, 4), std::vector<int64_t>{2});
  EXPECT_EQ(history.only_snapshot(), SnapshotId(7));

  DeletionHistory ended(kRange, SnapshotId(6));
  ended.Settle(SnapshotId(6));
  EXPECT_TRUE(ended.empty());
}

TEST(DeletionHistory, OffsetsCountFromTheStart) {
  DeletionHistory history(kRange, std::nullopt);
  for (const int64_t position : {65535, 65536, 65540}) history.Add(position, SnapshotId(5));
  history.Add(-1, SnapshotId(5));
  history.Settle({});
  std::vector<uint32_t> offsets(100);
  ASSERT_EQ(history.SelectRemoved(65536, 4, offsets.data()), 1);
  EXPECT_EQ(offsets[0], 0U);
  ASSERT_EQ(history.SelectRemoved(65530, 100, offsets.data()), 3);
  EXPECT_EQ(offsets[2], 10U);
}

}  // namespace
}  // namespace tarn
