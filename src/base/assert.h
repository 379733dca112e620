// TARN_ASSERT: checks for our own bugs, never for input. Stays on in release builds: a wrong commit
// costs more than a comparison.
#pragma once

namespace tarn {

/// Throws Error(kInternal) that names the place and the broken condition.
[[noreturn]] void AssertionFailed(const char* condition, const char* file, int line);

}  // namespace tarn

#define TARN_ASSERT(condition) \
  (static_cast<bool>(condition) ? void(0) : ::tarn::AssertionFailed(#condition, __FILE__, __LINE__))
