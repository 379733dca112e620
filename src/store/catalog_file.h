// What a file is, told by its content, without harm to those who have it open.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tarn {

/// "sqlite" or "duckdb" for a database file of that kind, nullopt for anything else and for what
/// cannot be read. An empty file is nobody's.
///
/// SQLite and DuckDB guard their files with POSIX locks, and a process loses all of them on a file
/// as soon as it closes any descriptor of it. So a file that this process has open already is read
/// through the descriptor that is there, and no other code of Tarn may open a catalog file by
/// itself.
std::optional<std::string> DetectCatalogScheme(const std::string& path);

/// May this process write the file or folder, by its effective rights and the medium?
bool CanWrite(const std::string& path);

/// Absolute, with symbolic links resolved as far as the path exists.
std::string CanonicalPath(const std::string& path);
/// The part up to the last slash, with it.
std::string FolderOf(const std::string& path);

}  // namespace tarn
