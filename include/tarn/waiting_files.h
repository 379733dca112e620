// Files that are scheduled for deletion.
#pragma once

#include <cstdint>
#include <optional>

#include "tarn/snapshot.h"

namespace tarn {

class Lake;

struct WaitingFiles {
  int64_t count = 0;
  std::optional<Timestamp> newest;  ///< when the last one was scheduled
};

WaitingFiles FindWaitingFiles(Lake& lake);

}  // namespace tarn
