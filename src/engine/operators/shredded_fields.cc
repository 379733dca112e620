// See shredded_fields.h.
#include "engine/operators/shredded_fields.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "format/stats_text.h"
#include "format/type_names.h"

namespace tarn::engine {
namespace {

using WriterStats = duckdb::case_insensitive_map_t<duckdb::Value>;

constexpr std::string_view kNullBytes = "00";  // a null of the binary encoding, in hex

// The layout of a file's variants, as DuckDB prints the type of their leaves.
struct Layout {
  std::string scalar;  ///< the type's name; empty of structs
  std::vector<std::pair<std::string, Layout>> fields;
  bool is_list = false;  ///< of what is here

  const Layout* Find(std::string_view name) const {
    for (const auto& [field, layout] : fields) {
      if (field == name) return &layout;
    }
    return nullptr;
  }
};

class LayoutReader {
 public:
  explicit LayoutReader(std::string_view text) : rest_(text) {}

  std::optional<Layout> Read() {
    auto layout = ReadType();
    if (!rest_.empty()) return std::nullopt;
    return layout;
  }

 private:
  std::optional<Layout> ReadType() {
    Layout layout;
    if (Take("STRUCT(")) {
      do {
        auto name = ReadName();
        if (!name || !Take(" ")) return std::nullopt;
        auto type = ReadType();
        if (!type) return std::nullopt;
        layout.fields.emplace_back(std::move(*name), std::move(*type));
      } while (Take(", "));
      if (!Take(")")) return std::nullopt;
    } else {
      auto length = std::min(rest_.find_first_of(",()["), rest_.size());
      // The width and scale of a decimal.
      if (length < rest_.size() && rest_[length] == '(')
        length = std::min(rest_.find(')', length), rest_.size() - 1) + 1;
      layout.scalar = rest_.substr(0, length);
      rest_.remove_prefix(length);
      if (layout.scalar.empty()) return std::nullopt;
    }
    layout.is_list = Take("[]");
    return layout;
  }

  std::optional<std::string> ReadName() {
    std::string name;
    if (!Take("\"")) {
      name = rest_.substr(0, rest_.find(' '));
      rest_.remove_prefix(name.size());
      return name;
    }
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"' && !Take("\"")) return name;
      name += c;
    }
    return std::nullopt;
  }

  bool Take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  std::string_view rest_;
};

/// What the writer shreds to.
std::optional<ScalarType> ShreddedType(const std::string& name) {
  static const std::map<std::string, std::string_view, std::less<>> kNames = {
      {"BOOLEAN", "boolean"},
      {"TINYINT", "int8"},
      {"SMALLINT", "int16"},
      {"INTEGER", "int32"},
      {"BIGINT", "int64"},
      {"FLOAT", "float32"},
      {"DOUBLE", "float64"},
      {"DATE", "date"},
      {"TIME", "time"},
      {"TIMESTAMP", "timestamp"},
      {"TIMESTAMP_NS", "timestamp_ns"},
      {"TIMESTAMP WITH TIME ZONE", "timestamptz"},
      {"BLOB", "blob"},
      {"VARCHAR", "varchar"},
      {"UUID", "uuid"}};
  if (name.starts_with("DECIMAL(")) return ParseTypeName(name);
  const auto found = kNames.find(name);
  return found == kNames.end() ? std::nullopt : ParseTypeName(found->second);
}

std::optional<int64_t> Count(const WriterStats& stats, const char* key) {
  const auto found = stats.find(key);
  if (found == stats.end()) return std::nullopt;
  return found->second.DefaultCastAs(duckdb::LogicalType::BIGINT).GetValue<int64_t>();
}

std::optional<std::string> Text(const WriterStats& stats, const char* key) {
  const auto found = stats.find(key);
  return found == stats.end() ? std::nullopt : std::optional(found->second.ToString());
}

std::string Child(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

class FieldReader {
 public:
  explicit FieldReader(const duckdb::CopyFunctionFileStatistics& written) : written_(written) {}

  const WriterStats* Find(const std::string& leaf) const {
    const auto found = written_.column_statistics.find(leaf);
    return found == written_.column_statistics.end() ? nullptr : &found->second;
  }

  /// `leaf`: the path of both leaves; `field`: the same as variants have it.
  void Read(const Layout& layout, const std::string& leaf, const std::string& field) {
    const Layout* typed = layout.Find("typed_value");
    if (typed == nullptr) return;
    const auto below = leaf + ".\"typed_value\"";
    if (typed->is_list) return Read(*typed, below + ".\"element\"", Child(field, "element"));
    if (typed->scalar.empty()) {
      for (const auto& [name, child] : typed->fields) {
        const auto quoted = QuoteIdentifier(name);
        Read(child, Child(below, quoted), Child(field, quoted));
      }
      return;
    }
    const auto type = ShreddedType(typed->scalar);
    if (type && IsWhole(Find(leaf + ".\"value\""))) Add(Find(below), *type, field);
  }

  std::vector<VariantFieldStats> Take() {
    std::sort(fields_.begin(), fields_.end(),
              [](const auto& a, const auto& b) { return a.path > b.path; });
    return std::move(fields_);
  }

 private:
  // Nothing but nulls is left over.
  static bool IsWhole(const WriterStats* leftover) {
    if (leftover == nullptr) return false;
    const auto min = Text(*leftover, "min"), max = Text(*leftover, "max");
    if (min || max) return min == kNullBytes && max == kNullBytes;
    const auto nulls = Count(*leftover, "null_count");
    return nulls && nulls == Count(*leftover, "num_values");
  }

  void Add(const WriterStats* stats, const ScalarType& type, const std::string& field) {
    if (stats == nullptr) return;
    const auto nulls = Count(*stats, "null_count"), values = Count(*stats, "num_values");
    // Inside arrays the writer counts a NULL once for each level that is NULL.
    if (!nulls || !values || *nulls > *values) return;
    auto& added = fields_.emplace_back();
    added.path = field.empty() ? "root" : field;
    added.type = TypeName(type);
    added.null_count = *nulls;
    added.num_values = *values;
    added.column_size_bytes = Count(*stats, "column_size_bytes").value_or(0);
    if (const auto min = Text(*stats, "min"))
      added.min_value = NormalizeWriterStat(type, *min, BoundSide::kMin);
    if (const auto max = Text(*stats, "max"))
      added.max_value = NormalizeWriterStat(type, *max, BoundSide::kMax);
    if (!HasNan(type.kind)) return;
    if (const auto has_nan = Text(*stats, "has_nan")) added.contains_nan = *has_nan == "true";
  }

  const duckdb::CopyFunctionFileStatistics& written_;
  std::vector<VariantFieldStats> fields_;
};

}  // namespace

std::vector<VariantFieldStats> ShreddedFields(const duckdb::CopyFunctionFileStatistics& written,
                                              const std::string& path) {
  FieldReader reader(written);
  const auto* metadata = reader.Find(path + ".\"metadata\"");
  const auto type = metadata == nullptr ? std::nullopt : Text(*metadata, "variant_type");
  const auto layout = type ? LayoutReader(*type).Read() : std::nullopt;
  if (layout) reader.Read(*layout, path, "");
  return reader.Take();
}

bool HasNoNulls(const duckdb::CopyFunctionFileStatistics& written, const std::string& path) {
  const auto found = written.column_statistics.find(path + ".\"value\"");
  if (found == written.column_statistics.end()) return false;
  if (const auto min = Text(found->second, "min")) return *min != kNullBytes;
  const auto nulls = Count(found->second, "null_count");
  return nulls && nulls == Count(found->second, "num_values");
}

}  // namespace tarn::engine
