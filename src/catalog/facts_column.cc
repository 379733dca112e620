// See facts_column.h.
#include "catalog/facts_column.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tarn {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();

bool FitsSmall(Int128 value) { return value > kLeast && value < kGreatest; }

bool SameParts(const std::vector<PartFact>& a, const std::vector<PartFact>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PartFact& x, const PartFact& y) {
                      return x.transform == y.transform && x.part == y.part;
                    });
}

}  // namespace

FieldFacts Union(const FieldFacts& a, const FieldFacts& b) {
  FieldFacts result;
  result.may_be_null = a.may_be_null || b.may_be_null;
  result.may_be_value = a.may_be_value || b.may_be_value;
  // Bounds of no values exclude nothing.
  if (!a.may_be_value || !b.may_be_value) {
    const FieldFacts& one = a.may_be_value ? a : b;
    result.min = one.min;
    result.max = one.max;
    result.min_is_exact = one.min_is_exact;
    result.max_is_exact = one.max_is_exact;
    result.may_be_nan = one.may_be_nan;
    result.parts = one.parts;
    return result;
  }
  result.may_be_nan = a.may_be_nan || b.may_be_nan;
  // A value that is as far out as any bound is the farthest of all.
  const auto take = [](const std::optional<StatsValue>& bound, bool is_exact,
                       std::optional<StatsValue>& to, bool& to_is_exact) {
    to = bound;
    to_is_exact = is_exact;
  };
  if (a.min && b.min) {
    const auto order = Compare(*b.min, *a.min);
    const bool takes_b = order < 0 || (order == 0 && b.min_is_exact);
    take(takes_b ? b.min : a.min, takes_b ? b.min_is_exact : a.min_is_exact, result.min,
         result.min_is_exact);
  }
  if (a.max && b.max) {
    const auto order = Compare(*b.max, *a.max);
    const bool takes_b = order > 0 || (order == 0 && b.max_is_exact);
    take(takes_b ? b.max : a.max, takes_b ? b.max_is_exact : a.max_is_exact, result.max,
         result.max_is_exact);
  }
  for (const PartFact& part : a.parts) {
    const bool in_both = std::any_of(b.parts.begin(), b.parts.end(), [&](const PartFact& other) {
      return other.transform == part.transform && other.part == part.part;
    });
    if (in_both) result.parts.push_back(part);
  }
  return result;
}

FactsColumn::FactsColumn(size_t files) : flags_(files, 0) {}

FactsColumn::FactsColumn(const FactsColumn& first, size_t files) : FactsColumn(files) {
  for (size_t place = 0; place < std::min(first.size(), files); ++place)
    Set(place, first.Get(place));
}

void FactsColumn::Set(size_t place, const FieldFacts& facts) {
  uint8_t flags = kSet;
  if (facts.may_be_null) flags |= kMayBeNull;
  if (facts.may_be_value) flags |= kMayBeValue;
  if (facts.may_be_nan) flags |= kMayBeNan;
  // Bounds with a text beside (intervals) are not worth keeping: without a bound all is possible.
  const auto is_kept = [](const std::optional<StatsValue>& bound) {
    return bound && (bound->form == StatsValue::Form::kBytes || bound->bytes.empty());
  };
  if (is_kept(facts.min)) {
    flags |= kHasMin;
    if (facts.min_is_exact) flags |= kMinIsExact;
    SetBound(place, true, *facts.min);
  }
  if (is_kept(facts.max)) {
    flags |= kHasMax;
    if (facts.max_is_exact) flags |= kMaxIsExact;
    SetBound(place, false, *facts.max);
  }
  if (!facts.may_be_value) {
    if (Small* small = std::get_if<Small>(&bounds_)) {
      small->min[place] = kGreatest;
      small->max[place] = kLeast;
    }
  }
  flags_[place] = flags;
  if (facts.may_be_null && facts.nulls) {
    if (nulls_.empty()) nulls_.resize(size(), -1);
    nulls_[place] = *facts.nulls;
  }
  if (facts.parts.empty() && which_parts_.empty()) return;
  if (which_parts_.empty()) {
    which_parts_.resize(size(), 0);
    parts_.emplace_back();
  }
  auto known = std::find_if(parts_.rbegin(), parts_.rend(),
                            [&](const auto& parts) { return SameParts(parts, facts.parts); });
  if (known == parts_.rend()) {
    parts_.push_back(facts.parts);
    known = parts_.rbegin();
  }
  which_parts_[place] = static_cast<uint16_t>(&*known - parts_.data());
}

