// Upkeep works on connections of its own, which the user's Ctrl-C does not know.
#pragma once

#include <thread>

#include "duckdb.hpp"

namespace tarn::engine {

/// While it lives, whoever interrupts `from` interrupts `to`, which works for it: each statement
/// that runs there, until the next one of `from` begins.
class InterruptRelay {
 public:
  InterruptRelay(duckdb::ClientContext& from, duckdb::ClientContext& to);

 private:
  std::jthread thread_;
};

}  // namespace tarn::engine
