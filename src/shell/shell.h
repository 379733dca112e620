// Runs statements and dot commands from wherever they come, and shows what they answer.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session.h"
#include "shell/line_source.h"
#include "shell/printer.h"
#include "shell/statement_splitter.h"

namespace tarn::shell {

struct ShellOptions {
  OutputMode mode = OutputMode::kBox;
  bool timer = false;
  bool interactive = false;  ///< a failed statement ends nothing, changed rows are counted aloud
};

class Shell {
 public:
  Shell(engine::Session& session, const ShellOptions& options);

  enum class Outcome { kDone, kFailed, kCancelled, kQuit };

  /// Runs all of a source; the first statement that fails ends it.
  Outcome RunAll(LineSource source);
  /// Takes one line of input and runs what it completes. `remember` is told each finished statement
  /// and dot command before it runs.
  Outcome TakeLine(StatementSplitter& splitter, const std::string& line,
                   const std::function<void(std::string_view)>& remember = {});
  Outcome RunStatement(const std::string& sql);
  /// Runs a file for `.read`. Throws tarn::Error for one that cannot be read, or that reads itself.
  Outcome ReadFile(const std::string& path);
  /// A line that starts with a dot.
  Outcome RunDotCommand(std::string_view line);

  engine::Session& session() { return session_; }
  Printer& printer() { return printer_; }
  bool timer() const { return timer_; }
  void set_timer(bool timer) { timer_ = timer; }

 private:
  void Show(engine::SessionResult& result);

  engine::Session& session_;
  Printer printer_;
  bool timer_;
  bool interactive_;
  int read_depth_ = 0;  ///< files that read files
};

/// For completion.
std::vector<std::string> DotCommandNames();

/// On a terminal, statements that take long draw a bar.
void ShowProgress(engine::Session& session);

}  // namespace tarn::shell