void FactsColumn::SetBound(size_t place, bool is_min, const StatsValue& bound) {
  switch (bound.form) {
    case StatsValue::Form::kInteger:
      SetInteger(place, is_min, bound.integer);
      return;
    case StatsValue::Form::kReal: {
      if (!std::holds_alternative<Reals>(bounds_)) {
        bounds_ = Reals{std::vector<double>(size()), std::vector<double>(size())};
      }
      Reals& reals = std::get<Reals>(bounds_);
      (is_min ? reals.min : reals.max)[place] = bound.real;
      return;
    }
    case StatsValue::Form::kBytes: {
      if (!std::holds_alternative<Texts>(bounds_)) {
        bounds_ = Texts{{}, std::vector<Texts::Piece>(size()), std::vector<Texts::Piece>(size())};
      }
      Texts& texts = std::get<Texts>(bounds_);
      (is_min ? texts.min : texts.max)[place] = {static_cast<uint32_t>(texts.bytes.size()),
                                                 static_cast<uint32_t>(bound.bytes.size())};
      texts.bytes += bound.bytes;
      return;
    }
  }
}

void FactsColumn::SetInteger(size_t place, bool is_min, Int128 value) {
  if (std::holds_alternative<std::monostate>(bounds_)) {
    bounds_ = Small{std::vector<int64_t>(size(), kLeast), std::vector<int64_t>(size(), kGreatest)};
    // Files without values that came before.
    Small& small = std::get<Small>(bounds_);
    for (size_t i = 0; i < size(); ++i) {
      if ((flags_[i] & kSet) == 0 || (flags_[i] & kMayBeValue) != 0) continue;
      small.min[i] = kGreatest;
      small.max[i] = kLeast;
    }
  }
  if (Small* small = std::get_if<Small>(&bounds_)) {
    if (FitsSmall(value)) {
      (is_min ? small->min : small->max)[place] = static_cast<int64_t>(value);
      return;
    }
    Wide wide{std::vector<Int128>(small->min.begin(), small->min.end()),
              std::vector<Int128>(small->max.begin(), small->max.end())};
    bounds_ = std::move(wide);
  }
  Wide& wide = std::get<Wide>(bounds_);
  (is_min ? wide.min : wide.max)[place] = value;
}

void FactsColumn::Finish() {
  if (Texts* texts = std::get_if<Texts>(&bounds_)) texts->bytes.shrink_to_fit();
  FieldFacts all;
  all.may_be_null = all.may_be_value = all.may_be_nan = false;
  bool is_first = true;
  std::optional<int64_t> nulls = 0;
  for (size_t place = 0; place < size(); ++place) {
    FieldFacts facts = Get(place);
    nulls = nulls && facts.nulls ? std::optional(*nulls + *facts.nulls) : std::nullopt;
    all = is_first ? std::move(facts) : Union(all, facts);
    is_first = false;
  }
  all_ = std::move(all);
  all_.nulls = nulls;
}

StatsValue FactsColumn::Bound(size_t place, bool is_min) const {
  if (const auto* small = std::get_if<Small>(&bounds_))
    return StatsValue::Integer((is_min ? small->min : small->max)[place]);
  if (const auto* wide = std::get_if<Wide>(&bounds_))
    return StatsValue::Integer((is_min ? wide->min : wide->max)[place]);
  if (const auto* reals = std::get_if<Reals>(&bounds_))
    return StatsValue::Real((is_min ? reals->min : reals->max)[place]);
  const Texts& texts = std::get<Texts>(bounds_);
  const Texts::Piece piece = (is_min ? texts.min : texts.max)[place];
  return StatsValue::Bytes(texts.bytes.substr(piece.begin, piece.length));
}

