// The options, told to CLI11. See command_line.h.
#include "shell/command_line.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "engine/session.h"
#include "shell/exit_codes.h"
#include "shell/import_plan.h"
#include "shell/misuse.h"
#include "shell/subcommand_options.h"
#include "shell/terminal.h"

namespace tarn::shell {
namespace {

constexpr const char* kAbout =
    "Lakehouse tables in the open DuckLake format: Parquet files, and their metadata in SQLite, "
    "DuckDB or PostgreSQL.";

constexpr const char* kUsage =
    "  tarn                          a SQL shell in memory\n"
    "  tarn LAKE                     a SQL shell on a lake; made when it is not there\n"
    "  tarn LAKE -c SQL -f FILE -    run SQL, a file, standard input, in this order, and end\n"
    "  tarn tables LAKE              what a lake holds; also: snapshots, info, check\n"
    "  tarn import LAKE PATH…        CSV, JSON and Parquet files into tables\n"
    "  tarn copy LAKE TO LAKE        the whole lake in another catalog\n"
    "  tarn checkpoint LAKE          upkeep; also each step alone, and keep for all the time\n"
    "  tarn restore LAKE --to N      go back to an older snapshot; undrop for one dropped table\n";

constexpr const char* kFooter =
    "\nLAKE is the path of the catalog, or a connection string: sqlite:FILE, duckdb:FILE,\n"
    "'postgres:dbname=…', ducklake:… An existing file is known by its content. A new path becomes "
    "a\n"
    "SQLite catalog (a DuckDB file if it ends in .ducklake or .duckdb), with its Parquet files in\n"
    "LAKE.files/ beside it. The lake is attached as \"lake\" and is the default database.\n"
    "\n"
    "Exit codes: 0 all went well, 1 a statement failed, 2 the command was called wrongly or the "
    "lake\n"
    "could not be opened.";

constexpr const char* kCheckFooter =
    "\nExit codes: 0 the lake is whole (now), 1 it is not, 2 it could not be checked or repaired.";

/// Shows how the command is called by examples rather than by a grammar.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (app->get_parent() == nullptr) return "\n" + std::string(kUsage);
    const auto* paths = app->get_name() == "import" ? " PATH…"
                        : app->get_name() == "copy" ? " TO LAKE"
                                                    : "";
    return "Usage: " + name + " LAKE" + paths + " [OPTIONS]\n";
  }
};

void AddOpenOptions(CLI::App& app, LakeArguments& lake) {
  const std::string group = "Opening the lake";
  app.add_option(
         "--data-path", lake.data_path,
         "Folder of the Parquet files; for a new lake, or to be compared with the stored one")
      ->type_name("FOLDER")
      ->group(group);
  app.add_flag("--override-data-path", lake.override_data_path,
               "Use --data-path though the lake has another one stored")
      ->group(group);
  app.add_option("--metadata-schema", lake.metadata_schema,
                 "Schema of the catalog's tables in its database")
      ->type_name("SCHEMA")
      ->group(group);
}

void AddSnapshotOptions(CLI::App& app, LakeArguments& lake) {
  const std::string group = "Opening the lake";
  app.add_option("--snapshot", lake.snapshot, "The lake as it was at a snapshot; read-only")
      ->type_name("N")
      ->check(CLI::Validator(
          [](const std::string& value) {
            const bool is_id = value.find_first_not_of("0123456789") == std::string::npos;
            return is_id ? std::string() : fmt::format("\"{}\" is no snapshot id", value);
          },
          ""))
      ->group(group);
  app.add_option("--at", lake.at_time,
                 "The lake as it was at a time, such as '2026-01-31 12:00'; read-only")
      ->type_name("TIME")
      ->group(group);
}

void AddResourceOptions(CLI::App& app, LakeArguments& lake) {
  const std::string group = "Resources";
  const auto setting = [&lake](const char* name) {
    return [&lake, name](const std::string& value) { lake.settings.emplace_back(name, value); };
  };
  app.add_option_function<std::string>("--memory-limit", setting("memory_limit"),
                                       "Most memory to use, such as 4GB")
      ->type_name("SIZE")
      ->group(group);
  app.add_option_function<std::string>("--threads", setting("threads"), "Most threads to use")
      ->type_name("N")
      ->check(CLI::Validator(
          [](const std::string& value) {
            const bool is_count = value.find_first_not_of("0123456789") == std::string::npos &&
                                  value.find_first_not_of('0') != std::string::npos;
            return is_count ? std::string() : fmt::format("\"{}\" is no number from 1", value);
          },
          ""))
      ->group(group);
}

