// The command line of upkeep, told to CLI11. See upkeep.h for what it does.
#include <charconv>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "shell/subcommand_options.h"

namespace tarn::shell {
namespace {

constexpr const char* kByPosition = "";

/// Options become parameters of the function, in the order in which they are given.
class UpkeepOptions {
 public:
  UpkeepOptions(CLI::App& app, Arguments& arguments, const char* name, const char* description,
                const char* function)
      : command_(*AddSubcommand(app, arguments, Action::kUpkeep, name, description)),
        call_(arguments.upkeep) {
    command_.callback([&arguments, function] {
      arguments.action = Action::kUpkeep;
      arguments.upkeep.function = function;
    });
    AddOutputOptions(command_, arguments);
    command_.add_flag("--dry-run", call_.dry_run, "Tell what would be done, and do nothing");
  }

  CLI::Option* Add(const char* option, const char* parameter, const char* type,
                   const char* type_name, const char* description) {
    return command_
        .add_option_function<std::string>(
            option,
            [this_call = &call_, parameter, type](const std::string& value) {
              this_call->parameters.push_back({parameter, type, value});
            },
            description)
        ->type_name(type_name);
  }

  void AddScope(const char* table_parameter, const char* schema_parameter) {
    Add("--table", table_parameter, "VARCHAR", "TABLE", "Only this table");
    Add("--schema", schema_parameter, "VARCHAR", "SCHEMA",
        "Only this schema; with --table, where it is");
  }

  CLI::Option* AddSize(const char* option, const char* parameter, const char* description) {
    return Add(option, parameter, "UBIGINT", "SIZE", description)
        ->transform(CLI::AsSizeValue(true));
  }

  /// Refuses a call without any of these options, with a sentence.
  void RequireOne(std::vector<const char*> names, const char* sentence) {
    command_.parse_complete_callback([this_command = &command_, names, sentence] {
      for (const char* name : names) {
        if (this_command->count(name) > 0) return;
      }
      throw CLI::ValidationError(sentence);
    });
  }

  CLI::App& command() { return command_; }

