// Paths and connection strings of lakes. See lake_argument.h.
#include "shell/lake_argument.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "shell/misuse.h"
#include "store/catalog_file.h"
#include "tarn/data_folder.h"
#include "tarn/error.h"

namespace tarn::shell {
namespace {

namespace fs = std::filesystem;

struct Location {
  std::string scheme;  ///< empty: a plain path
  std::string path;
};

/// "ducklake:" and "tarn:" say nothing about the database, what follows them may.
std::string_view WithoutFormat(std::string_view text) {
  for (std::string_view prefix : {"ducklake:", "tarn:"}) {
    if (text.size() >= prefix.size() && EqualsIgnoreCase(text.substr(0, prefix.size()), prefix)) {
      return text.substr(prefix.size());
    }
  }
  return text;
}

Location SplitScheme(std::string_view text) {
  for (std::string_view scheme : {"sqlite", "duckdb", "postgres", "postgresql", "mysql"}) {
    if (text.size() > scheme.size() && text[scheme.size()] == ':' &&
        EqualsIgnoreCase(text.substr(0, scheme.size()), scheme)) {
      return {std::string(scheme), std::string(text.substr(scheme.size() + 1))};
    }
  }
  return {{}, std::string(text)};
}

bool IsEmptyFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) == 0 && !error;
}

/// Beside the catalog and absolute: the next user may start from another folder.
std::string DefaultDataPath(const std::string& path) {
  return fs::absolute(path).lexically_normal().string() + ".files/";
}

/// A new lake's folder must be there: it is more likely misspelt than wanted.
void RequireParent(const std::string& path) {
  const auto folder = fs::path(path).parent_path();
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  throw Error(ErrorCode::kNotFound,
              fmt::format("The folder {} does not exist; make it first, or correct the path.",
                          QuoteIdentifier(folder.string())));
}

/// A new file's kind is told by its name, as other clients name them.
std::string SchemeOfNew(const std::string& path) {
  const std::string lower = AsciiLower(path);
  return lower.ends_with(".ducklake") || lower.ends_with(".duckdb") ? "duckdb" : "sqlite";
}

void RefuseObjectStorage(const std::string& path) {
  if (path.find("://") == std::string::npos || EqualsIgnoreCase(path.substr(0, 5), "file:")) return;
  throw Error(
      ErrorCode::kInvalid,
      fmt::format("The catalog file {} cannot lie in object storage; only a lake's data path "
                  "can: tarn lake.sqlite --data-path {}",
                  QuoteIdentifier(path), ShellWord(path.substr(0, path.rfind('/') + 1))));
}

/// A plain path: what is there decides.
void ResolveFile(Location& location, bool& is_new, bool must_exist) {
  const auto name = QuoteIdentifier(location.path);
  std::error_code error;
  const auto status = fs::status(location.path, error);
  if (status.type() == fs::file_type::directory) {
    throw Error(ErrorCode::kInvalid, fmt::format("{} is a folder; a lake is called by its catalog, "
                                                 "which is a file or a connection string.",
                                                 name));
  }
  is_new = status.type() == fs::file_type::not_found || IsEmptyFile(location.path);
  if (is_new && must_exist) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("There is no lake at {}. To make a new one, run: tarn {}", name,
                            ShellWord(location.path)));
  }
  if (is_new) {
    location.scheme = SchemeOfNew(location.path);
    return;
  }
  if (error)
    throw Error(ErrorCode::kUnavailable,
                fmt::format("{} cannot be looked at: {}.", name, error.message()));
  if (::faccessat(AT_FDCWD, location.path.c_str(), R_OK, AT_EACCESS) != 0) {
    throw Error(ErrorCode::kUnavailable,
                fmt::format("{} cannot be read: {}.", name, std::strerror(errno)));
  }
  const auto scheme = DetectCatalogScheme(location.path);
  if (!scheme) {
    throw Error(ErrorCode::kInvalid,
                fmt::format("{} is no lake: it is neither a SQLite nor a DuckDB database.", name));
  }
  location.scheme = *scheme;
}

}  // namespace

engine::LakeRequest ResolveLake(const LakeArguments& arguments, bool must_exist) {
  must_exist =
      must_exist || arguments.read_only || arguments.snapshot || !arguments.at_time.empty();
  engine::LakeRequest request;
  request.name = kLakeName;
  request.read_only = arguments.read_only;
  auto& options = request.options;

  Location location = SplitScheme(WithoutFormat(arguments.lake));
  // A word after "ducklake:" may be the name of a secret, and "ducklake:" alone the unnamed one.
  const bool is_plain_path =
      location.scheme.empty() && WithoutFormat(arguments.lake).size() == arguments.lake.size();
  bool is_new = false;
  if (is_plain_path || location.scheme == "sqlite") RefuseObjectStorage(location.path);
  if (is_plain_path) {
    ResolveFile(location, is_new, must_exist);
  } else if (location.scheme == "sqlite" || location.scheme == "duckdb") {
    std::error_code error;
    is_new = location.path != ":memory:" &&
             (!fs::exists(location.path, error) || IsEmptyFile(location.path));
    if (is_new && must_exist) {
      throw Error(ErrorCode::kNotFound,
                  fmt::format("There is no lake at {}.", QuoteIdentifier(location.path)));
    }
  }
  request.path =
      "ducklake:" + (location.scheme.empty() ? "" : location.scheme + ":") + location.path;
  if (is_new) RequireParent(location.path);
  if (is_new && location.scheme == "sqlite" && arguments.data_path.empty()) {
    options.emplace_back("data_path", DefaultDataPath(location.path));
  }
  // A database that is there and holds no lake belongs to someone else.
  if (must_exist || (is_plain_path && !is_new)) options.emplace_back("create_if_not_exists", false);
  if (!arguments.data_path.empty())
    options.emplace_back("data_path", FromWorkingFolder(arguments.data_path));
  if (arguments.override_data_path) options.emplace_back("override_data_path", true);
  if (!arguments.metadata_schema.empty())
    options.emplace_back("metadata_schema", arguments.metadata_schema);
  if (arguments.snapshot) options.emplace_back("snapshot_version", *arguments.snapshot);
  if (!arguments.at_time.empty()) options.emplace_back("snapshot_time", arguments.at_time);
  return request;
}

}  // namespace tarn::shell
