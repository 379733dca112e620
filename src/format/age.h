// Ages as people write them: '30 days'.
#pragma once

#include <string_view>

namespace tarn {

/// A number without a unit, such as "30" or " -1.5", which databases take for seconds and people do
/// not.
bool IsBareNumber(std::string_view text);

}  // namespace tarn
