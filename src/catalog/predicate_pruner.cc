// See the header. Format page, section 4, says how bounds are stored.
#include "catalog/predicate_pruner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/time.h"
#include "format/paths.h"

namespace tarn {
namespace {

constexpr size_t kMaxRanges = 4;  // each doubles the questions

StatsValue Nan() { return StatsValue::Real(std::numeric_limits<double>::quiet_NaN()); }

/// The path of columns from the top level down to a field; empty when absent.
bool FindPath(const std::vector<Column>& columns, FieldId id, std::vector<const Column*>& path) {
  for (const Column& column : columns) {
    path.push_back(&column);
    if (column.id == id || FindPath(column.children, id, path)) return true;
    path.pop_back();
  }
  return false;
}

/// One step further in the column's own type than the value: what a bound needs when a cast to that
/// type may have rounded.
StatsValue OneStep(const ScalarType& type, const StatsValue& value, BoundSide side) {
  double infinity = std::numeric_limits<double>::infinity();
  double toward = side == BoundSide::kMin ? -infinity : infinity;
  if (type.kind == TypeKind::kFloat32) {
    return StatsValue::Real(
        std::nextafter(static_cast<float>(value.real), static_cast<float>(toward)));
  }
  return StatsValue::Real(std::nextafter(value.real, toward));
}

bool IsBelow(const StatsValue& a, const StatsValue& b) { return Compare(a, b) < 0; }

}  // namespace

std::optional<PrunableField> FindPrunable(const Table& table, FieldId id) {
  std::vector<const Column*> path;
  if (!FindPath(table.columns, id, path)) return std::nullopt;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    std::optional<ScalarType> type = ParseTypeName(path[i]->type);
    if (!type || type->kind != TypeKind::kStruct) return std::nullopt;
  }
  std::optional<ScalarType> type = ParseTypeName(path.back()->type);
  if (!type || IsNested(type->kind)) return std::nullopt;
  return PrunableField{id, *type, path.back(), path.size() == 1};
}

struct PredicatePruner::Node {
  Predicate::Kind kind = Predicate::Kind::kTrue;
  bool is_undecided = false;  ///< kTrue, but for want of knowledge
  size_t slot = 0;
  Predicate::Compare compare = Predicate::Compare::kEqual;
  std::vector<StatsValue> constants;
  std::vector<Node> children;

  /// How often a field is compared, here and below.
  size_t Comparisons(size_t of_slot) const {
    size_t count = !constants.empty() && slot == of_slot ? 1 : 0;
    for (const Node& child : children) count += child.Comparisons(of_slot);
    return count;
  }
};

PredicatePruner::PredicatePruner(const Predicate& predicate, const Table& table)
    : root_(std::make_unique<Node>(Compile(predicate, table))) {
  for (size_t slot = 0; slot < fields_.size() && ranges_.size() < kMaxRanges; ++slot) {
    if (IsFloat(fields_[slot].type.kind) && root_->Comparisons(slot) > 1) ranges_.push_back(slot);
  }
}
PredicatePruner::~PredicatePruner() = default;
PredicatePruner::PredicatePruner(PredicatePruner&&) noexcept = default;

std::vector<PredicatePruner::Required> PredicatePruner::RequiredComparisons() const {
  std::vector<Required> required;
  std::vector<const Node*> open{root_.get()};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (node->kind == Predicate::Kind::kAnd) {
      for (const Node& child : node->children) open.push_back(&child);
    } else if (node->kind == Predicate::Kind::kCompare) {
      required.push_back({node->slot, node->compare, &node->constants.front()});
    }
  }
  return required;
}

// What cannot be decided compiles to kTrue: it keeps the file.
PredicatePruner::Node PredicatePruner::Compile(const Predicate& predicate, const Table& table) {
  Node node;
  if (predicate.kind == Predicate::Kind::kTrue) return node;
  if (predicate.kind == Predicate::Kind::kAnd || predicate.kind == Predicate::Kind::kOr) {
    node.kind = predicate.kind;
    for (const Predicate& child : predicate.children)
      node.children.push_back(Compile(child, table));
    return node;
  }
  node.is_undecided = true;
  std::optional<PrunableField> field = FindPrunable(table, predicate.field);
  if (!field) return node;
  bool has_constants =
      predicate.kind == Predicate::Kind::kCompare || predicate.kind == Predicate::Kind::kIn;
  if (has_constants) {
    if (!HasComparableBounds(field->type.kind)) return node;
    if (predicate.kind == Predicate::Kind::kCompare && predicate.constants.size() != 1) return node;
    for (const std::string& text : predicate.constants) {
      std::optional<StatsValue> value = ParseValue(field->type, text, TextEncoding::kFile);
      if (!value) return node;
      node.constants.push_back(std::move(*value));
    }
  }
  node.is_undecided = false;
  node.kind = predicate.kind;
  node.compare = predicate.compare;
  auto known = std::find_if(fields_.begin(), fields_.end(),
                            [&](const auto& f) { return f.id == field->id; });
  node.slot = static_cast<size_t>(known - fields_.begin());
  if (known == fields_.end()) fields_.push_back(*field);
  return node;
}

