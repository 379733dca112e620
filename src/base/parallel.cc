// See parallel.h.
#include "base/parallel.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tarn {

void ForEachInParallel(size_t count, size_t threads,
                       const std::function<void(size_t at, const std::stop_token& stop)>& work) {
  std::stop_source stop;
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto run = [&] {
    while (!stop.stop_requested()) {
      const size_t at = next++;
      if (at >= count) return;
      try {
        work(at, stop.get_token());
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        stop.request_stop();
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      while (helpers.size() + 1 < threads && helpers.size() + 1 < count) helpers.emplace_back(run);
    } catch (const std::system_error&) {  // no more threads are to be had: fewer do it, too
    }
    run();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace tarn
