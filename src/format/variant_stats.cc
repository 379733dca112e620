// See variant_stats.h; format page, section 4.
#include "format/variant_stats.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "format/stats_text.h"
#include "format/type_names.h"

namespace tarn {
namespace {

void AppendString(std::string& json, std::string_view text) {
  constexpr std::string_view kPlain = "\"\\\b\f\n\r\t", kEscaped = "\"\\bfnrt";
  json += '"';
  for (const char c : text) {
    if (const auto at = kPlain.find(c); at != std::string_view::npos) {
      json += '\\';
      json += kEscaped[at];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      json += c;
    }
  }
  json += '"';
}

// Reads an array of flat objects and nothing else: what other clients write here is no more than
// that. Anything unexpected makes the whole text say nothing.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<std::vector<VariantFieldStats>> Parse() {
    std::vector<VariantFieldStats> fields;
    if (!Take('[')) return std::nullopt;
    if (!Take(']')) {
      do {
        auto field = ReadField();
        if (!field) return std::nullopt;
        fields.push_back(std::move(*field));
      } while (Take(','));
      if (!Take(']')) return std::nullopt;
    }
    SkipSpace();
    if (!rest_.empty()) return std::nullopt;
    return fields;
  }

 private:
  struct Scalar {
    enum class Kind { kText, kNumber, kBoolean, kNull };
    Kind kind = Kind::kNull;
    std::string text;  ///< of a number: as written
    bool boolean = false;
  };

  std::optional<VariantFieldStats> ReadField() {
    VariantFieldStats field;
    std::set<std::string> seen;
    if (!Take('{')) return std::nullopt;
    do {
      const auto name = ReadString();
      if (!name || !Take(':')) return std::nullopt;
      const auto value = ReadScalar();
      if (!value || !seen.insert(*name).second || !Set(field, *name, *value)) return std::nullopt;
    } while (Take(','));
    for (const char* name :
         {"field_name", "shredded_type", "null_count", "num_values", "column_size_bytes"}) {
      if (!seen.contains(name)) return std::nullopt;
    }
    if (!Take('}')) return std::nullopt;
    return field;
  }

  static bool Set(VariantFieldStats& field, std::string_view name, const Scalar& value) {
    if (name == "field_name") return SetText(field.path, value);
    if (name == "shredded_type") return SetText(field.type, value);
    if (name == "null_count") return SetCount(field.null_count, value);
    if (name == "num_values") return SetCount(field.num_values, value);
    if (name == "column_size_bytes") return SetCount(field.column_size_bytes, value);
    if (name != "min" && name != "max" && name != "contains_nan") return true;
    if (value.kind == Scalar::Kind::kNull) return true;
    if (name == "min") return SetText(field.min_value.emplace(), value);
    if (name == "max") return SetText(field.max_value.emplace(), value);
    field.contains_nan = value.boolean;
    return value.kind == Scalar::Kind::kBoolean;
  }

  static bool SetText(std::string& to, const Scalar& value) {
    to = value.text;
    return value.kind == Scalar::Kind::kText;
  }

  static bool SetCount(int64_t& to, const Scalar& value) {
    const char *begin = value.text.data(), *end = begin + value.text.size();
    const auto [stop, error] = std::from_chars(begin, end, to);
    return value.kind == Scalar::Kind::kNumber && error == std::errc() && stop == end && to >= 0;
  }