namespace {

/// Can a value v of the facts fulfil `v <compare> constant`?
bool CanCompare(const FieldFacts& facts, Predicate::Compare compare, const StatsValue& constant) {
  if (!facts.may_be_value) return false;  // a comparison with NULL is never true
  const auto& min = facts.min;
  const auto& max = facts.max;
  switch (compare) {
    case Predicate::Compare::kEqual:
      return !(min && IsBelow(constant, *min)) && !(max && IsBelow(*max, constant));
    case Predicate::Compare::kNotEqual:
      return !(min && max && Compare(*min, constant) == 0 && Compare(*max, constant) == 0);
    case Predicate::Compare::kLess:
      return !min || IsBelow(*min, constant);
    case Predicate::Compare::kLessOrEqual:
      return !min || !IsBelow(constant, *min);
    case Predicate::Compare::kGreater:
      return !max || IsBelow(constant, *max);
    case Predicate::Compare::kGreaterOrEqual:
      return !max || !IsBelow(*max, constant);
  }
  return true;
}

/// Can a field whose values have the facts' parts be equal to the constant?
bool MayHaveParts(const FieldFacts& facts, const ScalarType& type, const StatsValue& constant) {
  return std::none_of(facts.parts.begin(), facts.parts.end(), [&](const PartFact& fact) {
    const std::optional<int64_t> part = PartOf(fact.transform, type, constant);
    return part && *part != fact.part;
  });
}

/// Does every value within the bounds of the facts fulfil `v <compare> constant`?
bool MustCompare(const FieldFacts& facts, const ScalarType& type, Predicate::Compare compare,
                 const StatsValue& constant) {
  const auto& min = facts.min;
  const auto& max = facts.max;
  switch (compare) {
    case Predicate::Compare::kEqual:
      return min && max && Compare(*min, constant) == 0 && Compare(*max, constant) == 0;
    case Predicate::Compare::kNotEqual:
      return (min && IsBelow(constant, *min)) || (max && IsBelow(*max, constant)) ||
             !MayHaveParts(facts, type, constant);
    case Predicate::Compare::kLess:
      return max && IsBelow(*max, constant);
    case Predicate::Compare::kLessOrEqual:
      return max && !IsBelow(constant, *max);
    case Predicate::Compare::kGreater:
      return min && IsBelow(constant, *min);
    case Predicate::Compare::kGreaterOrEqual:
      return min && !IsBelow(*min, constant);
  }
  return false;
}

/// `NaN <compare> constant`, where NaN equals itself and is above all else.
bool NanIs(Predicate::Compare compare, const StatsValue& constant) {
  const bool is_nan = std::isnan(constant.real);
  switch (compare) {
    case Predicate::Compare::kEqual:
    case Predicate::Compare::kLessOrEqual:
      return is_nan;
    case Predicate::Compare::kNotEqual:
    case Predicate::Compare::kGreater:
      return !is_nan;
    case Predicate::Compare::kLess:
      return false;
    case Predicate::Compare::kGreaterOrEqual:
      return true;
  }
  return true;
}

/// The days that calendar parts leave open, from the year down; absent without a year.
struct Days {
  int64_t first;
  int64_t last;
  int first_hour = 0;
  int last_hour = 23;
};
std::optional<Days> DaysOf(const std::vector<PartFact>& parts) {
  constexpr int64_t kMaxYear = 1000000;
  const auto find = [&](Transform::Kind kind, int64_t least, int64_t most) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const PartFact& fact) {
      return fact.transform.kind == kind && fact.part >= least && fact.part <= most;
    });
    return found == parts.end() ? std::nullopt : std::optional(found->part);
  };
  const auto year = find(Transform::Kind::kYear, -kMaxYear, kMaxYear);
  if (!year) return std::nullopt;
  const auto month = find(Transform::Kind::kMonth, 1, 12);
  if (!month) return Days{DaysFromCivil({*year, 1, 1}), DaysFromCivil({*year, 12, 31})};
  const int m = static_cast<int>(*month);
  const auto day = find(Transform::Kind::kDay, 1, DaysInMonth(*year, m));
  if (!day) {
    return Days{DaysFromCivil({*year, m, 1}), DaysFromCivil({*year, m, DaysInMonth(*year, m)})};
  }
  const int64_t only = DaysFromCivil({*year, m, static_cast<int>(*day)});
  const auto hour = find(Transform::Kind::kHour, 0, 23);
  if (!hour) return Days{only, only};
  return Days{only, only, static_cast<int>(*hour), static_cast<int>(*hour)};
}

}  // namespace

