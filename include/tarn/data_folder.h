// Where a relative data path leads: to the working folder, or to beside the catalog file.
#pragma once

#include <optional>
#include <string>

#include "tarn/lake.h"

namespace tarn {

/// What is wrong, when the data path of a lake is relative, leads to no folder, and the catalog
/// names files in it: whoever wrote now would split the lake over two folders.
std::optional<std::string> DescribeLostFolder(Lake& lake);

/// A relative path made absolute, from the folder that the process runs in; others stay. The next
/// user may run elsewhere.
std::string FromWorkingFolder(const std::string& path);

/// Throws kInvalid with that sentence.
void RequireFolder(Lake& lake);

}  // namespace tarn
