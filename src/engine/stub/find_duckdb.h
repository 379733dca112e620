// Which DuckDB the engine is bound to. See README.md.
#pragma once

#include <string>
#include <vector>

namespace tarn::stub {

// A shared library that provides DuckDB.
struct DuckDBLibrary {
  // What the dynamic linker knows it by; empty for the main program.
  std::string path;
};

// The library that holds `code`, if it provides DuckDB's symbols to others: candidate number one.
bool LibraryOfClient(const void* code, DuckDBLibrary& found);

// Opens `path` if it is a DuckDB of our version. Otherwise says in `problem` why not.
bool OpenLibrary(const std::string& path, std::string& problem);

// The folders in which a libduckdb.so may lie, in the order in which they are tried.
std::vector<std::string> LibraryFolders();

// The path that an installed extension was copied from, out of the `.info` file that DuckDB writes
// beside it; empty if the file's content is anything else.
std::string InstalledFrom(const std::string& info);

// The path of this entry library itself.
std::string OwnPath();

}  // namespace tarn::stub
