#include "base/parallel.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace tarn {
namespace {

TEST(ParallelTest, EachNumberOnce) {
  for (const size_t count : {0u, 1u, 3u, 1000u}) {
    std::vector<std::atomic<int>> calls(count);
    ForEachInParallel(count, 8, [&](size_t at, const std::stop_token&) { ++calls[at]; });
    for (const auto& number : calls) EXPECT_EQ(number, 1);
  }
}

TEST(ParallelTest, OneErrorEndsAll) {
  std::atomic<int> calls = 0;
  const auto work = [&](size_t at, const std::stop_token& stop) {
    ++calls;
    if (at == 5) throw std::runtime_error("five");
    while (at > 5 && !stop.stop_requested()) std::this_thread::yield();
  };
  try {
    ForEachInParallel(1000, 4, work);
    ADD_FAILURE() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::string("five"));
  }
  EXPECT_LT(calls, 10);
}

}  // namespace
}  // namespace tarn
