// See the header.
#include "catalog/bound_order.h"

#include <regex>

namespace tarn {
namespace {

// Nothing with an exponent: what a number overflows to is for ParseBound to say.
constexpr const char* kNumber = "^-?[0-9]{1,40}([.][0-9]{1,40})?$";
constexpr const char* kFloat = "^-?[0-9]{1,17}([.][0-9]{1,30})?$";
constexpr const char* kDate = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
constexpr const char* kTime = "^[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?$";
constexpr const char* kTimestamp =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?$";
constexpr const char* kTimestampTz =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?[+]00$";
constexpr const char* kUuid = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
// A boolean is 0 and 1 in files, and words in the catalog: texts of one kind only compare.
constexpr const char* kBit = "^[01]$";
constexpr const char* kWord = "^(false|true)$";

bool Matches(const std::string& pattern, const std::optional<std::string>& text) {
  return !text || pattern.empty() || std::regex_match(*text, std::regex(pattern));
}

std::optional<BoundOrder> OrderOfType(const ColumnSummary& added) {
  using Mode = BoundOrder::Mode;
  const TypeKind kind = added.type.kind;
  if (IsInteger(kind) || kind == TypeKind::kDecimal) return BoundOrder{Mode::kNumber, kNumber};
  switch (kind) {
    case TypeKind::kBoolean:
      return BoundOrder{Mode::kText, Matches(kBit, added.min_value) ? kBit : kWord};
    case TypeKind::kFloat32:
      return BoundOrder{Mode::kFloat32, kFloat};
    case TypeKind::kFloat64:
      return BoundOrder{Mode::kFloat64, kFloat};
    case TypeKind::kVarchar:
    case TypeKind::kJson:
      return BoundOrder{Mode::kText, ""};
    case TypeKind::kDate:
      return BoundOrder{Mode::kText, kDate};
    case TypeKind::kTime:
      return BoundOrder{Mode::kText, kTime};
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampS:
    case TypeKind::kTimestampMs:
    case TypeKind::kTimestampNs:
      return BoundOrder{Mode::kText, kTimestamp};
    case TypeKind::kTimestampTz:
      return BoundOrder{Mode::kText, kTimestampTz};
    case TypeKind::kUuid:
      return BoundOrder{Mode::kText, kUuid};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<BoundOrder> OrderOf(const ColumnSummary& added) {
  if (added.extra_stats) return std::nullopt;
  // Without bounds there is nothing to compare: stored ones stay, or are gone for good.
  if (!added.min_value && !added.max_value) return BoundOrder{};
  std::optional<BoundOrder> order = OrderOfType(added);
  if (!order || !Matches(order->pattern, added.min_value) ||
      !Matches(order->pattern, added.max_value))
    return std::nullopt;
  return order;
}

namespace {

/// A float64 bound of few digits may have been written as a float32 (see WidenedFloat in
/// format/stats_value.cc): the wider of both counts.
std::string Comparable(BoundOrder::Mode mode, BoundSide side, const std::string& text) {
  switch (mode) {
    case BoundOrder::Mode::kText:
      return text + " COLLATE \"C\"";
    case BoundOrder::Mode::kNumber:
      return text + "::numeric";
    case BoundOrder::Mode::kFloat32:
      return text + "::float4";
    case BoundOrder::Mode::kFloat64:
      return "CASE WHEN length(trim(both '0' from replace(replace(" + text +
             ", '.', ''), '-', ''))) <= 9 THEN " +
             (side == BoundSide::kMin ? "least(" : "greatest(") + text + "::float8, " + text +
             "::float4::float8) ELSE " + text + "::float8 END";
  }
  return text;
}

}  // namespace

void AppendIsWider(StatementBuilder& sql, BoundOrder::Mode mode, BoundSide side,
                   const std::string& a, const std::string& b) {
  sql.Text("(").Text(Comparable(mode, side, a)).Text(")");
  sql.Text(side == BoundSide::kMin ? " < (" : " > (").Text(Comparable(mode, side, b)).Text(")");
}

}  // namespace tarn
