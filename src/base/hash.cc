// MurmurHash3 (x86, 32 bits), after Austin Appleby's public-domain algorithm.
#include "base/hash.h"

#include <bit>

namespace tarn {
namespace {

uint32_t Scramble(uint32_t block) {
  block *= 0xcc9e2d51u;
  block = std::rotl(block, 15);
  return block * 0x1b873593u;
}

uint32_t Byte(std::string_view bytes, size_t index) { return static_cast<uint8_t>(bytes[index]); }

}  // namespace

uint32_t Murmur3_32(std::string_view bytes, uint32_t seed) {
  uint32_t hash = seed;
  const size_t whole = bytes.size() & ~size_t{3};
  for (size_t i = 0; i < whole; i += 4) {
    // Little-endian whatever the machine is.
    const uint32_t block = Byte(bytes, i) | Byte(bytes, i + 1) << 8 | Byte(bytes, i + 2) << 16 |
                           Byte(bytes, i + 3) << 24;
    hash ^= Scramble(block);
    hash = std::rotl(hash, 13);
    hash = hash * 5 + 0xe6546b64u;
  }
  uint32_t tail = 0;
  for (size_t i = bytes.size(); i > whole; --i) tail = tail << 8 | Byte(bytes, i - 1);
  hash ^= Scramble(tail);  // nothing left over scrambles to 0

  hash ^= static_cast<uint32_t>(bytes.size());
  hash ^= hash >> 16;
  hash *= 0x85ebca6bu;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35u;
  hash ^= hash >> 16;
  return hash;
}

}  // namespace tarn
