// What is known of one field in each file of a chunk, in typed columns: facts as predicate_pruner.h
// defines them, and their union, with which a whole chunk is skipped at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catalog/predicate_pruner.h"

namespace tarn {

class FactsColumn {
 public:
  /// Of so many files nothing is known yet.
  explicit FactsColumn(size_t files);
  /// Those of the first files, and room for more.
  FactsColumn(const FactsColumn& first, size_t files);

  size_t size() const { return flags_.size(); }
  /// Each place once, in any order.
  void Set(size_t place, const FieldFacts& facts);
  bool is_set(size_t place) const { return (flags_[place] & kSet) != 0; }
  /// Nothing is set any more.
  void Finish();

  FieldFacts Get(size_t place) const;
  /// A superset of the values of all files: once finished. Its NULLs are those of all.
  const FieldFacts& all() const { return all_; }

  /// Takes out of `candidates` files that surely have no value for which `value <compare> constant`
  /// holds, as far as numbers tell; the quick first look before CanMatch, not a replacement.
  void Sift(Predicate::Compare compare, const StatsValue& constant,
            std::vector<uint8_t>& candidates) const;

  size_t memory() const;

 private:
  enum Flag : uint8_t {
    kSet = 1,
    kMayBeNull = 2,
    kMayBeValue = 4,
    kMayBeNan = 8,
    kHasMin = 16,
    kHasMax = 32,
    kMinIsExact = 64,
    kMaxIsExact = 128,
  };

  /// Bounds that fit 64 bits. An absent one is the widest there is, and where there is no value the
  /// bounds exclude all.
  struct Small {
    std::vector<int64_t> min, max;
  };
  struct Wide {
    std::vector<Int128> min, max;
  };
  struct Reals {
    std::vector<double> min, max;
  };
  struct Texts {
    struct Piece {
      uint32_t begin = 0;
      uint32_t length = 0;
    };
    std::string bytes;
    std::vector<Piece> min, max;
  };

  void SetBound(size_t place, bool is_min, const StatsValue& bound);
  std::optional<int64_t> Nulls(size_t place) const;
  void SetInteger(size_t place, bool is_min, Int128 value);
  StatsValue Bound(size_t place, bool is_min) const;

  std::vector<uint8_t> flags_;
  std::variant<std::monostate, Small, Wide, Reals, Texts> bounds_;
  /// Of files that may have NULLs; -1: unknown. Empty while there are none to tell.
  std::vector<int64_t> nulls_;
  /// Calendar parts and buckets are the same in all files of a partition: which of `parts_`; none
  /// where no file has any.
  std::vector<uint16_t> which_parts_;
  std::vector<std::vector<PartFact>> parts_;
  FieldFacts all_;
};

/// What holds for the values of both; how many NULLs there are is left out.
FieldFacts Union(const FieldFacts& a, const FieldFacts& b);

}  // namespace tarn
