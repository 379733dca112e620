// See the header.
#include "catalog/bound_order.h"

#include <algorithm>
#include <string_view>

namespace tarn {
namespace {

/// What texts of a column's bounds look like: `pattern` says it to the server, `matches` to us. A
/// compiled std::regex would do for both, but takes longer than the rest of a commit.
struct Form {
  const char* pattern;
  bool (*matches)(std::string_view text);
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }

/// Takes `shape` off the front: `d` for a digit, `x` for a hexadecimal one, else itself.
bool TakeShape(std::string_view& text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool fits = shape[i] == 'd'   ? IsDigit(text[i])
                      : shape[i] == 'x' ? IsHexDigit(text[i])
                                        : text[i] == shape[i];
    if (!fits) return false;
  }
  text.remove_prefix(shape.size());
  return true;
}

bool TakeDigits(std::string_view& text, size_t most) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsDigit);
  const size_t count = static_cast<size_t>(end - text.begin());
  if (count < 1 || count > most) return false;
  text.remove_prefix(count);
  return true;
}

/// True also when there is no fraction.
bool TakeFraction(std::string_view& text, size_t most) {
  return !TakeShape(text, ".") || TakeDigits(text, most);
}

bool IsNumber(std::string_view text, size_t digits, size_t fraction) {
  TakeShape(text, "-");
  return TakeDigits(text, digits) && TakeFraction(text, fraction) && text.empty();
}

bool IsShape(std::string_view text, std::string_view shape) {
  return TakeShape(text, shape) && text.empty();
}

bool IsTime(std::string_view text, std::string_view shape, std::string_view zone) {
  return TakeShape(text, shape) && TakeFraction(text, 9) && text == zone;
}

// Nothing with an exponent: what a number overflows to is for ParseBound to say.
constexpr Form kNumber{"^-?[0-9]{1,40}([.][0-9]{1,40})?$",
                       [](std::string_view text) { return IsNumber(text, 40, 40); }};
constexpr Form kFloat{"^-?[0-9]{1,17}([.][0-9]{1,30})?$",
                      [](std::string_view text) { return IsNumber(text, 17, 30); }};
constexpr Form kDate{"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                     [](std::string_view text) { return IsShape(text, "dddd-dd-dd"); }};
constexpr Form kTime{"^[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?$",
                     [](std::string_view text) { return IsTime(text, "dd:dd:dd", ""); }};
constexpr Form kTimestamp{
    "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?$",
    [](std::string_view text) { return IsTime(text, "dddd-dd-dd dd:dd:dd", ""); }};
constexpr Form kTimestampTz{
    "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?[+]00$",
    [](std::string_view text) { return IsTime(text, "dddd-dd-dd dd:dd:dd", "+00"); }};
constexpr Form kUuid{
    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    [](std::string_view text) { return IsShape(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"); }};
// A boolean is 0 and 1 in files, and words in the catalog: texts of one kind only compare.
constexpr Form kBit{"^[01]$", [](std::string_view text) { return text == "0" || text == "1"; }};
constexpr Form kWord{"^(false|true)$",
                     [](std::string_view text) { return text == "false" || text == "true"; }};
constexpr Form kAnyText{"", [](std::string_view) { return true; }};

bool Matches(const Form& form, const std::optional<std::string>& text) {
  return !text || form.matches(*text);
}

struct FormOfType {
  BoundOrder::Mode mode;
  Form form;
};

std::optional<FormOfType> OrderOfType(const ColumnSummary& added) {
  using Mode = BoundOrder::Mode;
  const TypeKind kind = added.type.kind;
  if (IsInteger(kind) || kind == TypeKind::kDecimal) return FormOfType{Mode::kNumber, kNumber};
  switch (kind) {
    case TypeKind::kBoolean:
      return FormOfType{Mode::kText, Matches(kBit, added.min_value) ? kBit : kWord};
    case TypeKind::kFloat32:
      return FormOfType{Mode::kFloat32, kFloat};
    case TypeKind::kFloat64:
      return FormOfType{Mode::kFloat64, kFloat};
    case TypeKind::kVarchar:
    case TypeKind::kJson:
      return FormOfType{Mode::kText, kAnyText};
    case TypeKind::kDate:
      return FormOfType{Mode::kText, kDate};
    case TypeKind::kTime:
      return FormOfType{Mode::kText, kTime};
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampS:
    case TypeKind::kTimestampMs:
    case TypeKind::kTimestampNs:
      return FormOfType{Mode::kText, kTimestamp};
    case TypeKind::kTimestampTz:
      return FormOfType{Mode::kText, kTimestampTz};
    case TypeKind::kUuid:
      return FormOfType{Mode::kText, kUuid};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<BoundOrder> OrderOf(const ColumnSummary& added) {
  if (added.extra_stats) return std::nullopt;
  // Without bounds there is nothing to compare: stored ones stay, or are gone for good.
  if (!added.min_value && !added.max_value) return BoundOrder{};
  const std::optional<FormOfType> order = OrderOfType(added);
  if (!order || !Matches(order->form, added.min_value) || !Matches(order->form, added.max_value))
    return std::nullopt;
  return BoundOrder{order->mode, order->form.pattern};
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
