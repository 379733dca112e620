// The machine's own clock, randomness and sleep.
#include "base/environment.h"

#include <chrono>
#include <random>
#include <thread>

namespace tarn {

Timestamp Now(const Environment& environment) {
  if (environment.now) return environment.now();
  return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

uint64_t Random(const Environment& environment) {
  if (environment.random) return environment.random();
  // One device per thread: cheap, and no lock between writers.
  thread_local std::random_device device;
  return (static_cast<uint64_t>(device()) << 32) | device();
}

void Sleep(const Environment& environment, int64_t wait_ms) {
  if (environment.sleep) {
    environment.sleep(wait_ms);
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
  }
}

Environment WithDefaults(Environment environment) {
  if (!environment.now) environment.now = [] { return Now(Environment{}); };
  if (!environment.random) environment.random = [] { return Random(Environment{}); };
  if (!environment.sleep) {
    environment.sleep = [](int64_t wait_ms) { Sleep(Environment{}, wait_ms); };
  }
  return environment;
}

}  // namespace tarn
