// What goes wrong with a file while it is read, in words that help.
#pragma once

#include <exception>
#include <optional>
#include <string>

namespace tarn::engine {

/// Why the file could not be read. Nullopt for errors that are not the file's: cancelled, out of
/// memory, a cast that the query asked for. `has_key`: the catalog has a key for the file.
std::optional<std::string> ReasonInFile(const std::exception& error, bool has_key);

}  // namespace tarn::engine
