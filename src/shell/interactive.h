// The shell on a terminal: prompt, history, completion.
#pragma once

#include "shell/shell.h"

namespace tarn::shell {

/// Reads and runs until the user leaves; returns the exit code.
int RunInteractive(Shell& shell, bool has_lake);

}  // namespace tarn::shell
