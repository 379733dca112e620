// Words of a command line that cannot be meant as they stand, told with what to write instead.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tarn::shell {

/// A word as a shell wants it: in single quotes when something in it would mean more to the shell
/// than itself.
std::string ShellWord(std::string_view text);

/// A sentence about a mistyped or misplaced subcommand, or a value that the shell has cut at its
/// spaces; nothing when there is none. `words` come after the name of the program.
std::optional<std::string> ExplainMisuse(const std::vector<std::string>& words,
                                         const std::vector<std::string>& commands);

}  // namespace tarn::shell
