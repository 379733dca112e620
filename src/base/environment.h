// Reads an Environment's functions, falling back to the machine's own clock, randomness and sleep
// where one is empty.
#pragma once

#include <cstdint>

#include "tarn/lake.h"

namespace tarn {

Timestamp Now(const Environment& environment);
uint64_t Random(const Environment& environment);
void Sleep(const Environment& environment, int64_t wait_ms);

/// The same environment with no function empty.
Environment WithDefaults(Environment environment);

}  // namespace tarn
