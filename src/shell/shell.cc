// Statements in, results out. See shell.h.
#include "shell/shell.h"

#include <unistd.h>

#include <chrono>

#include <fmt/format.h>

#include "shell/interrupts.h"
#include "shell/terminal.h"
#include "tarn/error.h"

namespace tarn::shell {

using engine::SessionResult;

Shell::Shell(engine::Session& session, const ShellOptions& options)
    : session_(session),
      printer_(options.mode),
      timer_(options.timer),
      interactive_(options.interactive) {
  ShowProgress(session);
}

void ShowProgress(engine::Session& session) {
  if (!IsTerminal(STDERR_FILENO)) return;
  auto line = std::make_shared<ProgressLine>();
  constexpr std::chrono::milliseconds kPatience(1000);
  session.WatchProgress(
      kPatience, [line](double fraction) { line->Update(fraction); }, [line] { line->Finish(); });
}

Shell::Outcome Shell::RunAll(LineSource source) {
  StatementSplitter splitter;
  while (auto line = source.Next()) {
    const auto outcome = TakeLine(splitter, *line);
    if (outcome != Outcome::kDone) return outcome;
  }
  if (Interrupts::Pressed()) return Outcome::kCancelled;
  const auto rest = splitter.Finish();
  return rest ? RunStatement(*rest) : Outcome::kDone;
}

Shell::Outcome Shell::ReadFile(const std::string& path) {
  constexpr int kMaxDepth = 20;
  if (read_depth_ == kMaxDepth) {
    throw Error(ErrorCode::kInvalid,
                fmt::format("The file \"{}\" is read from within itself.", path));
  }
  auto source = LineSource::File(path);
  ++read_depth_;
  const auto outcome = RunAll(std::move(source));
  --read_depth_;
  return outcome;
}

Shell::Outcome Shell::TakeLine(StatementSplitter& splitter, const std::string& line,
                               const std::function<void(std::string_view)>& remember) {
  if (splitter.between_statements() && !line.empty() && line.front() == '.') {
    splitter.Clear();
    if (remember) remember(line);
    return RunDotCommand(line);
  }
  for (const auto& statement : splitter.AddLine(line)) {
    if (remember) remember(statement);
    const auto outcome = RunStatement(statement);
    if (outcome != Outcome::kDone) return outcome;
  }
  return Outcome::kDone;
}

Shell::Outcome Shell::RunStatement(const std::string& sql) {
  const auto start = std::chrono::steady_clock::now();
  const Interrupts::Running running;
  Outcome outcome = Outcome::kDone;
  try {
    session_.Run(sql, printer_.streams(), [this](SessionResult& result) { Show(result); });
  } catch (const Error& error) {
    outcome = error.code() == ErrorCode::kInterrupted ? Outcome::kCancelled : Outcome::kFailed;
    PrintError(error.message());
  }
  if (timer_) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    WriteErr(fmt::format("{:.3f} s\n", seconds.count()));
  }
  return outcome;
}

void Shell::Show(SessionResult& result) {
  if (result.kind() != SessionResult::Kind::kChanged) return printer_.Print(result);
  if (!interactive_ || !IsTerminal(STDOUT_FILENO) || result.columns().size() != 1 || !result.Next())
    return;
  const std::string count(result.Text(0).value_or("0"));
  WriteOut(fmt::format("{} row{} changed.\n", count, count == "1" ? "" : "s"));
}

}  // namespace tarn::shell
