// tarn copy: the same lake in another catalog database. See include/tarn/copy_lake.h.
#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "base/text.h"
#include "shell/interrupts.h"
#include "shell/lake_argument.h"
#include "shell/printer.h"
#include "shell/subcommand_options.h"
#include "shell/subcommands.h"
#include "shell/terminal.h"
#include "store/connection_string.h"
#include "tarn/copy_lake.h"
#include "tarn/data_folder.h"
#include "tarn/error.h"

namespace tarn::shell {
namespace {

using engine::SessionResult;
using engine::SessionValue;

/// A database that is there belongs to someone else, unless its kind was named.
void RequireOwn(const engine::LakeRequest& request, CatalogStore& store, const std::string& path) {
  const auto is_left_alone = [](const auto& option) {
    return option.first == "create_if_not_exists";
  };
  if (std::none_of(request.options.begin(), request.options.end(), is_left_alone)) return;
  const auto tables = store.Connect()->ListTables();
  const bool is_lake = store.Connect()->TableExists("ducklake_metadata");
  if (tables.empty() || is_lake) return;  // a lake is refused by the copy itself
  throw Error(ErrorCode::kInvalid,
              fmt::format("There is a database at {} already, with other tables: name another "
                          "path, or {}:{} to put the lake into it.",
                          QuoteIdentifier(path), store.dialect().name(), path));
}

void Note(const CopyReport& report, bool has_new_files) {
  if (report.shared_files == 0 && has_new_files) return;
  const auto* const what =
      has_new_files ? "{} of the files lie outside of the data path and belong to both lakes"
                    : "Both lakes have the same files";
  WriteErr(fmt::format(fmt::runtime(std::string("Note: ") + what +
                                    ". Write to one of the lakes only, and expire, clean up or "
                                    "remove orphans there only.\n"),
                       report.shared_files));
}

}  // namespace

void AddCopyCommand(CLI::App& app, Arguments& arguments) {
  auto& copy = arguments.copy;
  auto* command = AddSubcommand(app, arguments, Action::kCopy, "copy",
                                "The whole lake, with its history, in another catalog");
  command->add_option("TO", copy.target, "The new lake: a path or a connection string")
      ->required()
      ->expected(1, 2)
      ->type_name(" ");
  const std::string group = "Copy";
  command
      ->add_option("--data", copy.data_path,
                   "Copy the files, too, to this folder; else both lakes have the same files")
      ->type_name("FOLDER")
      ->group(group);
  command
      ->add_option("--to-schema", copy.metadata_schema,
                   "Schema of the new catalog's tables in its database")
      ->type_name("SCHEMA")
      ->group(group);
  command->add_flag("--dry-run", copy.dry_run, "Tell what would be copied, and do nothing")
      ->group(group);
  AddOutputOptions(*command, arguments);
  command->callback([&arguments] {
    arguments.action = Action::kCopy;
    auto& target = arguments.copy.target;
    // A lake of this name is written ./to.
    if (EqualsIgnoreCase(target.front(), "to")) target.erase(target.begin());
    if (target.size() != 1 || target.front().empty())
      throw CLI::ValidationError("Two lakes are needed: tarn copy LAKE TO LAKE.");
  });
}

void RunCopy(engine::Session& session, const Arguments& arguments) {
  LakeArguments target;
  target.lake = arguments.copy.target.front();
  target.metadata_schema = arguments.copy.metadata_schema;
  auto request = ResolveLake(target, false);
  request.name = "copy";
  const auto lake = session.FindLake(kLakeName);
  const auto store = session.OpenStore(request, lake->store());
  RequireOwn(request, *store, target.lake);

  ProgressLine progress;
  const bool draws = IsTerminal(STDERR_FILENO);
  CopyOptions options;
  options.data_path = FromWorkingFolder(arguments.copy.data_path);
  options.dry_run = arguments.copy.dry_run;
  options.copy_inlined = session.inlined_rows();
  options.interrupted = [] { return Interrupts::Pressed(); };
  if (draws) options.progress = [&](double fraction) { progress.Update(fraction); };
  CopyReport report;
  try {
    report = CopyLake(*lake, *store, options);
  } catch (...) {
    progress.Finish();
    throw;
  }
  progress.Finish();

  Printer printer(arguments.mode);
  session.ShowRows({"snapshots", "tables", "catalog_rows", "files", "copied_files", "shared_files",
                    "bytes", "data_path"},
                   {{report.snapshots, report.tables, report.inlined_rows, report.files,
                     report.copied_files, report.shared_files, report.bytes, report.data_path}},
                   [&](SessionResult& result) { printer.Print(result); });
  Note(report, !options.data_path.empty());
}

}  // namespace tarn::shell
