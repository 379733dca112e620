// What standard output and standard error are connected to, and what that allows: colours, widths,
// a progress bar.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarn::shell {

bool IsTerminal(int file_descriptor);
/// Columns of the terminal behind standard output; 0 when it is none.
uint64_t TerminalWidth();
/// Whether a terminal wants colours: not with NO_COLOR set, nor when TERM says that it knows none.
bool WantsColor(int file_descriptor);

/// Names for the sequences that are used at all.
inline constexpr std::string_view kBold = "\033[1m";
inline constexpr std::string_view kDim = "\033[2m";
inline constexpr std::string_view kRed = "\033[31m";
inline constexpr std::string_view kReset = "\033[0m";

/// Writes all of a text to standard output. Throws OutputClosed when nobody reads on, and
/// tarn::Error when it cannot be written.
void WriteOut(std::string_view text);
/// Writes to standard error; what cannot be written there is lost.
void WriteErr(std::string_view text);
/// "Error: …", or the kind of error that the message begins with, on standard error; red on a
/// terminal.
void PrintError(std::string_view message);

/// The reader of our output went away. Not an std::exception: nothing on the way may take it for an
/// error to report.
struct OutputClosed {};

/// A bar on standard error, drawn anew in its line and wiped off in the end.
class ProgressLine {
 public:
  void Update(double fraction);
  void Finish();

 private:
  int drawn_percent_ = -1;
};

}  // namespace tarn::shell
