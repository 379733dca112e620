// Deletion vectors that Tarn writes: byte for byte as the reference's, and read back as they were.
#include "data/deletion_vector.h"

#include <numeric>

#include <gmock/gmock.h>

#include "data/delete_mask.h"

namespace tarn {
namespace {

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (unsigned char c : bytes) {
    hex += "0123456789abcdef"[c >> 4];
    hex += "0123456789abcdef"[c & 15];
  }
  return hex;
}

TEST(DeletionVectorTest, BytesAreTheReferences) {
  const std::vector<int64_t> one = {5};
  EXPECT_EQ(Hex(SerializeDeletionVector(one)),
            "00000022d1d339640100000000000000000000003a30000001000000000000001000000005008ad140f0");
  const std::vector<int64_t> two_containers = {5, 70000};
  EXPECT_EQ(Hex(SerializeDeletionVector(two_containers)),
            "0000002cd1d339640100000000000000000000003a3000000200000000000000010000001800000"
            "01a00000005007011d6494a36");
}

TEST(DeletionVectorTest, WhatIsWrittenIsReadBack) {
  std::vector<int64_t> many(10000);
  std::iota(many.begin(), many.end(), 60000);
  const int64_t far = int64_t{5} << 32;
  for (std::vector<int64_t> positions :
       {std::vector<int64_t>(), many,
        std::vector<int64_t>{0, 65535, 65536, far - 1, far, far + 70000}}) {
    DeleteMask mask;
    ParseDeletionVector(SerializeDeletionVector(positions), "f", far + 100000, mask);
    EXPECT_EQ(mask.Positions(), positions);
  }
  std::vector<int64_t> edge(4096);
  std::iota(edge.begin(), edge.end(), 0);
  for (int more = 0; more < 2; ++more, edge.push_back(4096)) {
    DeleteMask mask;
    ParseDeletionVector(SerializeDeletionVector(edge), "f", 5000, mask);
    EXPECT_EQ(mask.Positions(), edge) << "a list of the greatest length, a bitmap of the least";
  }
}

}  // namespace
}  // namespace tarn
