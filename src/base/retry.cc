// Exponential backoff with jitter.
#include "base/retry.h"

#include <algorithm>
#include <cmath>

#include "base/environment.h"

namespace tarn {
namespace {

/// However the options are set, nobody waits longer than this at once.
constexpr double kLongestWaitMs = 60'000;
/// How long a cancelled wait may go on.
constexpr int64_t kLongestPieceMs = 50;

}  // namespace

Retry::Retry(const RetryOptions& options, const Environment& environment)
    : options_(options), environment_(environment) {}

int64_t Retry::wait_limit_ms() const {
  const double first = static_cast<double>(std::max<int64_t>(options_.wait_ms, 0));
  const double factor =
      std::pow(std::max(options_.backoff, 1.0), static_cast<double>(attempt_ - 1));
  return static_cast<int64_t>(std::min(first * factor, kLongestWaitMs));
}

bool Retry::WaitBeforeNext(const std::function<bool()>& interrupted) {
  if (attempt_ >= options_.max_attempts) return false;
  const int64_t limit = wait_limit_ms();
  if (limit > 0) {
    const int64_t half = limit / 2;
    const auto spread = static_cast<uint64_t>(limit - half + 1);
    int64_t wait = half + static_cast<int64_t>(Random(environment_) % spread);
    const int64_t piece = interrupted ? kLongestPieceMs : wait;
    for (; wait > 0 && !(interrupted && interrupted()); wait -= piece) {
      Sleep(environment_, std::min(wait, piece));
    }
  }
  ++attempt_;
  return true;
}

}  // namespace tarn
