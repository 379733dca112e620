// Positions are kept by blocks of 65,536: few as a sorted list, many as a bitmap, as in a roaring
// bitmap. Debian's CRoaring exists only as a shared library, which a stock client's machine lacks,
// and its release there cannot validate what it read; what is needed of it is small, so it is here.
#include "data/delete_mask.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "tarn/error.h"

namespace tarn {
namespace {

constexpr int64_t kBlockRows = 1 << 16;
constexpr size_t kMaxListed = 4096;  // a list of this many costs as much as the bitmap
constexpr size_t kWords = kBlockRows / 64;

}  // namespace

class DeleteBlock {
 public:
  /// False when it was there already.
  bool Add(uint16_t low) {
    if (!words_.empty()) {
      uint64_t bit = uint64_t{1} << (low & 63);
      const bool is_new = (words_[low >> 6] & bit) == 0;
      count_ += is_new;
      words_[low >> 6] |= bit;
      return is_new;
    }
    if (listed_.empty() || listed_.back() < low) {  // the usual case: positions come in order
      listed_.push_back(low);
    } else {
      auto at = std::lower_bound(listed_.begin(), listed_.end(), low);
      if (at != listed_.end() && *at == low) return false;
      listed_.insert(at, low);
    }
    count_ = static_cast<uint32_t>(listed_.size());
    if (listed_.size() > kMaxListed) {
      words_.assign(kWords, 0);
      for (uint16_t value : listed_) words_[value >> 6] |= uint64_t{1} << (value & 63);
      listed_ = {};
    }
    return true;
  }

  bool Contains(uint16_t low) const {
    if (!words_.empty()) return words_[low >> 6] >> (low & 63) & 1;
    return std::binary_search(listed_.begin(), listed_.end(), low);
  }

  uint32_t count() const { return count_; }

  template <class Visit>
  void ForEach(Visit visit) const {
    for (uint16_t value : listed_) visit(value);
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(static_cast<uint16_t>(i * 64 + static_cast<size_t>(std::countr_zero(word))));
      }
    }
  }

  /// Appends start.. start + count - 1 that are not in the block, minus `base`, to `alive`.
  uint32_t* SelectAlive(uint32_t start, uint32_t count, uint32_t base, uint32_t* alive) const {
    auto next = listed_.begin();
    if (words_.empty()) next = std::lower_bound(listed_.begin(), listed_.end(), start);
    for (uint32_t low = start; low < start + count; ++low) {
      if (words_.empty()) {
        if (next != listed_.end() && *next == low) {
          ++next;
          continue;
        }
      } else if (words_[low >> 6] >> (low & 63) & 1) {
        continue;
      }
      *alive++ = base + (low - start);
    }
    return alive;
  }

 private:
  std::vector<uint16_t> listed_;  // sorted, each once; empty when words_ is used
  std::vector<uint64_t> words_;
  uint32_t count_ = 0;
};

struct DeleteMask::Rep {
  std::map<int64_t, DeleteBlock> blocks;
};

DeleteMask::DeleteMask() : rep_(std::make_unique<Rep>()) {}
DeleteMask::~DeleteMask() = default;
DeleteMask::DeleteMask(DeleteMask&&) noexcept = default;
DeleteMask& DeleteMask::operator=(DeleteMask&&) noexcept = default;

void DeleteMask::Add(int64_t position) {
  if (position < 0) return;  // no row has such a position
  rep_->blocks[position / kBlockRows].Add(static_cast<uint16_t>(position % kBlockRows));
}

void DeleteMask::Add(std::span<const int64_t> positions) {
  for (int64_t position : positions) Add(position);
}

void DeleteMask::Add(DeleteMask&& other) {
  for (auto& [number, block] : other.rep_->blocks) {
    auto [own, is_new] = rep_->blocks.try_emplace(number);
    if (is_new) {
      own->second = std::move(block);
    } else {
      block.ForEach([&own](uint16_t low) { own->second.Add(low); });
    }
  }
  other.rep_->blocks.clear();
}

bool DeleteMask::Insert(int64_t position) {
  return rep_->blocks[position / kBlockRows].Add(static_cast<uint16_t>(position % kBlockRows));
}

bool DeleteMask::Contains(int64_t position) const {
  if (position < 0) return false;
  auto block = rep_->blocks.find(position / kBlockRows);
  return block != rep_->blocks.end() &&
         block->second.Contains(static_cast<uint16_t>(position % kBlockRows));
}

int64_t DeleteMask::SelectAlive(int64_t start, int64_t count, uint32_t* alive) const {
  uint32_t* out = alive;
  for (int64_t done = 0; done < count;) {
    int64_t position = start + done;
    int64_t low = position % kBlockRows;
    int64_t step = std::min(count - done, kBlockRows - low);
    auto block = rep_->blocks.find(position / kBlockRows);
    if (block == rep_->blocks.end()) {
      for (int64_t i = 0; i < step; ++i) *out++ = static_cast<uint32_t>(done + i);
    } else {
      out = block->second.SelectAlive(static_cast<uint32_t>(low), static_cast<uint32_t>(step),
                                      static_cast<uint32_t>(done), out);
    }
    done += step;
  }
  return out - alive;
}

int64_t DeleteMask::size() const {
  int64_t size = 0;
  for (const auto& [_, block] : rep_->blocks) size += block.count();
  return size;
}

std::vector<int64_t> DeleteMask::Positions() const {
  std::vector<int64_t> positions;
  positions.reserve(static_cast<size_t>(size()));
  for (const auto& [number, block] : rep_->blocks) {
    block.ForEach(
        [&, first = number * kBlockRows](uint16_t low) { positions.push_back(first + low); });
  }
  return positions;
}

}  // namespace tarn
