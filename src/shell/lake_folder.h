// What the command tells of the places that a lake lies in, beyond what opening it does.
#pragma once

#include <string>

#include "tarn/lake.h"

namespace tarn::shell {

/// A line on standard error when a lake that has nothing yet has a folder with Parquet files:
/// another lake's, more likely than not.
void WarnOfSharedFolder(Lake& lake);

/// Who cannot write what of a lake that was opened read-only without anybody's wish.
std::string DescribeReadOnly(Lake& lake);

}  // namespace tarn::shell