std::optional<int64_t> FactsColumn::Nulls(size_t place) const {
  if ((flags_[place] & kMayBeNull) == 0) return 0;
  if (nulls_.empty() || nulls_[place] < 0) return std::nullopt;
  return nulls_[place];
}

FieldFacts FactsColumn::Get(size_t place) const {
  const uint8_t flags = flags_[place];
  FieldFacts facts;
  if ((flags & kSet) == 0) return facts;
  facts.may_be_null = (flags & kMayBeNull) != 0;
  facts.may_be_value = (flags & kMayBeValue) != 0;
  facts.may_be_nan = (flags & kMayBeNan) != 0;
  if ((flags & kHasMin) != 0) facts.min = Bound(place, true);
  if ((flags & kHasMax) != 0) facts.max = Bound(place, false);
  facts.min_is_exact = (flags & kMinIsExact) != 0;
  facts.max_is_exact = (flags & kMaxIsExact) != 0;
  facts.nulls = Nulls(place);
  if (!which_parts_.empty()) facts.parts = parts_[which_parts_[place]];
  return facts;
}

void FactsColumn::Sift(Predicate::Compare compare, const StatsValue& constant,
                       std::vector<uint8_t>& candidates) const {
  const Small* small = std::get_if<Small>(&bounds_);
  if (small == nullptr || constant.form != StatsValue::Form::kInteger ||
      !FitsSmall(constant.integer)) {
    return;
  }
  const auto value = static_cast<int64_t>(constant.integer);
  const size_t count = std::min(candidates.size(), size());
  const int64_t* min = small->min.data();
  const int64_t* max = small->max.data();
  uint8_t* keep = candidates.data();
  // Plain loops, which compilers turn into vector instructions.
  switch (compare) {
    case Predicate::Compare::kEqual:
      for (size_t i = 0; i < count; ++i)
        keep[i] &= static_cast<uint8_t>((min[i] <= value) & (value <= max[i]));
      return;
    case Predicate::Compare::kNotEqual:
      return;
    case Predicate::Compare::kLess:
      for (size_t i = 0; i < count; ++i) keep[i] &= static_cast<uint8_t>(min[i] < value);
      return;
    case Predicate::Compare::kLessOrEqual:
      for (size_t i = 0; i < count; ++i) keep[i] &= static_cast<uint8_t>(min[i] <= value);
      return;
    case Predicate::Compare::kGreater:
      for (size_t i = 0; i < count; ++i) keep[i] &= static_cast<uint8_t>(max[i] > value);
      return;
    case Predicate::Compare::kGreaterOrEqual:
      for (size_t i = 0; i < count; ++i) keep[i] &= static_cast<uint8_t>(max[i] >= value);
      return;
  }
}

size_t FactsColumn::memory() const {
  size_t bytes =
      sizeof(FactsColumn) + flags_.capacity() + which_parts_.capacity() * sizeof(uint16_t);
  bytes += nulls_.capacity() * sizeof(int64_t);
  for (const auto& parts : parts_) bytes += sizeof(parts) + parts.capacity() * sizeof(PartFact);
  const size_t bounds = 2 * size();
  if (std::holds_alternative<Small>(bounds_) || std::holds_alternative<Reals>(bounds_))
    return bytes + bounds * sizeof(int64_t);
  if (std::holds_alternative<Wide>(bounds_)) return bytes + bounds * sizeof(Int128);
  if (const auto* texts = std::get_if<Texts>(&bounds_))
    return bytes + bounds * sizeof(Texts::Piece) + texts->bytes.capacity();
  return bytes;
}

}  // namespace tarn
