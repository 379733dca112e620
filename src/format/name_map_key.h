// Equal keys for name mappings that map the same, so that files of one shape share one.
#pragma once

#include <string>

#include "tarn/data_file.h"

namespace tarn {

/// The order of columns and fields makes no difference, the case of their names does.
std::string NameMapKey(const NameMap& map);

}  // namespace tarn
