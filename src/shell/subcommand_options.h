// Parts that the command line of several subcommands is put together from.
#pragma once

#include <string>

#include "shell/command_line.h"

namespace CLI {
class App;
}

namespace tarn::shell {

/// --mode and its short forms.
void AddOutputOptions(CLI::App& app, Arguments& arguments);

/// A subcommand about a lake that exists, with the options that say which and how it is opened.
CLI::App* AddSubcommand(CLI::App& app, Arguments& arguments, Action action, const std::string& name,
                        const std::string& description);

void AddCopyCommand(CLI::App& app, Arguments& arguments);

/// flush, merge, rewrite, expire, cleanup, orphans, checkpoint, keep.
void AddUpkeepCommands(CLI::App& app, Arguments& arguments);

}  // namespace tarn::shell
