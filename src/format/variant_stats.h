// Statistics of the fields of a variant, as the catalog keeps them in `extra_stats` and again,
// field by field, in ducklake_file_variant_stats. A field has an entry only if all its values in
// the file are of one type, which its writer then keeps apart ("fully shredded").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarn {

struct VariantFieldStats {
  /// `"a"."b"`, each name quoted; an element of an array is `element`, without quotes, and a
  /// variant that is no object or array is `root`.
  std::string path;
  std::string type;  ///< one of the format's type names
  int64_t null_count = 0;
  int64_t num_values = 0;  ///< with NULLs
  int64_t column_size_bytes = 0;
  std::optional<std::string> min_value;  ///< as ColumnStats has it
  std::optional<std::string> max_value;
  std::optional<bool> contains_nan;  ///< absent for types that have no NaN
  friend bool operator==(const VariantFieldStats&, const VariantFieldStats&) = default;
};

/// `[{"field_name":"\"a\"","shredded_type":"int64",…}]`, to the letter as other clients write it.
/// Nullopt for none.
std::optional<std::string> VariantStatsJson(std::span<const VariantFieldStats> fields);

/// Nullopt for a text that is anything else; members with other names are passed over.
std::optional<std::vector<VariantFieldStats>> ParseVariantStats(std::string_view json);

/// What holds for two files, or for a table and a file: of the fields that both know, with the same
/// type.
std::optional<std::string> MergeVariantStats(const std::optional<std::string>& a,
                                             const std::optional<std::string>& b);

}  // namespace tarn
