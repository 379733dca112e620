// An ordered map that copies cheaply, for values that change a little at a time and are kept in
// many versions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tarn {

/// Entries lie in small sorted chunks, which copies share: copying a map of n entries costs n/32
/// pointers, changing one entry copies one chunk. Iterators are invalidated by any change. As safe
/// between threads as any value: copies may be used by different threads.
template <class Key, class T, class Less = std::less<>>
class SharedMap {
 public:
  using key_type = Key;
  using mapped_type = T;
  using value_type = std::pair<Key, T>;

 private:
  using Chunk = std::vector<value_type>;
  using Chunks = std::vector<std::shared_ptr<const Chunk>>;

 public:
  class const_iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = SharedMap::value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    const_iterator() = default;
    reference operator*() const { return (*(*chunks_)[chunk_])[position_]; }
    pointer operator->() const { return &**this; }
    const_iterator& operator++() {
      if (++position_ == (*chunks_)[chunk_]->size()) {
        ++chunk_;
        position_ = 0;
      }
      return *this;
    }
    const_iterator operator++(int) {
      const_iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const const_iterator& a, const const_iterator& b) {
      return a.chunk_ == b.chunk_ && a.position_ == b.position_;
    }

   private:
    friend class SharedMap;
    const_iterator(const Chunks* chunks, size_t chunk, size_t position)
        : chunks_(chunks), chunk_(chunk), position_(position) {}
    const Chunks* chunks_ = nullptr;
    size_t chunk_ = 0;
    size_t position_ = 0;
  };
  using iterator = const_iterator;

  const_iterator begin() const { return {&chunks_, 0, 0}; }
  const_iterator end() const { return {&chunks_, chunks_.size(), 0}; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  template <class K>
  const_iterator find(const K& key) const {
    const_iterator place = LowerBound(key);
    return place == end() || Less()(key, place->first) ? end() : place;
  }
  template <class K>
  size_t count(const K& key) const {
    return find(key) == end() ? 0 : 1;
  }
  template <class K>
  const T& at(const K& key) const {
    const_iterator found = find(key);
    if (found == end()) throw std::out_of_range("SharedMap::at");
    return found->second;
  }

  /// Adds the entry, or replaces the one with an equal key, key and all: keys may be equal and yet
  /// be spelled differently.
  void Put(Key key, T value) {
    const_iterator place = LowerBound(key);
    if (place != end() && !Less()(key, place->first)) {
      Edit(place.chunk_)[place.position_] = value_type(std::move(key), std::move(value));
      return;
    }
    ++size_;
    if (chunks_.empty()) {
      chunks_.push_back(std::make_shared<Chunk>(1, value_type(std::move(key), std::move(value))));
      return;
    }
    if (place == end()) place = {&chunks_, chunks_.size() - 1, chunks_.back()->size()};
    Chunk& chunk = Edit(place.chunk_);
    chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(place.position_),
                 value_type(std::move(key), std::move(value)));
    if (chunk.size() > kMaxChunk) Split(place.chunk_);
  }

  /// False when there is no such entry.
  template <class K>
  bool Erase(const K& key) {
    const_iterator place = find(key);
    if (place == end()) return false;
    --size_;
    if (chunks_[place.chunk_]->size() == 1) {
      chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(place.chunk_));
    } else {
      Chunk& chunk = Edit(place.chunk_);
      chunk.erase(chunk.begin() + static_cast<std::ptrdiff_t>(place.position_));
    }
    return true;
  }

  /// Walks two versions side by side, in order: keys that only `before` has, only `after` has, and
  /// both have. Chunks that both share are skipped, so that comparing a map with a slightly changed
  /// copy costs little more than the change.
  template <class OnBefore, class OnAfter, class OnBoth>
  static void Compare(const SharedMap& before, const SharedMap& after, OnBefore only_before,
                      OnAfter only_after, OnBoth both) {
    const_iterator left = before.begin(), right = after.begin();
    while (left != before.end() || right != after.end()) {
      if (left != before.end() && right != after.end() && left.position_ == 0 &&
          right.position_ == 0 && before.chunks_[left.chunk_] == after.chunks_[right.chunk_]) {
        ++left.chunk_;
        ++right.chunk_;
      } else if (right == after.end() ||
                 (left != before.end() && Less()(left->first, right->first))) {
        only_before(left++->second);
      } else if (left == before.end() || Less()(right->first, left->first)) {
        only_after(right++->second);
      } else {
        both(left++->second, right++->second);
      }
    }
  }

 private:
  static constexpr size_t kMaxChunk = 64;

  template <class K>
  const_iterator LowerBound(const K& key) const {
    // The first chunk whose last key is not less.
    auto chunk = std::partition_point(chunks_.begin(), chunks_.end(),
                                      [&](const auto& c) { return Less()(c->back().first, key); });
    if (chunk == chunks_.end()) return end();
    auto entry = std::partition_point((*chunk)->begin(), (*chunk)->end(),
                                      [&](const value_type& e) { return Less()(e.first, key); });
    return {&chunks_, static_cast<size_t>(chunk - chunks_.begin()),
            static_cast<size_t>(entry - (*chunk)->begin())};
  }

  /// The chunk as a copy of this map's own. Always a copy: whether others hold the old one cannot
  /// be told without a race.
  Chunk& Edit(size_t index) {
    auto copy = std::make_shared<Chunk>(*chunks_[index]);
    Chunk& chunk = *copy;
    chunks_[index] = std::move(copy);
    return chunk;
  }

  void Split(size_t index) {
    const Chunk& whole = *chunks_[index];
    const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2);
    auto first = std::make_shared<const Chunk>(whole.begin(), middle);
    auto second = std::make_shared<const Chunk>(middle, whole.end());
    chunks_[index] = std::move(first);
    chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(index) + 1, std::move(second));
  }

  Chunks chunks_;  ///< none is empty
  size_t size_ = 0;
};

}  // namespace tarn