 private:
  CLI::App& command_;
  UpkeepCall& call_;
};

/// "3,7..9" as a list of SQL; throws for anything else.
std::string ReadVersions(const std::string& text) {
  constexpr int64_t kMost = 1'000'000;
  std::string list;
  const auto refuse = [&]() -> CLI::ValidationError {
    return CLI::ValidationError(
        fmt::format("\"{}\" is no list of snapshots, such as 3,7..9", text));
  };
  for (const auto& part : CLI::detail::split(text, ',')) {
    const auto dots = part.find("..");
    const auto read = [&](const std::string& number) {
      int64_t value = 0;
      const auto [end, error] =
          std::from_chars(number.data(), number.data() + number.size(), value);
      if (error != std::errc() || end != number.data() + number.size() || value < 0) throw refuse();
      return value;
    };
    const int64_t first = read(part.substr(0, dots));
    const int64_t last = dots == std::string::npos ? first : read(part.substr(dots + 2));
    if (last < first || last - first >= kMost) throw refuse();
    for (int64_t version = first; version <= last; ++version)
      list += fmt::format("{}{}", list.empty() ? "" : ",", version);
  }
  return "[" + list + "]";
}

/// "90", "90s", "10m", "2h": seconds.
std::chrono::seconds ReadDuration(const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const int64_t factor = unit.empty() || unit == "s" ? 1
                         : unit == "m"               ? 60
                         : unit == "h"               ? 3600
                         : unit == "d"               ? 86400
                                                     : 0;
  if (error != std::errc() || factor == 0 || number < 1 || number > 1'000'000) {
    throw CLI::ValidationError(
        fmt::format("\"{}\" is no duration, such as 90s, 10m, 2h or 1d", text));
  }
  return std::chrono::seconds(number * factor);
}

void AddRemoval(CLI::App& app, Arguments& arguments, const char* name, const char* description,
                const char* function) {
  UpkeepOptions options(app, arguments, name, description, function);
  auto* age = options.Add("--older-than", "older_than", "TIMESTAMPTZ", "WHEN",
                          "Only files from before a time, or older than an age such as '7 days' "
                          "(default: the lake's delete_older_than, or 2 days)");
  options.command()
      .add_flag_function(
          "--all",
          [&arguments](int64_t) {
            arguments.upkeep.parameters.push_back({"cleanup_all", "BOOLEAN", "true"});
          },
          "All files, however new")
      ->excludes(age);
}

void AddVersion(UpkeepOptions& options, const char* description) {
  auto* version = options.Add("--to", "version", "BIGINT", "N", description);
  options
      .Add("--to-time", "snapshot_time", "TIMESTAMPTZ", "WHEN",
           "The last snapshot up to a time, or up to an age such as '2 hours'")
      ->excludes(version);
}

/// Going back is no upkeep, but is called in the same way.
void AddRestores(CLI::App& app, Arguments& arguments) {
  UpkeepOptions restore(app, arguments, "restore", "Go back to an older snapshot, as a new one",
                        "restore");
  AddVersion(restore, "The snapshot to go back to");
  restore.Add("--table", kByPosition, "VARCHAR", "TABLE", "Only this table");
  restore.Add("--schema", "schema", "VARCHAR", "SCHEMA", "Where the table is (default: main)");
  restore.RequireOne({"--to", "--to-time"},
                     "tarn restore needs --to N, the snapshot to go back to, or --to-time WHEN; "
                     "`tarn snapshots LAKE` lists them");
  UpkeepOptions undrop(app, arguments, "undrop", "Bring a dropped table back", "undrop");
  AddVersion(undrop, "A snapshot that has it; else the last one that does");
  undrop.Add("--table", kByPosition, "VARCHAR", "TABLE", "The table")->required();
  undrop.Add("--schema", "schema", "VARCHAR", "SCHEMA", "Where it was (default: main)");
}

}  // namespace

void AddUpkeepCommands(CLI::App& app, Arguments& arguments) {
  UpkeepOptions flush(app, arguments, "flush", "Move rows of the catalog into files",
                      "flush_inlined_data");
  flush.AddScope("table_name", "schema_name");

  UpkeepOptions merge(app, arguments, "merge", "Merge small files into larger ones",
                      "merge_adjacent_files");
  merge.AddScope(kByPosition, "schema");
  merge.AddSize("--min-file-size", "min_file_size", "Leave smaller files alone");
  merge.AddSize("--max-file-size", "max_file_size", "Leave larger files alone");
  merge.Add("--max-files", "max_compacted_files", "UBIGINT", "N", "Make at most so many files");

  UpkeepOptions rewrite(app, arguments, "rewrite", "Write files without their deleted rows",
                        "rewrite_data_files");
  rewrite.AddScope(kByPosition, "schema");
  rewrite.Add("--delete-threshold", "delete_threshold", "DOUBLE", "PART",
              "Only files of which at least this part is deleted, from 0 to 1");

  UpkeepOptions expire(app, arguments, "expire", "Forget old snapshots", "expire_snapshots");
  auto* age = expire.Add("--older-than", "older_than", "TIMESTAMPTZ", "WHEN",
                         "Those from before a time, or older than an age such as '30 days' "
                         "(default: the lake's expire_older_than; without it, none)");
  expire.Add("--versions", "versions", "UBIGINT[]", "LIST", "Those of a list, such as 3,7..9")
      ->transform(CLI::Validator(
          [](std::string& value) {
            value = ReadVersions(value);
            return std::string();
          },
          ""))
      ->excludes(age);

  AddRemoval(app, arguments, "cleanup", "Remove files that no snapshot needs any more",
             "cleanup_old_files");
  AddRemoval(app, arguments, "orphans", "Remove files that the catalog does not know",
             "delete_orphaned_files");

  AddRestores(app, arguments);

  auto* checkpoint = AddSubcommand(app, arguments, Action::kCheckpoint, "checkpoint",
                                   "Flush, expire, merge, rewrite, clean up, remove orphans: all "
                                   "of it, as CHECKPOINT does");
  AddOutputOptions(*checkpoint, arguments);
  checkpoint->add_flag("--dry-run", arguments.upkeep.dry_run,
                       "Tell what would be done, and do nothing");

  auto* keep = AddSubcommand(app, arguments, Action::kKeep, "keep",
                             "What checkpoint does, again and again until it is stopped");
  const auto duration = [](std::chrono::seconds& into) {
    return [&into](const std::string& text) { into = ReadDuration(text); };
  };
  keep->add_option_function<std::string>("--every", duration(arguments.keep.interval),
                                         "Pause between two rounds (default: 10m)")
      ->type_name("DURATION");
  keep->add_option_function<std::string>("--budget", duration(arguments.keep.budget),
                                         "Begin nothing more in a round after this time")
      ->type_name("DURATION");
  keep->add_flag("--once", arguments.keep.once, "One round, and end");
}

}  // namespace tarn::shell
