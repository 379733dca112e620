// Work on many things by a few threads, which waits for storage rather than computes.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace tarn {

/// Calls `work` with each number below `count`, in about this order, by up to so many threads, of
/// which the caller's is one. When one call throws, the others are asked to stop, and no new one
/// begins; its error is thrown once all have ended.
void ForEachInParallel(size_t count, size_t threads,
                       const std::function<void(size_t at, const std::stop_token& stop)>& work);

}  // namespace tarn