// Of bounds from 1 to 4 and a NaN besides, the NaN is above 5 and the others are below 9, but
// nothing lies between. So where a float is compared several times, both are tried apart.
bool PredicatePruner::CanMatch(std::span<const FieldFacts> facts) const {
  if (!CanMatch(*root_, facts)) return false;
  if (ranges_.empty()) return true;
  std::vector<FieldFacts> split(facts.begin(), facts.end());
  return CanMatchAt(0, split);
}

bool PredicatePruner::CanMatchAt(size_t next, std::vector<FieldFacts>& facts) const {
  if (next == ranges_.size()) return CanMatch(*root_, facts);
  FieldFacts& field = facts[ranges_[next]];
  if (!field.may_be_nan || (!field.min && !field.max)) return CanMatchAt(next + 1, facts);
  const FieldFacts both = field;
  field.may_be_nan = false;
  bool matches = CanMatchAt(next + 1, facts);
  if (!matches) {
    field = both;
    field.min = field.max = Nan();
    matches = CanMatchAt(next + 1, facts);
  }
  field = both;
  return matches;
}

bool PredicatePruner::CanMatch(const Node& node, std::span<const FieldFacts> facts) const {
  const auto can_compare = [&](Predicate::Compare compare, const StatsValue& constant) {
    const FieldFacts& known = facts[node.slot];
    const bool is_float = IsFloat(fields_[node.slot].type.kind);
    if (!CanCompare(known, compare, constant) &&
        !(is_float && known.may_be_value && known.may_be_nan && NanIs(compare, constant))) {
      return false;
    }
    return compare != Predicate::Compare::kEqual ||
           MayHaveParts(known, fields_[node.slot].type, constant);
  };
  auto matches = [&](const Node& child) { return CanMatch(child, facts); };
  switch (node.kind) {
    case Predicate::Kind::kTrue:
      return true;
    case Predicate::Kind::kAnd:
      return std::all_of(node.children.begin(), node.children.end(), matches);
    case Predicate::Kind::kOr:
      return std::any_of(node.children.begin(), node.children.end(), matches);
    case Predicate::Kind::kIsNull:
      return facts[node.slot].may_be_null;
    case Predicate::Kind::kIsNotNull:
      return facts[node.slot].may_be_value;
    case Predicate::Kind::kCompare:
      return can_compare(node.compare, node.constants.front());
    case Predicate::Kind::kIn:
      return std::any_of(node.constants.begin(), node.constants.end(),
                         [&](const StatsValue& constant) {
                           return can_compare(Predicate::Compare::kEqual, constant);
                         });
  }
  return true;
}

bool PredicatePruner::MustMatch(std::span<const FieldFacts> facts) const {
  return MustMatch(*root_, facts);
}

bool PredicatePruner::MustMatch(const Node& node, std::span<const FieldFacts> facts) const {
  const auto matches = [&](const Node& child) { return MustMatch(child, facts); };
  const auto must_compare = [&](Predicate::Compare compare, const StatsValue& constant) {
    const PrunableField& field = fields_[node.slot];
    const FieldFacts& known = facts[node.slot];
    // Whether a field of a NULL struct is counted as NULL differs between writers.
    if (known.may_be_null || !field.is_top_level) return false;
    if (IsFloat(field.type.kind) && known.may_be_nan && !NanIs(compare, constant)) return false;
    return MustCompare(known, field.type, compare, constant);
  };
  switch (node.kind) {
    case Predicate::Kind::kTrue:
      return !node.is_undecided;
    case Predicate::Kind::kAnd:
      return std::all_of(node.children.begin(), node.children.end(), matches);
    case Predicate::Kind::kOr:
      return std::any_of(node.children.begin(), node.children.end(), matches);
    case Predicate::Kind::kIsNull:
      return !facts[node.slot].may_be_value;
    case Predicate::Kind::kIsNotNull:
      return !facts[node.slot].may_be_null && fields_[node.slot].is_top_level;
    case Predicate::Kind::kCompare:
      return must_compare(node.compare, node.constants.front());
    case Predicate::Kind::kIn:
      return std::any_of(node.constants.begin(), node.constants.end(),
                         [&](const StatsValue& constant) {
                           return must_compare(Predicate::Compare::kEqual, constant);
                         });
  }
  return false;
}

