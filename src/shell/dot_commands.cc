// The shell's own commands: lines that start with a dot.
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "shell/interrupts.h"
#include "shell/shell.h"
#include "shell/terminal.h"
#include "tarn/error.h"

namespace tarn::shell {
namespace {

using Words = std::vector<std::string>;
using Outcome = Shell::Outcome;

/// Words stand between spaces; quotes of either kind hold one together.
Words SplitWords(std::string_view line) {
  Words words;
  size_t i = 0;
  while (true) {
    i = line.find_first_not_of(" \t\r\n", i);
    if (i == std::string_view::npos) return words;
    const bool is_quoted = line[i] == '\'' || line[i] == '"';
    const size_t start = is_quoted ? i + 1 : i;
    const size_t end = is_quoted ? line.find(line[i], start) : line.find_first_of(" \t\r\n", start);
    words.emplace_back(line.substr(start, end == std::string_view::npos ? end : end - start));
    if (end == std::string_view::npos) return words;
    i = end + 1;
  }
}

/// Runs a listing; each is a query like any other, so Ctrl-C and errors are those of statements.
Outcome Query(Shell& shell, const char* sql, const std::vector<engine::SessionValue>& parameters,
              const engine::Session::Show& show) {
  const Interrupts::Running running;
  try {
    shell.session().Run(sql, parameters, show);
  } catch (const Error& error) {
    PrintError(error.message());
    return error.code() == ErrorCode::kInterrupted ? Outcome::kCancelled : Outcome::kFailed;
  }
  return Outcome::kDone;
}

/// What users write: `*` as in file names, or `%` as in LIKE.
std::string ToLikePattern(const Words& words) {
  if (words.size() < 2) return "%";
  auto pattern = words[1];
  for (auto& c : pattern) {
    if (c == '*') c = '%';
  }
  return pattern;
}

constexpr const char* kTables = R"(
  SELECT schema, name, kind FROM (
    SELECT database_name AS db, schema_name AS schema, table_name AS name, 'table' AS kind FROM duckdb_tables() WHERE NOT internal
    UNION ALL
    SELECT database_name, schema_name, view_name, 'view' FROM duckdb_views() WHERE NOT internal)
  WHERE (db = current_database() OR db = 'temp') AND name ILIKE $1
  ORDER BY ALL)";

constexpr const char* kDefinitions = R"(
  SELECT sql FROM (
    SELECT database_name AS db, schema_name AS schema, table_name AS name, sql FROM duckdb_tables() WHERE NOT internal
    UNION ALL
    SELECT database_name, schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal)
  WHERE (db = current_database() OR db = 'temp') AND name ILIKE $1
  ORDER BY schema, name)";

Outcome Tables(Shell& shell, const Words& words) {
  return Query(shell, kTables, {ToLikePattern(words)},
               [&](engine::SessionResult& result) { shell.printer().Print(result); });
}

Outcome Schema(Shell& shell, const Words& words) {
  bool is_empty = true;
  const auto outcome =
      Query(shell, kDefinitions, {ToLikePattern(words)}, [&](engine::SessionResult& result) {
        while (result.Next()) {
          is_empty = false;
          std::string text(TrimSpace(result.Text(0).value_or("")));
          if (text.empty() || text.back() != ';') text += ';';
          WriteOut(text + "\n");
        }
      });
  if (outcome != Outcome::kDone || !is_empty || words.size() < 2) return outcome;
  PrintError(fmt::format("There is no table and no view {} here; .tables lists what there is.",
                         QuoteIdentifier(words[1])));
  return Outcome::kFailed;
}

Outcome Mode(Shell& shell, const Words& words) {
  if (words.size() < 2) {
    WriteOut(fmt::format("{}\n", OutputModeName(shell.printer().mode())));
    return Outcome::kDone;
  }
  const auto mode = ParseOutputMode(AsciiLower(words[1]));
  if (!mode) {
    PrintError(
        fmt::format("There is no output mode \"{}\"; there are {}.", words[1], kOutputModeNames));
    return Outcome::kFailed;
  }
  shell.printer().set_mode(*mode);
  return Outcome::kDone;
}

Outcome Timer(Shell& shell, const Words& words) {
  const auto word = words.size() < 2 ? (shell.timer() ? "off" : "on") : AsciiLower(words[1]);
  if (word != "on" && word != "off") {
    PrintError("The timer is either on or off: .timer on");
    return Outcome::kFailed;
  }
  shell.set_timer(word == "on");
  return Outcome::kDone;
}

Outcome Read(Shell& shell, const Words& words) {
  if (words.size() < 2) {
    PrintError("Say which file to read: .read FILE");
    return Outcome::kFailed;
  }
  try {
    return shell.ReadFile(words[1]);
  } catch (const Error& error) {
    PrintError(error.message());
    return Outcome::kFailed;
  }
}

Outcome Help(Shell& shell, const Words& words);
Outcome Quit(Shell&, const Words&) { return Outcome::kQuit; }

struct DotCommand {
  const char* name;
  const char* arguments;
  const char* help;
  Outcome (*run)(Shell&, const Words&);
};

constexpr std::array kCommands = {
    DotCommand{".tables", "[PATTERN]", "list tables and views, such as .tables fl*", Tables},
    DotCommand{".schema", "[TABLE]", "show how tables and views were made", Schema},
    DotCommand{".mode", "[MODE]", "print results as box, csv, json, jsonl or markdown", Mode},
    DotCommand{".timer", "[on|off]", "tell how long each statement took", Timer},
    DotCommand{".read", "FILE", "run the statements of a file", Read},
    DotCommand{".help", "", "show this", Help},
    DotCommand{".quit", "", "leave; so do .exit and Ctrl-D", Quit},
};

Outcome Help(Shell&, const Words&) {
  std::string text =
      "SQL statements end with a semicolon and may take several lines. Ctrl-C cancels.\n";
  for (const auto& command : kCommands) {
    text += fmt::format("  {:<20} {}\n", fmt::format("{} {}", command.name, command.arguments),
                        command.help);
  }
  WriteOut(text);
  return Outcome::kDone;
}

}  // namespace

std::vector<std::string> DotCommandNames() {
  std::vector<std::string> names{".exit"};
  for (const auto& command : kCommands) names.emplace_back(command.name);
  return names;
}

Shell::Outcome Shell::RunDotCommand(std::string_view line) {
  // A semicolon at the end is habit.
  auto text = TrimSpace(line);
  while (!text.empty() && text.back() == ';') text = TrimSpace(text.substr(0, text.size() - 1));
  auto words = SplitWords(text);
  auto name = words.empty() ? std::string(".") : AsciiLower(words[0]);
  if (name == ".exit") name = ".quit";
  for (const auto& command : kCommands) {
    if (name == command.name) return command.run(*this, words);
  }
  PrintError(fmt::format("There is no command {}; .help lists those that there are.",
                         QuoteIdentifier(name)));
  return Outcome::kFailed;
}

}  // namespace tarn::shell
