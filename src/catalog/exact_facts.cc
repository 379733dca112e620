// See exact_facts.h.
#include "catalog/exact_facts.h"

#include <string>

#include "format/paths.h"

namespace tarn {
namespace {

// Writers cut long texts, none below 64 bytes, and some of them to whole characters.
constexpr size_t kNeverCutBytes = 60;

// Nothing but the value itself can have been written as this text.
std::optional<StatsValue> ExactBound(const ScalarType& type, const std::string& text,
                                     bool same_type, bool is_own, BoundSide side) {
  if (!HasFileBounds(type.kind) || !FileBoundsMayPrune(type.kind)) return std::nullopt;
  if (!same_type && !IsInteger(type.kind)) return std::nullopt;
  switch (type.kind) {
    case TypeKind::kFloat32:
    case TypeKind::kFloat64: {
      const auto value = ParseValue(type, text, TextEncoding::kFile);
      // Of the two zeros, which are equal, other writers may have made either the bound. Ours gives
      // one that a row has.
      return value && (value->real != 0 || is_own) ? value : std::nullopt;
    }
    case TypeKind::kVarchar:
      // A maximum that was cut is raised, and where it ends in other characters than ASCII it loses
      // them first: any text may have become a short one.
      if (side == BoundSide::kMax || text.size() > kNeverCutBytes) return std::nullopt;
      return ParseValue(type, text, TextEncoding::kFile);
    case TypeKind::kBlob:
      return std::nullopt;
    default: {
      auto low = ParseBound(type, text, BoundSide::kMin);
      const auto high = ParseBound(type, text, BoundSide::kMax);
      return low && high && Compare(*low, *high) == 0 ? low : std::nullopt;
    }
  }
}

}  // namespace

void MarkExact(const PrunableField& field, const ColumnStats& stats, const DataFile& file,
               bool has_lake_name, bool same_type, FieldFacts& facts) {
  if (!has_lake_name || file.mapping_id || file.names || file.registration) return;
  // Writers count a NULL field of a NULL struct once for each of them, or not at all.
  if (field.is_top_level && HasFileBounds(field.type.kind) && stats.null_count &&
      stats.value_count && *stats.null_count >= 0 && *stats.value_count >= 0 &&
      *stats.null_count + *stats.value_count == file.record_count) {
    facts.nulls = stats.null_count;
  }
  const bool is_own = IsFloat(field.type.kind) && IsOwnFileName(file.path);
  const auto mark = [&](const std::optional<std::string>& text, BoundSide side,
                        std::optional<StatsValue>& bound, bool& is_exact) {
    if (!bound || !text) return;
    auto exact = ExactBound(field.type, *text, same_type, is_own, side);
    if (!exact) return;
    bound = std::move(exact);
    is_exact = true;
  };
  mark(stats.min_value, BoundSide::kMin, facts.min, facts.min_is_exact);
  mark(stats.max_value, BoundSide::kMax, facts.max, facts.max_is_exact);
}

}  // namespace tarn
