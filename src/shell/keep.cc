// tarn keep: upkeep in rounds, until somebody says stop. See upkeep.h.
#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "shell/exit_codes.h"
#include "shell/interrupts.h"
#include "shell/terminal.h"
#include "shell/upkeep.h"
#include "tarn/error.h"

namespace tarn::shell {
namespace {

using Clock = std::chrono::steady_clock;

/// Files that are merged between two looks at the budget.
constexpr int64_t kMergesAtOnce = 8;

/// Services are stopped with SIGTERM; it does what Ctrl-C does.
void OnTerminate(int) { std::raise(SIGINT); }

void Log(const std::string& what) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  WriteOut(fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {}\n", fmt::gmtime(now), what));
}

class Keeper {
 public:
  Keeper(engine::Session& session, const KeepArguments& arguments)
      : session_(session), arguments_(arguments) {}

  int Run() {
    std::signal(SIGTERM, OnTerminate);
    try {
      while (true) {
        const bool went_well = Round();
        if (arguments_.once) return went_well ? kExitOk : kExitFailed;
        Pause();
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInterrupted) throw;
      Log("stopped");
      return kExitOk;
    }
  }

 private:
  /// False when a step failed: it is tried again in the next round.
  bool Round() {
    const auto begin = Clock::now();
    bool went_well = true;
    int64_t steps_done = 0;
    for (const std::string step : engine::kUpkeepSteps) {
      if (IsOver(begin)) {
        Log(fmt::format("the budget of {} ran out before {}", arguments_.budget, step));
        break;
      }
      try {
        steps_done += RunStep(step, begin);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::kInterrupted) throw;
        Log(fmt::format("{} failed: {}", step, error.message()));
        went_well = false;
      }
    }
    if (steps_done == 0 && went_well) Log("nothing to do");
    return went_well;
  }

  int64_t RunStep(const std::string& step, Clock::time_point begin) {
    const bool in_parts = step == "merge_adjacent_files" && arguments_.budget.count() > 0;
    int64_t done = 0;
    while (true) {
      const auto results = RunUpkeepStep(session_, step, false, in_parts ? kMergesAtOnce : 0);
      for (const auto& [object, what] : results)
        Log(fmt::format("{}{}: {}", step, object.empty() ? "" : " " + object, what));
      done += static_cast<int64_t>(results.size());
      if (!in_parts || results.empty() || IsOver(begin)) return done;
    }
  }

  bool IsOver(Clock::time_point begin) const {
    return arguments_.budget.count() > 0 && Clock::now() - begin >= arguments_.budget;
  }

  void Pause() {
    const auto end = Clock::now() + arguments_.interval;
    while (Clock::now() < end) {
      if (Interrupts::Pressed()) throw Error(ErrorCode::kInterrupted, "Stopped.");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  engine::Session& session_;
  const KeepArguments& arguments_;
};

}  // namespace

int Keep(engine::Session& session, const Arguments& arguments) {
  return Keeper(session, arguments.keep).Run();
}

}  // namespace tarn::shell
