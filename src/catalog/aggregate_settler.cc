// See aggregate_settler.h.
#include "catalog/aggregate_settler.h"

#include <algorithm>
#include <utility>

namespace tarn {
namespace {

using Kind = AggregateQuestion::Aggregate::Kind;

// What SQL says of ENUMs and arrays compares otherwise than what is stored.
bool HasPlainValues(const PrunableField& field) {
  return field.column->logical_type.empty() && HasFileBounds(field.type.kind) &&
         FileBoundsMayPrune(field.type.kind);
}

// Which of the zeros a float is cannot be told from bounds.
bool IsZeroOfTwo(const StatsValue& value) {
  return value.form == StatsValue::Form::kReal && value.real == 0;
}

bool MayBeNan(const PrunableField& field, const FieldFacts& facts) {
  return HasNan(field.type.kind) && facts.may_be_nan;
}

/// The one value of all rows; absent when there may be others, or NULLs.
const StatsValue* OnlyValue(const PrunableField& field, const FieldFacts& facts) {
  if (facts.may_be_null || MayBeNan(field, facts) || !facts.min || !facts.max) return nullptr;
  if (Compare(*facts.min, *facts.max) != 0 || IsZeroOfTwo(*facts.min)) return nullptr;
  return &*facts.min;
}

}  // namespace

AggregateSettler::AggregateSettler(const AggregateQuestion& question)
    : table_(*question.scan.table), pruner_(question.scan.predicate, table_) {
  fields_.assign(pruner_.fields().begin(), pruner_.fields().end());
  for (const FieldId group : question.groups) {
    const auto field = FindField(group);
    can_settle_ =
        can_settle_ && field && fields_[*field].is_top_level && HasPlainValues(fields_[*field]);
    keys_.push_back(field.value_or(0));
  }
  for (const auto& aggregate : question.aggregates) {
    Slot slot{aggregate.kind, 0};
    if (aggregate.kind != Kind::kCountRows) {
      const auto field = FindField(aggregate.field);
      const bool is_extreme = aggregate.kind != Kind::kCount;
      can_settle_ = can_settle_ && field && (!is_extreme || HasPlainValues(fields_[*field]));
      slot.field = field.value_or(0);
    }
    slots_.push_back(slot);
  }
}

std::optional<size_t> AggregateSettler::FindField(FieldId id) {
  const auto known = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const auto& field) { return field.id == id; });
  if (known != fields_.end()) return static_cast<size_t>(known - fields_.begin());
  const auto field = FindPrunable(table_, id);
  if (!field) return std::nullopt;
  fields_.push_back(*field);
  return fields_.size() - 1;
}

bool AggregateSettler::Known::needs_further() const {
  return std::any_of(shares.begin(), shares.end(),
                     [](const Share& share) { return share.needs_further; });
}

bool AggregateSettler::CanMatch(const File& file) const {
  return pruner_.CanMatch(std::span(file.facts).first(pruner_.fields().size()));
}

std::optional<AggregateSettler::Known> AggregateSettler::Judge(const File& file) const {
  const std::span<const FieldFacts> facts(file.facts);
  if (!file.rows || !pruner_.MustMatch(facts.first(pruner_.fields().size()))) return std::nullopt;
  auto keys = KeysOf(file);
  if (!keys) return std::nullopt;
  Known known{std::move(*keys), {}};
  for (const Slot& slot : slots_) {
    auto share = ShareOf(slot, file);
    if (!share) return std::nullopt;
    known.shares.push_back(std::move(*share));
  }
  return known;
}

void AggregateSettler::Add(File file) {
  const size_t number = added_++;
  if (file.rows == 0) return;
  auto known = Judge(file);
  if (!known) {
    unsettled_.push_back(number);
    return;
  }
  const bool waits = known->needs_further();
  const size_t group = GroupOf(std::move(known->keys));
  if (waits) {
    waiting_.push_back({number, group, std::move(known->shares)});
    return;
  }
  groups_[group].is_settled = true;
  Merge(known->shares, groups_[group]);
}

bool AggregateSettler::AddIfSettled(const File& file) {
  if (file.rows == 0) return true;
  auto known = Judge(file);
  if (!known || known->needs_further()) return false;
  Group& group = groups_[GroupOf(std::move(known->keys))];
  group.is_settled = true;
  Merge(known->shares, group);
  return true;
}

