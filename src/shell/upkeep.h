// Subcommands that keep a lake healthy: flush, merge, rewrite, expire, cleanup, orphans, all of
// them as checkpoint, and checkpoint again and again as keep.
#pragma once

#include <string>
#include <vector>

#include "engine/session.h"
#include "shell/command_line.h"

namespace tarn::shell {

/// What one step did to a table, or to the lake.
struct UpkeepResult {
  std::string object;  ///< such as "main.t"; empty: the lake
  std::string done;    ///< such as "12 files into 1"
};

/// Runs one of engine::kUpkeepSteps and tells what it did, or would do. Of merges at most
/// `most_files` are made; 0: all.
std::vector<UpkeepResult> RunUpkeepStep(engine::Session& session, const std::string& step,
                                        bool dry_run, int64_t most_files = 0);

/// One function, with the arguments of the command line; prints its rows.
void RunUpkeep(engine::Session& session, const Arguments& arguments);
/// All steps; prints what each did.
void RunCheckpoint(engine::Session& session, const Arguments& arguments);
/// Rounds of all steps until Ctrl-C or SIGTERM, a line of log for each thing done. Returns the exit
/// code.
int Keep(engine::Session& session, const Arguments& arguments);

}  // namespace tarn::shell
