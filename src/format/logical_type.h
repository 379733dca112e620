// Types that SQL has and the format has not, stored in one that it has: an ENUM as text, an array
// of fixed size as a list. What SQL says of them is kept in tags of the table, since the reference
// client refuses tags of columns, one for each field, as JSON:
//
//   tarn_type.2   {"enum":["sad","ok"]}   for the varchar with field id 2
//   tarn_type.7   {"array":3}             for the list with field id 7
//
// Clients that do not know these tags see the stored types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/type_names.h"

namespace tarn {

/// Before the field id.
inline constexpr const char* kLogicalTypeTag = "tarn_type.";
inline constexpr int64_t kMaxArraySize = 100000;

/// One of the two.
struct LogicalTypeName {
  std::vector<std::string> enum_values;  ///< in their order
  int64_t array_size = 0;

  bool is_enum() const { return array_size == 0; }
  friend bool operator==(const LogicalTypeName&, const LogicalTypeName&) = default;
};

std::string FormatLogicalType(const LogicalTypeName& type);

/// Nothing for a text that is none, or that does not fit the stored type: the column then is what
/// it is stored as.
std::optional<LogicalTypeName> ParseLogicalType(std::string_view text, TypeKind stored);

/// Whether every value of the first is one of the second.
bool IsWidening(const LogicalTypeName& from, const LogicalTypeName& to);

}  // namespace tarn
