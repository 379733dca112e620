// The real path of a file that the operating system keeps.
#pragma once

#include <string>

namespace tarn {

/// Absolute, with links followed as far as the path exists. A remote path (`s3://…`) in its normal
/// form.
std::string RealLocalPath(const std::string& path);

}  // namespace tarn
