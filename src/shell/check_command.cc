// tarn check: one line per finding, and a last one that sums up; before them, one per repair.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "shell/exit_codes.h"
#include "shell/interrupts.h"
#include "shell/lake_argument.h"
#include "shell/subcommands.h"
#include "shell/terminal.h"
#include "tarn/check.h"
#include "tarn/data_folder.h"
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

/// What a check needs of the session; lives as long as the check.
CheckOptions OptionsOf(engine::Session& session, const Arguments& arguments,
                       ProgressLine& progress) {
  CheckOptions options;
  options.deep = arguments.deep;
  options.progress = [&progress, draws = IsTerminal(STDERR_FILENO)](double fraction) {
    StopWhenCancelled(progress);
    if (draws) progress.Update(fraction);
  };
  if (!arguments.deep) return options;
  const auto inspect = [&](const std::string& path, const auto& file, const auto& context) {
    auto found = session.InspectFile(path, file, context);
    // A cancelled reading looks like a file that cannot be read.
    StopWhenCancelled(progress);
    return found;
  };
  options.inspect_file = inspect;
  options.inspect_delete_file = inspect;
  return options;
}

void PrintLine(std::string_view color, std::string_view label, const std::string& sentence) {
  const bool paints = WantsColor(STDOUT_FILENO);
  WriteOut(fmt::format("{}{}:{} {}\n", paints ? color : "", label, paints ? kReset : "", sentence));
}

/// What people can do, each once: a thousand lost files need one advice.
std::vector<std::string> AdviceFor(const CheckReport& report, bool has_repaired) {
  std::vector<std::string> advice;
  bool can_repair = false;
  for (const auto& finding : report.findings) {
    can_repair = can_repair || finding.repair.kind != RepairKind::kNone;
    const bool is_new = std::find(advice.begin(), advice.end(), finding.advice) == advice.end();
    if (!finding.advice.empty() && is_new) advice.push_back(finding.advice);
  }
  if (can_repair && !has_repaired) {
    advice.push_back(
        "`tarn check LAKE --repair --dry-run` tells what can be repaired without guessing.");
  }
  return advice;
}

void Print(const CheckReport& report, bool has_repaired) {
  for (const auto& finding : report.findings)
    PrintLine(finding.is_error ? kRed : kDim, finding.is_error ? "error" : "note", finding.what);
  for (const auto& advice : AdviceFor(report, has_repaired)) PrintLine(kDim, "advice", advice);
  WriteOut(Summary(report) + "\n");
}

/// Tells each step; what nobody could do without guessing comes after.
RepairReport Repair(engine::Session& session, Lake& lake, const CheckOptions& check, bool dry_run) {
  RepairOptions options;
  options.check = check;
  options.dry_run = dry_run;
  options.interrupted = [] { return Interrupts::Pressed(); };
  const auto writer = session.MakeDeleteWriter(kLakeName);
  options.writer = writer.get();
  return RepairLake(lake, options);
}

void Print(const RepairReport& report, bool dry_run) {
  for (const auto& step : report.steps)
    PrintLine(kDim, dry_run ? "would repair" : "repaired", step);
  for (const auto& refusal : report.refusals) PrintLine(kRed, "not repaired", refusal);
  if (report.snapshot)
    WriteOut(fmt::format("The repairs are snapshot {}.\n", report.snapshot->value));
  if (report.steps.empty()) WriteOut("There is nothing that could be repaired.\n");
}

}  // namespace

int Check(engine::Session& session, const Arguments& arguments) {
  ProgressLine progress;
  const auto options = OptionsOf(session, arguments, progress);
  const auto lake = session.FindLake(kLakeName);
  CheckReport report;
  bool has_checked = false;
  if (arguments.repair) {
    RequireFolder(*lake);
    auto repair = Repair(session, *lake, options, arguments.upkeep.dry_run);
    progress.Finish();
    Print(repair, arguments.upkeep.dry_run);
    // What was found stands when nothing was changed.
    has_checked = !repair.snapshot;
    if (has_checked) report = std::move(repair.found);
  }
  if (!has_checked) report = CheckLake(*lake, options);
  if (arguments.deep) {
    for (auto& finding : session.InspectInlinedRows(*lake))
      report.findings.push_back(std::move(finding));
    StopWhenCancelled(progress);
  }
  progress.Finish();
  Print(report, arguments.repair);
  return report.clean() ? kExitOk : kExitFailed;
}

}  // namespace tarn::shell