bool ProvesAbsentNans(const DataFile& file, bool has_small_row_groups) {
  constexpr int64_t kSurelyOneRowGroup = kLeastRowGroup / 2;
  return file.record_count <= 1 || IsOwnFileName(file.path) ||
         (file.record_count <= kSurelyOneRowGroup && !has_small_row_groups);
}

FieldFacts FactsFromStats(const PrunableField& field, const ColumnStats& stats,
                          int64_t record_count, bool may_be_other_type, bool proves_absent_nans) {
  FieldFacts facts;
  // Files of the reference count no NULLs of intervals, and say zero; so kinds without bounds are
  // not believed, nor are counts that do not cover all rows.
  const bool covers_rows = !field.is_top_level || stats.value_count == record_count;
  facts.may_be_null = stats.null_count != 0 || !covers_rows || !HasFileBounds(field.type.kind);
  // Only as many NULLs as rows, and no bound, prove that there is no value: pruning asks for more
  // than HoldsOnlyNulls, since it would lose rows, but not for a count of no values, since some
  // writers count NULLs as values.
  bool all_null =
      stats.null_count && *stats.null_count >= record_count && !stats.min_value && !stats.max_value;
  facts.may_be_value = !all_null;
  if (!facts.may_be_value || !FileBoundsMayPrune(field.type.kind)) return facts;

  if (stats.min_value) facts.min = ParseBound(field.type, *stats.min_value, BoundSide::kMin);
  if (stats.max_value) facts.max = ParseBound(field.type, *stats.max_value, BoundSide::kMax);
  if (IsFloat(field.type.kind)) {
    if (may_be_other_type) {
      if (facts.min) facts.min = OneStep(field.type, *facts.min, BoundSide::kMin);
      if (facts.max) facts.max = OneStep(field.type, *facts.max, BoundSide::kMax);
    }
    // A NaN may also have been taken for a bound by writers that know none; then the bounds say
    // nothing.
    if (facts.min && std::isnan(facts.min->real)) facts.min.reset();
    if (facts.max && std::isnan(facts.max->real)) facts.max.reset();
    facts.may_be_nan = stats.contains_nan != false || !proves_absent_nans;
  }
  return facts;
}

FieldFacts FactsOfConstant(const PrunableField& field, const std::optional<std::string>& value) {
  FieldFacts facts;
  if (!value) {
    facts.may_be_value = false;
    return facts;
  }
  facts.may_be_null = false;
  if (HasComparableBounds(field.type.kind) && FileBoundsMayPrune(field.type.kind)) {
    facts.min = ParseBound(field.type, *value, BoundSide::kMin);
    facts.max = ParseBound(field.type, *value, BoundSide::kMax);
    facts.may_be_nan = IsFloat(field.type.kind) && facts.max && std::isnan(facts.max->real);
  }
  return facts;
}

FieldFacts FactsOfParts(const PrunableField& field, std::vector<PartFact> parts) {
  FieldFacts facts;
  facts.may_be_null = false;
  const TypeKind kind = field.type.kind;
  if (const auto days = DaysOf(parts)) {
    if (kind == TypeKind::kDate) {
      facts.min = StatsValue::Integer(days->first);
      facts.max = StatsValue::Integer(days->last);
    } else if (IsTimestamp(kind)) {
      const Int128 hour = Int128{3600} * UnitsPerSecond(kind);
      facts.min = StatsValue::Integer((Int128{days->first} * 24 + days->first_hour) * hour);
      facts.max = StatsValue::Integer((Int128{days->last} * 24 + days->last_hour + 1) * hour - 1);
    }
  }
  facts.parts = std::move(parts);
  return facts;
}

FieldFacts Intersect(FieldFacts a, const FieldFacts& b) {
  a.may_be_null = a.may_be_null && b.may_be_null;
  a.may_be_value = a.may_be_value && b.may_be_value;
  a.may_be_nan = a.may_be_nan && b.may_be_nan;
  if (b.min && (!a.min || IsBelow(*a.min, *b.min))) {
    a.min = b.min;
    a.min_is_exact = b.min_is_exact;
  }
  if (b.max && (!a.max || IsBelow(*b.max, *a.max))) {
    a.max = b.max;
    a.max_is_exact = b.max_is_exact;
  }
  a.parts.insert(a.parts.end(), b.parts.begin(), b.parts.end());
  return a;
}

}  // namespace tarn
