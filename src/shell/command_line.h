// What the command was called with.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "shell/printer.h"

namespace tarn::shell {

/// Which lake, and how it is opened.
struct LakeArguments {
  std::string lake;  ///< as given; empty: none
  std::string data_path;
  bool override_data_path = false;
  bool read_only = false;
  std::string metadata_schema;
  std::optional<int64_t> snapshot;
  std::string at_time;
  std::vector<std::pair<std::string, std::string>> settings;
};

/// Something to run, in the order in which all were given.
struct Script {
  enum class Kind { kCommand, kFile, kStandardInput };
  Kind kind;
  std::string text;  ///< SQL, or a path
};

enum class Action {
  kShell,
  kSnapshots,
  kTables,
  kInfo,
  kCheck,
  kImport,
  kUpkeep,
  kCheckpoint,
  kKeep,
  kCopy
};

enum class ImportFormat { kCsv, kJson, kParquet };

/// What `tarn import` was told beside the lake.
struct ImportArguments {
  std::vector<std::string> paths;
  std::string table;  ///< empty: each file's own name
  std::string schema = "main";
  std::optional<ImportFormat> format;  ///< none: as each file's name says
  bool append = false;
  bool dry_run = false;
};

/// One call of a function of the lake that keeps it healthy.
struct UpkeepCall {
  std::string function;  ///< such as "expire_snapshots"
  /// As given on the command line, with the type that SQL reads them as; TIMESTAMPTZ may be an age,
  /// too. One without a name is the argument after the lake.
  struct Parameter {
    std::string name, type, value;
  };
  std::vector<Parameter> parameters;
  bool dry_run = false;
};

/// What a keeper does.
struct KeepArguments {
  std::chrono::seconds interval =
      std::chrono::minutes(10);                           ///< from the end of a round to the next
  std::chrono::seconds budget = std::chrono::seconds(0);  ///< begins nothing after it; 0: none
  bool once = false;
};

/// Where a copy goes.
struct CopyArguments {
  std::vector<std::string> target;  ///< a lake, maybe behind the word "to"
  std::string metadata_schema;      ///< of the target
  std::string data_path;            ///< empty: files are not copied
  bool dry_run = false;
};

struct Arguments {
  Action action = Action::kShell;
  LakeArguments lake;
  OutputMode mode = OutputMode::kBox;
  bool timer = false;
  bool deep = false;    ///< of check
  bool repair = false;  ///< of check; with upkeep.dry_run it only tells
  ImportArguments import;
  UpkeepCall upkeep;  ///< of kUpkeep; its dry_run also of kCheckpoint
  KeepArguments keep;
  CopyArguments copy;
  std::vector<Script> scripts;
};

/// The arguments, or how the command ends right away: after --help, --version, or a misuse, all of
/// which are printed here.
std::variant<Arguments, int> ParseCommandLine(int argc, char** argv);

}  // namespace tarn::shell