  std::optional<Scalar> ReadScalar() {
    using Kind = Scalar::Kind;
    SkipSpace();
    if (rest_.starts_with('"')) {
      auto text = ReadString();
      if (!text) return std::nullopt;
      return Scalar{Kind::kText, std::move(*text)};
    }
    const auto length =
        std::min(rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyzE0123456789+-."), rest_.size());
    const auto word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (word == "null") return Scalar{};
    if (word == "true" || word == "false") return Scalar{Kind::kBoolean, "", word == "true"};
    if (word.empty() || (word[0] != '-' && (word[0] < '0' || word[0] > '9'))) return std::nullopt;
    return Scalar{Kind::kNumber, std::string(word)};
  }

  std::optional<std::string> ReadString() {
    if (!Take('"')) return std::nullopt;
    std::string text;
    while (!rest_.empty()) {
      const char c = Next();
      if (c == '"') return text;
      if (c != '\\') {
        text += c;
        continue;
      }
      if (rest_.empty() || !ReadEscape(text)) return std::nullopt;
    }
    return std::nullopt;
  }

  bool ReadEscape(std::string& text) {
    const char c = Next();
    if (c == 'u') {
      auto code = ReadHex();
      if (code >= 0xD800 && code < 0xDC00) {
        if (!rest_.starts_with("\\u")) return false;
        rest_.remove_prefix(2);
        const auto low = ReadHex();
        if (low < 0xDC00 || low > 0xDFFF) return false;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else if (code >= 0xDC00 && code <= 0xDFFF) {
        return false;
      }
      if (code < 0) return false;
      AppendUtf8(text, static_cast<uint32_t>(code));
      return true;
    }
    constexpr std::string_view kEscaped = "\"\\/bfnrt", kPlain = "\"\\/\b\f\n\r\t";
    const auto at = kEscaped.find(c);
    if (at == std::string_view::npos) return false;
    text += kPlain[at];
    return true;
  }

  /// Four hex digits, or -1.
  int32_t ReadHex() {
    if (rest_.size() < 4) return -1;
    int32_t code = 0;
    for (int i = 0; i < 4; ++i) {
      const int digit = HexDigitValue(Next());
      if (digit < 0) return -1;
      code = code * 16 + digit;
    }
    return code;
  }

  char Next() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void SkipSpace() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  bool Take(char c) {
    SkipSpace();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
};

bool HasNoValue(const VariantFieldStats& field) {
  return field.null_count == field.num_values && !field.min_value && !field.max_value;
}

VariantFieldStats Merge(const VariantFieldStats& a, const VariantFieldStats& b,
                        const ScalarType& type) {
  VariantFieldStats both = a;
  both.null_count += b.null_count;
  both.num_values += b.num_values;
  both.column_size_bytes += b.column_size_bytes;
  if (HasNoValue(a)) {
    both.min_value = b.min_value;
    both.max_value = b.max_value;
  } else if (!HasNoValue(b)) {
    both.min_value = WidenBound(type, a.min_value, b.min_value, BoundSide::kMin);
    both.max_value = WidenBound(type, a.max_value, b.max_value, BoundSide::kMax);
  }
  if (a.contains_nan == true || b.contains_nan == true) {
    both.contains_nan = true;
  } else if (!b.contains_nan) {
    both.contains_nan.reset();
  }
  return both;
}

}  // namespace

std::optional<std::string> VariantStatsJson(std::span<const VariantFieldStats> fields) {
  if (fields.empty()) return std::nullopt;
  std::string json;
  for (const VariantFieldStats& field : fields) {
    json += json.empty() ? "[{\"field_name\":" : ",{\"field_name\":";
    AppendString(json, field.path);
    json += ",\"shredded_type\":";
    AppendString(json, field.type);
    json += fmt::format(",\"null_count\":{}", field.null_count);
    if (field.min_value) AppendString(json += ",\"min\":", *field.min_value);
    if (field.max_value) AppendString(json += ",\"max\":", *field.max_value);
    json += fmt::format(",\"num_values\":{}", field.num_values);
    if (field.contains_nan) json += fmt::format(",\"contains_nan\":{}", *field.contains_nan);
    json += fmt::format(",\"column_size_bytes\":{},\"any_valid\":true}}", field.column_size_bytes);
  }
  return json + "]";
}

std::optional<std::vector<VariantFieldStats>> ParseVariantStats(std::string_view json) {
  return Parser(json).Parse();
}

std::optional<std::string> MergeVariantStats(const std::optional<std::string>& a,
                                             const std::optional<std::string>& b) {
  if (!a || !b) return std::nullopt;
  const auto fields = ParseVariantStats(*a), others = ParseVariantStats(*b);
  if (!fields || !others) return std::nullopt;
  std::vector<VariantFieldStats> both;
  for (const VariantFieldStats& field : *fields) {
    const auto other = std::find_if(others->begin(), others->end(), [&](const auto& one) {
      return one.path == field.path && one.type == field.type;
    });
    const auto type = ParseTypeName(field.type);
    if (other != others->end() && type) both.push_back(Merge(field, *other, *type));
  }
  return VariantStatsJson(both);
}

}  // namespace tarn
