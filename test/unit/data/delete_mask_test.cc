// Delete masks against a plain set, and deletion vectors: those of other writers, and bytes that
// are none.
#include "data/delete_mask.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "tarn/error.h"

namespace tarn {
namespace {

// What the format page says of the checksum, written a second time so that both must agree.
uint32_t Crc32(std::string_view bytes) {
  uint32_t crc = ~0u;
  for (char c : bytes) {
    crc ^= static_cast<uint8_t>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

std::string Big32(uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

std::string Little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
  return text;
}

// A vector around the bytes of its bitmap (those after the magic number).
std::string Vector(const std::string& bitmap) {
  std::string body = "\xD1\xD3\x39\x64" + bitmap;
  return Big32(static_cast<uint32_t>(body.size())) + body + Big32(Crc32(body));
}

std::vector<int64_t> Parse(const std::string& bytes, int64_t row_count = int64_t{1} << 40) {
  DeleteMask mask;
  ParseDeletionVector(bytes, "v.puffin", row_count, mask);
  return mask.Positions();
}

ErrorCode FailureOf(const std::string& bytes, int64_t row_count = int64_t{1} << 40) {
  try {
    Parse(bytes, row_count);
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("v.puffin"), std::string::npos) << error.message();
    return error.code();
  }
  ADD_FAILURE() << "was accepted";
  return ErrorCode::kInternal;
}

// One 32-bit bitmap under key 0 with one container of runs under key 0.
std::string RunVector(std::vector<std::pair<uint16_t, uint16_t>> runs) {
  std::string bitmap = Little(1, 8) + Little(0, 4);
  bitmap += Little(12347, 4);             // cookie with runs, one container
  bitmap += Little(1, 1);                 // it is a run container
  bitmap += Little(0, 2) + Little(0, 2);  // key, cardinality - 1 (of no use for runs)
  bitmap += Little(runs.size(), 2);
  for (auto [start, more] : runs) bitmap += Little(start, 2) + Little(more, 2);
  return Vector(bitmap);
}

TEST(DeleteMask, HoldsEachPositionOnce) {
  DeleteMask mask;
  EXPECT_TRUE(mask.empty());
  for (int64_t position : {7, 3, 7, 70000, 3, -1}) mask.Add(position);
  EXPECT_EQ(mask.Positions(), (std::vector<int64_t>{3, 7, 70000}));
  EXPECT_EQ(mask.size(), 3);
  EXPECT_TRUE(mask.Contains(70000));
  EXPECT_FALSE(mask.Contains(4));
  EXPECT_FALSE(mask.Contains(-1));
}

TEST(DeleteMask, TellsWhatIsNew) {
  DeleteMask mask;
  EXPECT_TRUE(mask.Insert(7));
  EXPECT_FALSE(mask.Insert(7));
  EXPECT_TRUE(mask.Insert(3));
  for (int64_t position = 0; position < 10000; ++position)
    EXPECT_EQ(mask.Insert(position), position != 7 && position != 3);
  for (int64_t position = 0; position < 10000; ++position) EXPECT_FALSE(mask.Insert(position));
  EXPECT_TRUE(mask.Insert(int64_t{1} << 40));
  EXPECT_EQ(mask.size(), 10001);
}

TEST(DeleteMask, TakesAnotherIn) {
  DeleteMask mask, other;
  mask.Add(std::vector<int64_t>{1, 5, 70000});
  other.Add(std::vector<int64_t>{5, 6, 200000});
  mask.Add(std::move(other));
  EXPECT_EQ(mask.Positions(), (std::vector<int64_t>{1, 5, 6, 70000, 200000}));
}

TEST(DeleteMask, AgreesWithASet) {
  std::mt19937_64 random(7);
  for (int64_t limit : {100, 70'000, 400'000}) {
    DeleteMask mask;
    std::set<int64_t> expected;
    for (int i = 0; i < 30'000; ++i) {  // enough in a block to turn its list into a bitmap
      int64_t position = static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
      mask.Add(position);
      expected.insert(position);
    }
    EXPECT_EQ(mask.Positions(), std::vector<int64_t>(expected.begin(), expected.end()));
    std::vector<uint32_t> alive(5000);
    for (int64_t start = 0; start < limit; start += 4321) {
      int64_t count = mask.SelectAlive(start, 5000, alive.data());
      std::vector<uint32_t> wanted;
      for (int64_t i = 0; i < 5000; ++i) {
        if (!expected.contains(start + i)) wanted.push_back(static_cast<uint32_t>(i));
      }
      ASSERT_EQ(std::vector<uint32_t>(alive.begin(), alive.begin() + count), wanted);
    }
  }
}

TEST(DeletionVector, OfTheReferenceIsRead) {
  std::optional<std::string> bytes = FromHex(
      "00000026d1d339640100000000000000000000003a30000001000000000002001000000001000300040043856c7"
      "8");
  EXPECT_EQ(Parse(*bytes), (std::vector<int64_t>{1, 3, 4}));
}

TEST(DeletionVector, BitmapContainersAreRead) {
  std::string bitmap = Little(1, 8) + Little(0, 4) + Little(12346, 4) + Little(1, 4);
  bitmap += Little(2, 2) + Little(32767, 2) + Little(16, 4);  // key 2, 32,768 positions, offset
  for (int i = 0; i < 1024; ++i) bitmap += Little(0x5555555555555555, 8);
  std::vector<int64_t> positions = Parse(Vector(bitmap));
  ASSERT_EQ(positions.size(), 32768u);
  EXPECT_EQ(positions.front(), 131072);
  EXPECT_EQ(positions.back(), 131072 + 65534);
}

TEST(DeletionVector, RunsAndUpperHalvesAreRead) {
  EXPECT_EQ(Parse(RunVector({{2, 2}, {9, 0}})), (std::vector<int64_t>{2, 3, 4, 9}));
  std::string bitmap = Little(2, 8);
  for (int key : {0, 3}) {
    bitmap += Little(static_cast<uint64_t>(key), 4) + Little(12346, 4) + Little(1, 4) +
              Little(0, 2) + Little(0, 2) + Little(16, 4) + Little(5, 2);
  }
  EXPECT_EQ(Parse(Vector(bitmap)), (std::vector<int64_t>{5, (int64_t{3} << 32) + 5}));
  EXPECT_TRUE(Parse(Vector(Little(0, 8))).empty());
}

TEST(DeletionVector, BrokenOnesAreCorrupt) {
  std::string good = RunVector({{2, 2}});
  EXPECT_EQ(FailureOf(""), ErrorCode::kCorrupt);
  EXPECT_EQ(FailureOf("PAR1"), ErrorCode::kCorrupt);
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_EQ(FailureOf(good.substr(0, length)), ErrorCode::kCorrupt);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    EXPECT_EQ(FailureOf(bad), ErrorCode::kCorrupt) << i;
  }
  EXPECT_EQ(FailureOf(RunVector({{5, 3}, {6, 0}})), ErrorCode::kCorrupt) << "overlapping runs";
  EXPECT_EQ(FailureOf(RunVector({{65535, 1}})), ErrorCode::kCorrupt)
      << "a run over the end of its block";
  EXPECT_EQ(FailureOf(Vector(Little(0, 8) + "x")), ErrorCode::kCorrupt) << "bytes at the end";
  EXPECT_EQ(FailureOf(Vector(Little(~uint64_t{0}, 8))), ErrorCode::kCorrupt) << "a false count";
}

TEST(DeletionVector, PositionsBeyondTheFileAreCorrupt) {
  EXPECT_EQ(Parse(RunVector({{2, 2}}), 5), (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(FailureOf(RunVector({{2, 2}}), 4), ErrorCode::kCorrupt);
}

// With a right checksum every byte is in the hands of whoever wrote the file.
TEST(DeletionVector, MutationsNeverCrash) {
  std::mt19937 random(11);
  std::string seed = RunVector({{2, 2}, {9, 4}}).substr(8);
  seed.resize(seed.size() - 4);
  std::string large = Little(1, 8) + Little(0, 4) + Little(12346, 4) + Little(1, 4) + Little(2, 2) +
                      Little(32767, 2) + Little(16, 4) + std::string(8192, '\x55');
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string bitmap = round % 20 ? seed : large;
    for (int i = 0; i < 3; ++i) {
      bitmap[random() % std::min<size_t>(bitmap.size(), 40)] = static_cast<char>(random());
    }
    if (round % 5 == 0) bitmap.resize(random() % bitmap.size());
    try {
      accepted += Parse(Vector(bitmap), 1'000'000).size() <= 1'000'000;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    }
  }
  EXPECT_LT(accepted, 4000);
}

}  // namespace
}  // namespace tarn