void AddImport(CLI::App& app, Arguments& arguments) {
  auto& import = arguments.import;
  auto* command = AddSubcommand(app, arguments, Action::kImport, "import",
                                "Make tables of CSV, JSON and Parquet files, or add to them");
  command
      ->add_option(
          "PATH", import.paths,
          "Files, patterns, folders; each file is a table of its name, a folder is one table")
      ->required()
      ->expected(1, -1)
      ->type_name(" ");
  const std::string group = "Import";
  command->add_option("--table", import.table, "All files go into this table")
      ->type_name("NAME")
      ->group(group);
  command->add_option("--schema", import.schema, "Schema of the tables; made when it is not there")
      ->type_name("NAME")
      ->group(group);
  command
      ->add_option_function<std::string>(
          "--format",
          [&import](const std::string& name) {
            import.format = ParseImportFormat(name);
            if (!import.format) {
              throw CLI::ValidationError(
                  fmt::format("There is no format \"{}\"; there are csv, json and parquet.", name));
            }
          },
          "What the files are: csv, json, parquet; else their names say so")
      ->type_name("FORMAT")
      ->group(group);
  command->add_flag("--append", import.append, "Add rows to tables that are there")->group(group);
  command->add_flag("--dry-run", import.dry_run, "Show what would be done, and do nothing")
      ->group(group);
  AddOutputOptions(*command, arguments);
}

/// Reads what the main command's positional arguments, -c and -f say, in their order.
void ReadScripts(const CLI::App& app, Arguments& arguments) {
  std::map<const CLI::Option*, size_t> seen;
  for (const CLI::Option* option : app.parse_order()) {
    const auto name = option->get_name();
    const bool is_positional = option->get_positional();
    if (!is_positional && name != "--command" && name != "--file") continue;
    const auto& results = option->results();
    if (seen[option] >= results.size()) continue;
    const auto& text = results[seen[option]++];
    if (text == "-" && (is_positional || name == "--file")) {
      arguments.scripts.push_back({Script::Kind::kStandardInput, {}});
    } else if (!is_positional) {
      arguments.scripts.push_back(
          {name == "--file" ? Script::Kind::kFile : Script::Kind::kCommand, text});
    } else if (arguments.lake.lake.empty() && !text.empty()) {
      arguments.lake.lake = text;
    } else if (text.empty()) {
      throw CLI::ValidationError("The LAKE is an empty text; leave it out for a shell in memory.");
    } else {
      throw CLI::ExtrasError({text});
    }
  }
}

/// Nothing runs while a file that is to run later is missing.
void RequireFiles(const std::vector<Script>& scripts) {
  for (const auto& script : scripts) {
    if (script.kind == Script::Kind::kFile && ::access(script.text.c_str(), R_OK) != 0) {
      throw CLI::ValidationError(
          fmt::format("The file \"{}\" cannot be read: {}", script.text, std::strerror(errno)));
    }
  }
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

int ReportMisuse(const CLI::ParseError& error) {
  std::string message = error.what();
  if (!message.empty() && message.back() != '.') message += '.';
  PrintError(message + " See `tarn --help`.");
  return kExitUsage;
}

}  // namespace

/// The last mode given wins.
void AddOutputOptions(CLI::App& app, Arguments& arguments) {
  const auto set = [&arguments](OutputMode mode) {
    return [&arguments, mode](int64_t) { arguments.mode = mode; };
  };
  const std::string group = "Output";
  app.add_option_function<std::string>(
         "--mode,-m",
         [&arguments](const std::string& name) {
           const auto mode = ParseOutputMode(name);
           if (!mode) {
             throw CLI::ValidationError(fmt::format("There is no output mode \"{}\"; there are {}.",
                                                    name, kOutputModeNames));
           }
           arguments.mode = *mode;
         },
         fmt::format("How results are printed: {}", kOutputModeNames))
      ->type_name("MODE")
      ->trigger_on_parse()
      ->group(group);
  app.add_flag_function("--csv", set(OutputMode::kCsv), "Results as CSV with a header")
      ->trigger_on_parse()
      ->group(group);
  app.add_flag_function("--json", set(OutputMode::kJson), "Results as JSON, an array per result")
      ->trigger_on_parse()
      ->group(group);
  app.add_flag_function("--jsonl", set(OutputMode::kJsonLines), "Results as JSON, a line per row")
      ->trigger_on_parse()
      ->group(group);
  app.add_flag_function("--markdown", set(OutputMode::kMarkdown), "Results as Markdown tables")
      ->trigger_on_parse()
      ->group(group);
}

