// Looks for a DuckDB that the engine can be bound to. See find_duckdb.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "engine/stub/find_duckdb.h"

#include <dlfcn.h>
#include <link.h>

#include <climits>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace tarn::stub {
namespace {

// Any exported symbol of DuckDB's C++ side: hosts that hide it cannot serve us.
constexpr const char* kProbe = "_ZTIN6duckdb16DatabaseInstanceE";
constexpr const char* kProbeFunction =
    "_ZN6duckdb16DatabaseInstance11GetDatabaseERNS_13ClientContextE";

// Where this extension was built and where it is meant to be installed. Volatile, so that the text
// stays in the file in one piece: like a run path, it can be rewritten in a copy that goes
// elsewhere.
const char* volatile configured_folders = TARN_LIBDUCKDB_FOLDERS;

bool Provides(void* handle) {
  return dlsym(handle, kProbeFunction) != nullptr || dlsym(handle, kProbe) != nullptr;
}

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string FolderOf(const std::string& path) {
  auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
}

std::string RealPath(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) != nullptr ? resolved : path;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void AddFolder(std::vector<std::string>& folders, const std::string& folder) {
  if (folder.empty()) {
    return;
  }
  for (const auto& known : folders) {
    if (known == folder) {
      return;
    }
  }
  folders.push_back(folder);
}

}  // namespace

std::string OwnPath() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&OwnPath), &info) == 0 || info.dli_fname == nullptr) {
    return "";
  }
  return info.dli_fname;
}

bool LibraryOfClient(const void* code, DuckDBLibrary& found) {
  Dl_info info;
  link_map* map = nullptr;
  if (dladdr1(code, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
      map == nullptr) {
    return false;
  }
  std::string path = map->l_name != nullptr ? map->l_name : "";
  void* handle = dlopen(path.empty() ? nullptr : path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) {
    return false;
  }
  bool provides = Provides(handle);
  dlclose(handle);
  if (provides) {
    found.path = path;
  }
  return provides;
}

bool OpenLibrary(const std::string& path, std::string& problem) {
  // Local: its symbols must not come before those of other libraries in the client.
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    problem = dlerror();
    return false;
  }
  auto version = reinterpret_cast<const char* (*)()>(dlsym(handle, "duckdb_library_version"));
  if (version == nullptr || !Provides(handle)) {
    problem = path + " is not a DuckDB library that exports its C++ interface";
  } else if (std::string(version()) != TARN_DUCKDB_VERSION) {
    problem = path + " is DuckDB " + version() + ", not " TARN_DUCKDB_VERSION;
  } else {
    return true;  // stays open for as long as the process lives
  }
  dlclose(handle);
  return false;
}

std::string InstalledFrom(const std::string& info) {
  // DuckDB's binary form: field 100, the mode, one byte; field 101, the path: its length in groups
  // of seven bits, low group first, and its bytes.
  constexpr size_t kStart = 5;
  if (info.size() < kStart + 1 || info.compare(0, 2, std::string("\x64\0", 2)) != 0 ||
      info.compare(3, 2, std::string("\x65\0", 2)) != 0) {
    return "";
  }
  size_t length = 0;
  size_t at = kStart;
  for (unsigned shift = 0; shift < 28; shift += 7) {
    if (at >= info.size()) {
      return "";
    }
    auto byte = static_cast<unsigned char>(info[at++]);
    length |= static_cast<size_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) {
      break;
    }
  }
  return length <= info.size() - at ? info.substr(at, length) : "";
}

std::vector<std::string> LibraryFolders() {
  std::vector<std::string> folders;
  std::string own = OwnPath();
  AddFolder(folders, FolderOf(own));
  AddFolder(folders, FolderOf(RealPath(own)));
  // INSTALL copies the extension alone, but notes where it came from.
  std::string origin = InstalledFrom(ReadFile(own + ".info"));
  if (!origin.empty()) {
    AddFolder(folders, FolderOf(RealPath(origin)));
  }
  std::istringstream configured(configured_folders);
  for (std::string folder; std::getline(configured, folder, ':');) {
    AddFolder(folders, folder);
  }
  if (std::string home = Environment("HOME"); !home.empty()) {
    AddFolder(folders, home + "/.local/lib/tarn");
  }
  AddFolder(folders, "/usr/local/lib/tarn");
  AddFolder(folders, "/usr/lib/tarn");
  return folders;
}

}  // namespace tarn::stub
