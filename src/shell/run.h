// The `tarn` command from its first to its last line.
#pragma once

namespace tarn::shell {

/// Returns the exit code.
int Run(int argc, char** argv);

}  // namespace tarn::shell
