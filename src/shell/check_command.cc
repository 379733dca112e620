// tarn check: one line per finding, and a last one that sums up.
#include <unistd.h>

#include <fmt/format.h>

#include "shell/exit_codes.h"
#include "shell/interrupts.h"
#include "shell/lake_argument.h"
#include "shell/subcommands.h"
#include "shell/terminal.h"
#include "tarn/check.h"
#include "tarn/error.h"

namespace tarn::shell {
namespace {

std::string Count(int64_t number, const char* singular, const char* plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}

std::string Summary(const CheckReport& report) {
  int64_t errors = 0, notes = 0;
  for (const auto& finding : report.findings) ++(finding.is_error ? errors : notes);
  auto verdict = errors == 0 ? std::string("The lake is whole") : Count(errors, "error", "errors");
  if (notes > 0) verdict += (errors == 0 ? ", with " : ", ") + Count(notes, "note", "notes");
  return fmt::format("{}: {}, {}, {}, {}, {}.", verdict,
                     Count(report.snapshots, "snapshot", "snapshots"),
                     Count(report.tables, "table", "tables"), Count(report.rows, "row", "rows"),
                     Count(report.data_files, "data file", "data files"),
                     Count(report.delete_files, "delete file", "delete files"));
}

void StopWhenCancelled(ProgressLine& progress) {
  if (!Interrupts::Pressed()) return;
  progress.Finish();
  throw Error(ErrorCode::kInterrupted, "Cancelled.");
}

}  // namespace

int Check(engine::Session& session, const Arguments& arguments) {
  CheckOptions options;
  options.deep = arguments.deep;
  ProgressLine progress;
  const bool draws = IsTerminal(STDERR_FILENO);
  options.progress = [&](double fraction) {
    StopWhenCancelled(progress);
    if (draws) progress.Update(fraction);
  };
  if (arguments.deep) {
    const auto inspect = [&](const std::string& path, const auto& file, const auto& context) {
      auto found = session.InspectFile(path, file, context);
      // A cancelled reading looks like a file that cannot be read.
      StopWhenCancelled(progress);
      return found;
    };
    options.inspect_file = inspect;
    options.inspect_delete_file = inspect;
  }
  const auto lake = session.FindLake(kLakeName);
  auto report = CheckLake(*lake, options);
  if (arguments.deep) {
    for (auto& finding : session.InspectInlinedRows(*lake)) report.findings.push_back(finding);
    StopWhenCancelled(progress);
  }
  progress.Finish();
  const bool color = WantsColor(STDOUT_FILENO);
  for (const auto& finding : report.findings) {
    const auto paint = !color ? std::string_view() : finding.is_error ? kRed : kDim;
    WriteOut(fmt::format("{}{}:{} {}\n", paint, finding.is_error ? "error" : "note",
                         color ? kReset : "", finding.what));
  }
  WriteOut(Summary(report) + "\n");
  return report.clean() ? kExitOk : kExitFailed;
}

}  // namespace tarn::shell
