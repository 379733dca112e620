// A deletion vector as other clients write and read it; deletion_vector.cc shows the bytes. Sorted
// lists and bitmaps only, never runs: every reader knows those two, and deletes seldom make runs.
#include <algorithm>

#include "base/assert.h"
#include "data/crc32.h"
#include "data/deletion_vector.h"

namespace tarn {
namespace {

template <class T>
void PutLittle(std::string& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

void PutBig32(std::string& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFF);
}

using Positions = std::span<const int64_t>;

/// The positions at the front that share their upper bits.
Positions TakeGroup(Positions& positions, int shift) {
  const int64_t key = positions.front() >> shift;
  auto end = std::find_if(positions.begin(), positions.end(),
                          [&](int64_t position) { return position >> shift != key; });
  Positions group = positions.first(static_cast<size_t>(end - positions.begin()));
  positions = positions.subspan(group.size());
  return group;
}

size_t ContainerBytes(Positions container) {
  return container.size() > kMaxListedPositions ? kBitmapBytes : 2 * container.size();
}

void PutContainer(std::string& out, Positions container) {
  if (container.size() <= kMaxListedPositions) {
    for (int64_t position : container) PutLittle(out, static_cast<uint16_t>(position));
    return;
  }
  const size_t start = out.size();
  out.resize(start + kBitmapBytes);
  for (int64_t position : container) {
    const size_t low = static_cast<uint16_t>(position);
    out[start + low / 8] = static_cast<char>(out[start + low / 8] | 1 << (low % 8));
  }
}

void PutBitmap32(std::string& out, Positions bitmap) {
  std::vector<Positions> containers;
  while (!bitmap.empty()) containers.push_back(TakeGroup(bitmap, 16));
  PutLittle(out, kCookieWithoutRuns);
  PutLittle(out, static_cast<uint32_t>(containers.size()));
  for (Positions container : containers) {
    PutLittle(out, static_cast<uint16_t>(container.front() >> 16));
    PutLittle(out, static_cast<uint16_t>(container.size() - 1));
  }
  // From the start of this bitmap: cookie, count, 4 bytes and an offset for each container.
  size_t offset = 8 + 8 * containers.size();
  for (Positions container : containers) {
    PutLittle(out, static_cast<uint32_t>(offset));
    offset += ContainerBytes(container);
  }
  for (Positions container : containers) PutContainer(out, container);
}

}  // namespace

std::string SerializeDeletionVector(std::span<const int64_t> positions) {
  TARN_ASSERT(std::adjacent_find(positions.begin(), positions.end(),
                                 std::greater_equal<int64_t>()) == positions.end());
  TARN_ASSERT(positions.empty() || positions.front() >= 0);
  std::vector<Positions> bitmaps;
  while (!positions.empty()) bitmaps.push_back(TakeGroup(positions, 32));
  std::string body(kDeletionVectorMagic);
  PutLittle(body, static_cast<uint64_t>(bitmaps.size()));
  for (Positions bitmap : bitmaps) {
    PutLittle(body, static_cast<uint32_t>(bitmap.front() >> 32));
    PutBitmap32(body, bitmap);
  }
  std::string out;
  out.reserve(body.size() + 8);
  PutBig32(out, static_cast<uint32_t>(body.size()));
  out += body;
  PutBig32(out, Crc32(body));
  return out;
}

}  // namespace tarn
