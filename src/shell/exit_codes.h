// How the command ends, as scripts see it.
#pragma once

namespace tarn::shell {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  ///< a statement failed; check: the lake is not whole
inline constexpr int kExitUsage = 2;   ///< called wrongly, or the lake could not be opened
inline constexpr int kExitInterrupted = 130;
inline constexpr int kExitOutputClosed = 141;  ///< as a process that SIGPIPE ended

}  // namespace tarn::shell
