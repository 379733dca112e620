// The deletion vector of format page section 6, read without trusting a byte of it:
//
//   length    4 bytes, big endian: of magic and bitmap
//   magic     D1 D3 39 64
//   bitmap    8 bytes: how many; then for each: 4 bytes key (the position's upper half), a 32-bit
//   roaring bitmap. Little endian. checksum  4 bytes, big endian: CRC-32 of magic and bitmap
//
// A 32-bit roaring bitmap in its portable form: a cookie that tells whether there are run
// containers and how many containers there are, key and cardinality of each, sometimes their
// offsets (not needed, they follow each other), then the containers: sorted lists of 16-bit values,
// bitmaps of 8,192 bytes, or runs.
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "data/crc32.h"
#include "data/delete_mask.h"
#include "data/deletion_vector.h"
#include "tarn/error.h"

namespace tarn {
namespace {

constexpr uint32_t kOffsetsFrom = 4;  // with runs, offsets are there from this many containers on

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  [[noreturn]] void FailBeyond() const {
    Fail("it holds positions beyond the end of its data file");
  }

  [[noreturn]] void Fail(std::string_view why) const {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("\"{}\" is not a deletion vector: {}.", path_, why), {{"path", path_}});
  }

  std::string_view Take(size_t length) {
    if (length > bytes_.size()) Fail("it ends too early");
    std::string_view taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }

  template <class T>
  T Little() {
    std::string_view taken = Take(sizeof(T));
    T value = 0;
    for (size_t i = sizeof(T); i-- > 0;)
      value = static_cast<T>(value << 8 | static_cast<uint8_t>(taken[i]));
    return value;
  }

  uint32_t Big32() {
    std::string_view taken = Take(4);
    uint32_t value = 0;
    for (char c : taken) value = value << 8 | static_cast<uint8_t>(c);
    return value;
  }

  size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  const std::string& path_;
};

// Takes positions for a data file of so many rows. A few bytes of runs can claim billions, so none
// is taken before it is checked.
class Target {
 public:
  Target(const Reader& reader, int64_t row_count, DeleteMask& mask)
      : reader_(reader), row_count_(row_count), mask_(mask) {}

  void Add(int64_t first, int64_t last) {
    if (last >= row_count_) reader_.FailBeyond();
    for (int64_t position = first; position <= last; ++position) mask_.Add(position);
  }

 private:
  const Reader& reader_;
  int64_t row_count_;
  DeleteMask& mask_;
};

void ReadContainer(Reader& reader, bool is_run, uint32_t cardinality, int64_t first,
                   Target& target) {
  if (is_run) {
    uint32_t runs = reader.Little<uint16_t>();
    int64_t previous_end = -1;
    for (uint32_t i = 0; i < runs; ++i) {
      int64_t start = reader.Little<uint16_t>();
      int64_t last = start + reader.Little<uint16_t>();
      if (start <= previous_end || last > 0xFFFF) reader.Fail("its runs overlap");
      target.Add(first + start, first + last);
      previous_end = last;
    }
    return;
  }
  if (cardinality <= kMaxListedPositions) {
    int64_t previous = -1;
    for (uint32_t i = 0; i < cardinality; ++i) {
      int64_t low = reader.Little<uint16_t>();
      if (low <= previous) reader.Fail("its positions are not sorted");
      target.Add(first + low, first + low);
      previous = low;
    }
    return;
  }
  uint32_t seen = 0;
  for (int64_t word_index = 0; word_index < 1024; ++word_index) {
    for (uint64_t word = reader.Little<uint64_t>(); word != 0; word &= word - 1, ++seen) {
      int64_t position = first + word_index * 64 + std::countr_zero(word);
      target.Add(position, position);
    }
  }
  if (seen != cardinality) reader.Fail("a bitmap does not hold as many positions as it says");
}

void ReadBitmap32(Reader& reader, int64_t base, Target& target) {
  uint32_t cookie = reader.Little<uint32_t>();
  uint32_t containers = 0;
  std::string_view run_flags;
  if ((cookie & 0xFFFF) == kCookieWithRuns) {
    containers = (cookie >> 16) + 1;
    run_flags = reader.Take((containers + 7) / 8);
  } else if (cookie == kCookieWithoutRuns) {
    containers = reader.Little<uint32_t>();
    if (containers > 0x10000) reader.Fail("it has too many containers");
  } else {
    reader.Fail("it holds no roaring bitmap");
  }

  struct Head {
    uint16_t key;
    uint32_t cardinality;
  };
  if (reader.left() < size_t{4} * containers) reader.Fail("it ends too early");
  std::vector<Head> heads(containers);
  int64_t previous_key = -1;
  for (Head& head : heads) {
    head.key = reader.Little<uint16_t>();
    head.cardinality = uint32_t{reader.Little<uint16_t>()} + 1;
    if (head.key <= previous_key) reader.Fail("its containers are not sorted");
    previous_key = head.key;
  }
  if (run_flags.empty() || containers >= kOffsetsFrom) reader.Take(size_t{4} * containers);
  for (uint32_t i = 0; i < containers; ++i) {
    bool is_run = !run_flags.empty() && (static_cast<uint8_t>(run_flags[i / 8]) >> (i % 8) & 1);
    ReadContainer(reader, is_run, heads[i].cardinality, base + (int64_t{heads[i].key} << 16),
                  target);
  }
}

}  // namespace

void ParseDeletionVector(std::string_view bytes, const std::string& path, int64_t row_count,
                         DeleteMask& mask) {
  Reader outer(bytes, path);
  uint32_t length = outer.Big32();
  if (outer.left() < 4 || length != outer.left() - 4)
    outer.Fail("its length does not match the file's");
  std::string_view body = outer.Take(length);
  if (!body.starts_with(kDeletionVectorMagic)) outer.Fail("it starts with another magic number");
  if (outer.Big32() != Crc32(body)) outer.Fail("its checksum is wrong");

  Reader reader(body.substr(kDeletionVectorMagic.size()), path);
  Target target(reader, row_count, mask);
  uint64_t bitmaps = reader.Little<uint64_t>();
  int64_t previous_key = -1;
  for (uint64_t i = 0; i < bitmaps; ++i) {  // a false count ends at the end of the bytes
    int64_t key = reader.Little<uint32_t>();
    if (key <= previous_key) reader.Fail("its bitmaps are not sorted");
    if (key > 0x7FFFFFFF) reader.FailBeyond();
    ReadBitmap32(reader, key << 32, target);
    previous_key = key;
  }
  if (reader.left() != 0) reader.Fail("bytes follow its bitmaps");
}

void ReadDeletionVector(FileSystem& file_system, const std::string& path, int64_t row_count,
                        DeleteMask& mask) {
  std::unique_ptr<RandomAccessFile> file = file_system.Open(path);
  ParseDeletionVector(file->ReadAt(0, file->size_bytes()), path, row_count, mask);
}

}  // namespace tarn
