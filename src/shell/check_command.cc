// tarn check: one line per finding, and a last one that sums up.
#include <fmt/format.h>

#include "shell/exit_codes.h"
#include "shell/lake_argument.h"
#include "shell/subcommands.h"
#include "shell/terminal.h"
#include "tarn/check.h"

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

}  // namespace

int Check(engine::Session& session, const Arguments& arguments) {
  CheckOptions options;
  options.deep = arguments.deep;
  if (arguments.deep) {
    options.inspect_file = [&](const std::string& path, const DataFile& file, const Table& table) {
      return session.InspectFile(path, file, table);
    };
  }
  ProgressLine progress;
  if (IsTerminal(2)) options.progress = [&](double fraction) { progress.Update(fraction); };
  const auto report = CheckLake(*session.FindLake(kLakeName), options);
  progress.Finish();
  const bool color = WantsColor(1);
  for (const auto& finding : report.findings) {
    const auto paint = !color ? std::string_view() : finding.is_error ? kRed : kDim;
    WriteOut(fmt::format("{}{}:{} {}\n", paint, finding.is_error ? "error" : "note",
                         color ? kReset : "", finding.what));
  }
  WriteOut(Summary(report) + "\n");
  return report.clean() ? kExitOk : kExitFailed;
}

}  // namespace tarn::shell
