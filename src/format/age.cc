// See the header.
#include "format/age.h"

#include <algorithm>

#include "base/text.h"

namespace tarn {

bool IsBareNumber(std::string_view text) {
  text = TrimSpace(text);
  if (text.starts_with('-') || text.starts_with('+')) text = TrimSpace(text.substr(1));
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::any_of(text.begin(), text.end(), is_digit) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_digit(c) || c == '.'; });
}

}  // namespace tarn
