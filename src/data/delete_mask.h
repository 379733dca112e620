// DeleteMask: which positions of one data file are dead. Filled from deletion vectors, positional
// delete files (which the engine reads) and inlined deletes; a position named twice counts once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/file_system.h"

namespace tarn {

/// A compressed set of row positions. Filled by one thread, then read by any number.
class DeleteMask {
 public:
  DeleteMask();
  ~DeleteMask();
  DeleteMask(DeleteMask&&) noexcept;
  DeleteMask& operator=(DeleteMask&&) noexcept;

  void Add(int64_t position);
  void Add(std::span<const int64_t> positions);
  void Add(DeleteMask&& other);
  /// Adds a position that is not negative; false when it was there already.
  bool Insert(int64_t position);

  bool Contains(int64_t position) const;
  /// Writes to `alive` the offsets 0 <= i < count for which position start + i is not deleted, in
  /// order: what a selection vector needs. Returns how many there are.
  int64_t SelectAlive(int64_t start, int64_t count, uint32_t* alive) const;
  int64_t size() const;
  bool empty() const { return size() == 0; }
  std::vector<int64_t> Positions() const;

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

/// Adds the positions of a deletion vector as the format stores it (section 6): length, magic,
/// 64-bit roaring bitmap, CRC-32. Throws kCorrupt with the path for anything else, also for
/// positions that a data file of `row_count` rows does not have; trusts no length.
void ReadDeletionVector(FileSystem& file_system, const std::string& path, int64_t row_count,
                        DeleteMask& mask);
void ParseDeletionVector(std::string_view bytes, const std::string& path, int64_t row_count,
                         DeleteMask& mask);

}  // namespace tarn