CLI::App* AddSubcommand(CLI::App& app, Arguments& arguments, Action action, const std::string& name,
                        const std::string& description) {
  auto* command = app.add_subcommand(name, description);
  const bool makes_lakes = action == Action::kImport;
  command
      ->add_option("LAKE", arguments.lake.lake,
                   makes_lakes ? "Path or connection string of a lake; made when it is not there"
                               : "Path or connection string of a lake that exists")
      ->required()
      ->type_name(" ");
  command->footer(action == Action::kCheck ? kCheckFooter : " ");
  command->callback([&arguments, action] { arguments.action = action; });
  AddOpenOptions(*command, arguments.lake);
  AddResourceOptions(*command, arguments.lake);
  return command;
}

std::variant<Arguments, int> ParseCommandLine(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(kAbout, "tarn");
  app.footer(kFooter);
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version,-V", fmt::format("tarn {} (DuckLake format 1.0, DuckDB {})",
                                                   TARN_VERSION, engine::DatabaseVersion()));
  app.require_subcommand(0, 1);

  std::vector<std::string> positional;
  app.add_option("LAKE", positional, "The lake; `-` stands for SQL from standard input")
      ->expected(0, -1)
      ->type_name(" ");
  std::vector<std::string> commands, files;
  app.add_option("--command,-c", commands, "Run SQL and end; may be given several times")
      ->type_name("SQL")
      ->allow_extra_args(false);
  app.add_option("--file,-f", files, "Run the SQL of a file and end; may be given several times")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_flag("--timer", arguments.timer, "Tell how long each statement took");
  AddOutputOptions(app, arguments);
  app.add_flag("--read-only,-r", arguments.lake.read_only, "Change nothing, and make no new lake")
      ->group("Opening the lake");
  AddOpenOptions(app, arguments.lake);
  AddSnapshotOptions(app, arguments.lake);
  AddResourceOptions(app, arguments.lake);

  auto* snapshots = AddSubcommand(app, arguments, Action::kSnapshots, "snapshots",
                                  "List the snapshots of a lake");
  AddOutputOptions(*snapshots, arguments);
  for (auto [action, name, description] :
       {std::tuple{Action::kTables, "tables",
                   "List the tables of a lake, with rows, files and sizes"},
        std::tuple{Action::kInfo, "info", "Tell what a lake is and how much it holds"}}) {
    auto* command = AddSubcommand(app, arguments, action, name, description);
    AddOutputOptions(*command, arguments);
    AddSnapshotOptions(*command, arguments.lake);
  }
  auto* check =
      AddSubcommand(app, arguments, Action::kCheck, "check", "Prove that a lake is whole");
  check->add_flag("--deep", arguments.deep,
                  "Open each file and compare what is in it with what the catalog says");
  auto* repair = check->add_flag("--repair", arguments.repair,
                                 "Repair what can be repaired without guessing, and check again");
  check
      ->add_flag("--dry-run", arguments.upkeep.dry_run,
                 "With --repair: only tell what would be done")
      ->needs(repair);
  AddCopyCommand(app, arguments);
  AddUpkeepCommands(app, arguments);

  AddImport(app, arguments);

  if (argc > 1 && std::string_view(argv[1]) == "help") {
    const auto names = CommandNames(app);
    const bool is_known = argc > 2 && std::find(names.begin(), names.end(), argv[2]) != names.end();
    CLI::App* command = is_known ? app.get_subcommand(argv[2]) : nullptr;
    WriteOut(command ? command->help("tarn") : app.help());
    return kExitOk;
  }
  if (const auto misuse = ExplainMisuse({argv + 1, argv + argc}, CommandNames(app))) {
    PrintError(*misuse);
    return kExitUsage;
  }

  try {
    app.parse(argc, argv);
    if (arguments.action == Action::kShell) ReadScripts(app, arguments);
    if (arguments.lake.snapshot && !arguments.lake.at_time.empty()) {
      throw CLI::ValidationError("--snapshot and --at both say which snapshot; give one of them");
    }
    RequireFiles(arguments.scripts);
  } catch (const CLI::CallForHelp&) {
    WriteOut(app.help());
    return kExitOk;
  } catch (const CLI::CallForVersion& version) {
    WriteOut(std::string(version.what()) + "\n");
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    return ReportMisuse(error);
  }
  return arguments;
}

}  // namespace tarn::shell