std::optional<std::vector<std::optional<std::string>>> AggregateSettler::KeysOf(
    const File& file) const {
  std::vector<std::optional<std::string>> keys;
  for (const size_t slot : keys_) {
    const FieldFacts& facts = file.facts[slot];
    if (!facts.may_be_value) {
      keys.emplace_back();
    } else if (const StatsValue* value = OnlyValue(fields_[slot], facts)) {
      keys.push_back(FormatValue(fields_[slot].type, *value, TextEncoding::kFile));
    } else {
      return std::nullopt;
    }
  }
  return keys;
}

std::optional<AggregateSettler::Share> AggregateSettler::ShareOf(const Slot& slot,
                                                                 const File& file) const {
  if (slot.kind == Kind::kCountRows) return Share{*file.rows, {}, false};
  const FieldFacts& facts = file.facts[slot.field];
  const PrunableField& field = fields_[slot.field];
  if (slot.kind != Kind::kCount) return ExtremeOf(slot.kind == Kind::kMin, field, facts, file);
  if (!facts.may_be_value) return Share{};
  if (!facts.may_be_null) return Share{*file.rows, {}, false};
  if (!facts.nulls || file.has_deletes) return std::nullopt;
  return Share{*file.rows - *facts.nulls, {}, false};
}

std::optional<AggregateSettler::Share> AggregateSettler::ExtremeOf(bool is_min,
                                                                   const PrunableField& field,
                                                                   const FieldFacts& facts,
                                                                   const File& file) const {
  if (!facts.may_be_value) return Share{};
  if (const StatsValue* only = OnlyValue(field, facts)) return Share{0, *only, false};
  const auto& bound = is_min ? facts.min : facts.max;
  // NaN is the greatest of all.
  if (!bound || (!is_min && MayBeNan(field, facts))) return std::nullopt;
  const bool is_exact = is_min ? facts.min_is_exact : facts.max_is_exact;
  return Share{0, *bound, !is_exact || file.has_deletes};
}

size_t AggregateSettler::GroupOf(std::vector<std::optional<std::string>> keys) {
  const auto [place, is_new] = places_.try_emplace(std::move(keys), groups_.size());
  if (is_new) groups_.push_back({place->first, std::vector<Running>(slots_.size()), false});
  return place->second;
}

void AggregateSettler::Merge(const std::vector<Share>& shares, Group& group) const {
  for (size_t i = 0; i < slots_.size(); ++i) {
    Running& running = group.aggregates[i];
    running.count += shares[i].count;
    const auto& added = shares[i].extreme;
    if (!added || shares[i].needs_further) continue;
    const bool is_further =
        !running.extreme || (slots_[i].kind == Kind::kMin ? Compare(*added, *running.extreme) < 0
                                                          : Compare(*added, *running.extreme) > 0);
    if (is_further) running.extreme = added;
  }
}

bool AggregateSettler::Reaches(const Waiting& waiting) const {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const Share& share = waiting.shares[i];
    if (!share.needs_further) continue;
    const auto& reached = groups_[waiting.group].aggregates[i].extreme;
    if (!reached) return false;
    const auto order = Compare(*share.extreme, *reached);
    if (slots_[i].kind == Kind::kMin ? order < 0 : order > 0) return false;
  }
  return true;
}

AggregateSettler::Outcome AggregateSettler::Finish() {
  Outcome outcome;
  for (const Waiting& waiting : waiting_) {
    if (!Reaches(waiting)) {
      unsettled_.push_back(waiting.number);
      continue;
    }
    Group& group = groups_[waiting.group];
    group.is_settled = true;
    Merge(waiting.shares, group);
  }
  for (Group& group : groups_) {
    if (!group.is_settled) continue;
    AggregateAnswers::Group answer{std::move(group.keys), {}};
    for (size_t i = 0; i < slots_.size(); ++i) {
      const Running& running = group.aggregates[i];
      AggregateAnswers::Answer& one = answer.answers.emplace_back();
      one.count = running.count;
      if (running.extreme)
        one.value =
            FormatValue(fields_[slots_[i].field].type, *running.extreme, TextEncoding::kFile);
    }
    outcome.groups.push_back(std::move(answer));
  }
  std::sort(unsettled_.begin(), unsettled_.end());
  outcome.unsettled = std::move(unsettled_);
  return outcome;
}

}  // namespace tarn
