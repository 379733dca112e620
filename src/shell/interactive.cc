// Lines from a person. See interactive.h.
#include "shell/interactive.h"

#include <unistd.h>

#include <fmt/format.h>

#include "shell/completion.h"
#include "shell/exit_codes.h"
#include "shell/history.h"
#include "shell/lake_argument.h"
#include "shell/line_editor.h"
#include "shell/terminal.h"

namespace tarn::shell {
namespace {

/// Says what the lines so far wait for.
std::string Prompt(const StatementSplitter& splitter, bool has_lake) {
  const std::string name = has_lake ? kLakeName : "tarn";
  if (splitter.empty()) return name + "> ";
  std::string waiting(name.size() + 2, ' ');
  waiting[name.size() - 1] = splitter.waits_for() == ';' ? '-' : splitter.waits_for();
  waiting[name.size()] = '>';
  return waiting;
}

}  // namespace

int RunInteractive(Shell& shell, bool has_lake) {
  Completion completion(shell.session());
  LineEditor editor([&](std::string_view before, std::string_view word) {
    return completion.Find(before, word);
  });
  History history(History::DefaultPath());
  for (const auto& entry : history.entries()) editor.AddToHistory(entry);
  const auto remember = [&](std::string_view text) {
    for (const auto& entry : history.Add(text)) editor.AddToHistory(entry);
  };

  WriteOut(
      fmt::format("tarn {}: end a statement with a semicolon; .help tells more.\n", TARN_VERSION));
  StatementSplitter splitter;
  while (true) {
    std::string line;
    switch (editor.Read(Prompt(splitter, has_lake), line)) {
      case LineEditor::End::kEndOfInput:
        WriteOut("\n");
        return kExitOk;
      case LineEditor::End::kCancelled:
        splitter.Clear();
        continue;
      case LineEditor::End::kLine:
        break;
    }
    if (shell.TakeLine(splitter, line, remember) == Shell::Outcome::kQuit) return kExitOk;
    completion.Forget();
  }
}

}  // namespace tarn::shell
