// See interrupt_relay.h. A statement may work for minutes inside of one call, so nobody but another
// thread can look meanwhile.
#include "engine/interrupt_relay.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tarn::engine {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

}  // namespace

InterruptRelay::InterruptRelay(duckdb::ClientContext& from, duckdb::ClientContext& to)
    : thread_([&from, &to](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any ended;
        std::unique_lock lock(mutex);
        while (!stop.stop_requested()) {
          if (from.interrupted) to.Interrupt();
          ended.wait_for(lock, stop, kBetweenLooks, [] { return false; });
        }
      }) {}

}  // namespace tarn::engine
