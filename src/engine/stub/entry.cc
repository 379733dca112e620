// The extension's entry point: finds a DuckDB for the engine, opens the engine, hands over.
// README.md tells the whole story.
#include <dlfcn.h>
#include <sys/stat.h>

#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>

#include "engine/stub/engine_image.h"
#include "engine/stub/find_duckdb.h"

namespace tarn::stub {
namespace {

using LoadFunction = void (*)(void* loader);

std::string Join(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const auto& part : parts) {
    text += (text.empty() ? "" : separator) + part;
  }
  return text;
}

// The engine on the library that the user asks for, and on no other.
void* OpenOn(const std::string& library) {
  std::string problem;
  void* engine = nullptr;
  if (OpenLibrary(library, problem)) {
    engine = OpenEngine(library, problem);
  }
  if (engine == nullptr) {
    throw std::runtime_error("TARN_LIBDUCKDB is set to a library that cannot be used: " + problem);
  }
  return engine;
}

void* FindAndOpen(const void* client_code) {
  if (const char* wanted = std::getenv("TARN_LIBDUCKDB"); wanted != nullptr && *wanted != '\0') {
    struct stat status;
    bool is_folder = stat(wanted, &status) == 0 && S_ISDIR(status.st_mode);
    return OpenOn(is_folder ? std::string(wanted) + "/libduckdb.so" : wanted);
  }
  std::vector<std::string> problems;
  std::string problem;
  DuckDBLibrary client;
  if (LibraryOfClient(client_code, client)) {
    if (void* engine = OpenEngine(client.path, problem)) {
      return engine;
    }
    problems.push_back(problem);
  }
  auto folders = LibraryFolders();
  std::vector<std::string> candidates;
  for (const auto& folder : folders) {
    candidates.push_back(folder + "/libduckdb.so");
  }
  candidates.push_back("libduckdb.so");  // wherever the system looks for libraries
  for (const auto& path : candidates) {
    if (!OpenLibrary(path, problem)) {
      if (problem.find("No such file") == std::string::npos) {
        problems.push_back(problem);
      }
    } else if (void* engine = OpenEngine(path, problem)) {
      return engine;
    } else {
      problems.push_back(problem);
    }
  }
  throw std::runtime_error(
      "Tarn needs DuckDB's library: this client does not share its own, and no libduckdb.so of "
      "version " TARN_DUCKDB_VERSION
      " was found. Put libduckdb.so, which is built beside "
      "tarn.duckdb_extension, into one of these folders or name it in the environment variable "
      "TARN_LIBDUCKDB: " +
      Join(folders, ", ") + (problems.empty() ? "" : ". What was tried: " + Join(problems, "; ")));
}

template <class Function>
Function Symbol(void* engine, const char* name) {
  auto* symbol = dlsym(engine, name);
  if (symbol == nullptr) {
    throw std::runtime_error(std::string("the loaded libtarn_engine.so has no ") + name);
  }
  return reinterpret_cast<Function>(symbol);
}

LoadFunction EngineLoad(const void* client_code) {
  // Loading is rare and may be asked for by several threads, each with its own database.
  static std::mutex mutex;
  std::lock_guard<std::mutex> guard(mutex);
  void* engine = LoadedEngine();
  if (engine == nullptr) {
    engine = FindAndOpen(client_code);
  }
  std::string version = Symbol<const char* (*)()>(engine, "tarn_engine_version")();
  if (version != TARN_VERSION) {
    throw std::runtime_error("Tarn " + version +
                             " is loaded in this process already, so Tarn " TARN_VERSION
                             " cannot be; load the same file in all databases of a process");
  }
  return Symbol<LoadFunction>(engine, "tarn_engine_load");
}

}  // namespace
}  // namespace tarn::stub

// DuckDB calls this with a reference to its ExtensionLoader. The caller's address tells which
// library or program holds the client's DuckDB.
extern "C" __attribute__((visibility("default"))) void tarn_duckdb_cpp_init(void* loader) {
  tarn::stub::EngineLoad(__builtin_return_address(0))(loader);
}
