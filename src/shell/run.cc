// Puts the parts together. See run.h.
#include "shell/run.h"

#include <unistd.h>

#include <csignal>
#include <memory>

#include <fmt/format.h>

#include "base/text.h"
#include "shell/command_line.h"
#include "shell/exit_codes.h"
#include "shell/interactive.h"
#include "shell/interrupts.h"
#include "shell/lake_argument.h"
#include "shell/lake_folder.h"
#include "shell/misuse.h"
#include "shell/shell.h"
#include "shell/subcommands.h"
#include "shell/terminal.h"
#include "shell/upkeep.h"
#include "store/connection_string.h"
#include "tarn/error.h"
#include "tarn/transaction.h"

namespace tarn::shell {
namespace {

std::unique_ptr<engine::Session> OpenSession(const LakeArguments& arguments) {
  return engine::Session::Open({arguments.settings});
}

void AttachLake(engine::Session& session, const LakeArguments& arguments, bool must_exist) {
  if (arguments.lake.empty()) return;
  const auto request = ResolveLake(arguments, must_exist);
  const Interrupts::Running running;
  try {
    session.Attach(request);
  } catch (const Error& error) {
    // The one thing that can be absent, unless a snapshot was asked for.
    const bool is_pinned = arguments.snapshot || !arguments.at_time.empty();
    if (error.code() != ErrorCode::kNotFound || is_pinned) throw;
    const auto schema = arguments.metadata_schema.empty()
                            ? std::string()
                            : " --metadata-schema " + ShellWord(arguments.metadata_schema);
    throw Error(ErrorCode::kNotFound,
                fmt::format("There is a database at {}, but no lake in it. To make one there, run: "
                            "tarn {}{} --data-path FOLDER",
                            QuoteIdentifier(WithoutPasswords(arguments.lake)),
                            ShellWord(WithoutPasswords(request.path)), schema));
  }
  if (!must_exist) WarnOfSharedFolder(*session.FindLake(kLakeName));
}

/// The database's own words would be about a SELECT that nobody has typed.
void RequireWritable(engine::Session& session) {
  const auto lake = session.FindLake(kLakeName);
  if (lake->read_only()) throw Error(ErrorCode::kInvalid, DescribeReadOnly(*lake));
}

int ExitCode(Shell::Outcome outcome) {
  switch (outcome) {
    case Shell::Outcome::kFailed:
      return kExitFailed;
    case Shell::Outcome::kCancelled:
      return kExitInterrupted;
    case Shell::Outcome::kDone:
    case Shell::Outcome::kQuit:
      break;
  }
  return kExitOk;
}

Shell::Outcome RunScript(Shell& shell, const Script& script) {
  try {
    switch (script.kind) {
      case Script::Kind::kCommand:
        return shell.RunAll(LineSource::Text(script.text));
      case Script::Kind::kFile:
        return shell.RunAll(LineSource::File(script.text));
      case Script::Kind::kStandardInput:
        return shell.RunAll(LineSource::StandardInput());
    }
  } catch (const Error& error) {
    PrintError(error.message());
  }
  return Shell::Outcome::kFailed;
}

int RunShell(engine::Session& session, const Arguments& arguments) {
  auto scripts = arguments.scripts;
  const bool interactive = scripts.empty() && IsTerminal(STDIN_FILENO);
  Shell shell(session, {arguments.mode, arguments.timer, interactive});
  int code = kExitOk;
  if (interactive) {
    code = RunInteractive(shell, !arguments.lake.lake.empty());
  } else {
    if (scripts.empty()) scripts.push_back({Script::Kind::kStandardInput, {}});
    auto outcome = Shell::Outcome::kDone;
    for (const auto& script : scripts) {
      outcome = RunScript(shell, script);
      if (outcome != Shell::Outcome::kDone) break;
    }
    code = ExitCode(outcome);
  }
  if (session.in_transaction() && code == kExitOk) {
    WriteErr("The transaction was still open: what it did is rolled back.\n");
  }
  return code;
}

bool OnlyLooks(const Arguments& arguments) {
  switch (arguments.action) {
    case Action::kShell:
    case Action::kImport:
    case Action::kKeep:
      return false;
    case Action::kUpkeep:
    case Action::kCheckpoint:
      return arguments.upkeep.dry_run;
    case Action::kCheck:
      return !arguments.repair || arguments.upkeep.dry_run;
    default:
      return true;
  }
}

int RunSubcommand(engine::Session& session, const Arguments& arguments) {
  const Interrupts::Running running;
  ShowProgress(session);
  try {
    if (!OnlyLooks(arguments)) RequireWritable(session);
    switch (arguments.action) {
      case Action::kSnapshots:
        PrintSnapshots(session, arguments);
        break;
      case Action::kTables:
        PrintTables(session, arguments);
        break;
      case Action::kInfo:
        PrintInfo(session, arguments);
        break;
      case Action::kCheck:
        return Check(session, arguments);
      case Action::kUpkeep:
        RunUpkeep(session, arguments);
        break;
      case Action::kCheckpoint:
        RunCheckpoint(session, arguments);
        break;
      case Action::kKeep:
        return Keep(session, arguments);
      case Action::kCopy:
        RunCopy(session, arguments);
        break;
      case Action::kImport:
      case Action::kShell:
        break;
    }
    return kExitOk;
  } catch (const Error& error) {
    // The SQL was none of the user's.
    PrintError(error.message().substr(0, error.message().find("\n\nLINE ")));
    if (error.code() == ErrorCode::kInterrupted) return kExitInterrupted;
    return arguments.action == Action::kCheck ? kExitUsage : kExitFailed;
  }
}

/// What an import that failed late leaves where there was no lake before. (Removing the catalog
/// would not do: somebody may have opened it meanwhile.)
void TellOfEmptyLake(engine::Session& session) {
  try {
    const auto lake = session.FindLake(kLakeName);
    if (lake == nullptr || lake->Begin({})->base().id.value != 0) return;
    WriteErr("The lake is there now, and has nothing in it: the import can be run again.\n");
  } catch (const Error&) {
    return;  // then the import's own error says enough
  }
}

/// Files are looked at first: a misspelt one makes no lake.
int RunImportCommand(engine::Session& session, Arguments& arguments) {
  int code = kExitUsage;
  bool has_lake = true, imports = false;
  const Interrupts::Running running;
  try {
    auto plan = PlanImport(session, arguments.import);
    code = kExitFailed;
    InferColumns(session, plan);
    code = kExitUsage;
    const bool is_dry = arguments.import.dry_run;
    arguments.lake.read_only = is_dry;
    try {
      AttachLake(session, arguments.lake, is_dry);
    } catch (const Error& error) {
      if (!is_dry || error.code() != ErrorCode::kNotFound) throw;
      has_lake = false;
    }
    code = kExitFailed;
    if (is_dry) {
      PrintImport(session, arguments, plan, has_lake);
    } else {
      RequireWritable(session);
      ShowProgress(session);
      imports = true;
      RunImport(session, arguments, plan);
    }
    return kExitOk;
  } catch (const Error& error) {
    PrintError(error.message());
    if (imports) TellOfEmptyLake(session);
    return error.code() == ErrorCode::kInterrupted ? kExitInterrupted : code;
  }
}

int RunArguments(Arguments& arguments) {
  const bool is_shell = arguments.action == Action::kShell;
  const bool is_import = arguments.action == Action::kImport;
  // What only looks works on a lake that cannot be written.
  if (OnlyLooks(arguments)) arguments.lake.read_only = true;
  std::unique_ptr<engine::Session> session;
  std::unique_ptr<Interrupts> interrupts;
  try {
    session = OpenSession(arguments.lake);
    interrupts = std::make_unique<Interrupts>(*session);
    if (!is_import) AttachLake(*session, arguments.lake, !is_shell);
  } catch (const Error& error) {
    PrintError(error.message());
    return error.code() == ErrorCode::kInterrupted ? kExitInterrupted : kExitUsage;
  }
  if (is_import) return RunImportCommand(*session, arguments);
  return is_shell ? RunShell(*session, arguments) : RunSubcommand(*session, arguments);
}

}  // namespace

int Run(int argc, char** argv) {
  // A reader that goes away is told by the failing write, so that open transactions roll back in
  // order.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    auto parsed = ParseCommandLine(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    return RunArguments(std::get<Arguments>(parsed));
  } catch (const OutputClosed&) {
    return kExitOutputClosed;
  } catch (const Error& error) {
    PrintError(error.message());
    return kExitFailed;
  }
}

}  // namespace tarn::shell
