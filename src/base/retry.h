// How long to wait between commit attempts: exponential backoff with full jitter, so that writers
// that lost together do not race together again.
#pragma once

#include <cstdint>
#include <functional>

#include "tarn/lake.h"

namespace tarn {

/// Counts attempts of one commit. `for (Retry retry(options, environment);;) { try once; if
/// (!retry.WaitBeforeNext()) give up; }`
class Retry {
 public:
  Retry(const RetryOptions& options, const Environment& environment);

  /// After a failed attempt: false when no attempt is left, else sleeps and counts the next one.
  /// With `interrupted` the sleep is taken in small pieces, and ends early when it says so.
  bool WaitBeforeNext(const std::function<bool()>& interrupted = {});
  /// The attempt that is running, from 1.
  int64_t attempt() const { return attempt_; }
  /// The longest wait before the next attempt; the real one is random between half of it and all of
  /// it.
  int64_t wait_limit_ms() const;

 private:
  RetryOptions options_;
  Environment environment_;
  int64_t attempt_ = 1;
};

}  // namespace tarn
