// The tag's JSON, no more of the language than it needs. See logical_type.h.
#include "format/logical_type.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "base/utf8.h"

namespace tarn {
namespace {

void AppendJson(std::string& out, const std::string& text) {
  constexpr const char* kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<LogicalTypeName> Read() {
    LogicalTypeName type;
    if (!Take('{')) return std::nullopt;
    const auto key = ReadText();
    if (!key || !Take(':')) return std::nullopt;
    if (*key == "array" ? !ReadSize(type) : *key != "enum" || !ReadValues(type))
      return std::nullopt;
    if (!Take('}')) return std::nullopt;
    SkipSpace();
    return at_ == text_.size() ? std::optional(std::move(type)) : std::nullopt;
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  bool Take(char wanted) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  bool ReadSize(LogicalTypeName& type) {
    SkipSpace();
    const char* end = text_.data() + text_.size();
    const auto [next, error] = std::from_chars(text_.data() + at_, end, type.array_size);
    if (error != std::errc()) return false;
    at_ = static_cast<size_t>(next - text_.data());
    return type.array_size >= 1 && type.array_size <= kMaxArraySize;
  }

  bool ReadValues(LogicalTypeName& type) {
    if (!Take('[')) return false;
    if (Take(']')) return true;
    std::set<std::string> seen;
    do {
      auto value = ReadText();
      if (!value || !seen.insert(*value).second) return false;
      type.enum_values.push_back(std::move(*value));
    } while (Take(','));
    return Take(']');
  }

  std::optional<uint32_t> ReadHex() {
    if (at_ + 4 > text_.size()) return std::nullopt;
    uint32_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [next, error] = std::from_chars(begin, begin + 4, value, 16);
    if (error != std::errc() || next != begin + 4) return std::nullopt;
    at_ += 4;
    return value;
  }

  bool ReadEscape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (at_ == text_.size()) return false;
    const char letter = text_[at_++];
    if (const auto found = kLetters.find(letter); found != kLetters.npos) {
      out += kMeant[found];
      return true;
    }
    auto point = letter == 'u' ? ReadHex() : std::nullopt;
    if (!point) return false;
    const bool is_half = *point >= 0xD800 && *point < 0xE000;
    if (is_half) {
      if (text_.substr(at_, 2) != "\\u") return false;
      at_ += 2;
      const auto low = ReadHex();
      if (*point >= 0xDC00 || !low || *low < 0xDC00 || *low >= 0xE000) return false;
      *point = 0x10000 + ((*point - 0xD800) << 10) + (*low - 0xDC00);
    }
    AppendUtf8(out, *point);
    return true;
  }

  std::optional<std::string> ReadText() {
    if (!Take('"')) return std::nullopt;
    std::string out;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return out;
      if (c != '\\') {
        out += c;
      } else if (!ReadEscape(out)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  const std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::string FormatLogicalType(const LogicalTypeName& type) {
  if (!type.is_enum()) return "{\"array\":" + std::to_string(type.array_size) + "}";
  std::string text = "{\"enum\":[";
  for (size_t i = 0; i < type.enum_values.size(); ++i) {
    if (i > 0) text += ',';
    AppendJson(text, type.enum_values[i]);
  }
  return text + "]}";
}

std::optional<LogicalTypeName> ParseLogicalType(std::string_view text, TypeKind stored) {
  auto type = Reader(text).Read();
  if (type && stored != (type->is_enum() ? TypeKind::kVarchar : TypeKind::kList)) type.reset();
  return type;
}

bool IsWidening(const LogicalTypeName& from, const LogicalTypeName& to) {
  if (!from.is_enum() || !to.is_enum()) return from == to;
  const std::set<std::string> values(to.enum_values.begin(), to.enum_values.end());
  return std::all_of(from.enum_values.begin(), from.enum_values.end(),
                     [&](const std::string& value) { return values.contains(value); });
}

}  // namespace tarn
