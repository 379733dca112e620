// See import_plan.h.
#include "shell/import_plan.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/text.h"
#include "tarn/error.h"

namespace tarn::shell {
namespace {

using engine::SessionResult;
using engine::SessionValue;

struct Ending {
  std::string_view text;
  ImportFormat format;
};
constexpr std::array<Ending, 8> kEndings = {{{".csv", ImportFormat::kCsv},
                                             {".tsv", ImportFormat::kCsv},
                                             {".txt", ImportFormat::kCsv},
                                             {".json", ImportFormat::kJson},
                                             {".jsonl", ImportFormat::kJson},
                                             {".ndjson", ImportFormat::kJson},
                                             {".parquet", ImportFormat::kParquet},
                                             {".pq", ImportFormat::kParquet}}};
constexpr std::array<std::string_view, 2> kCompressions = {".gz", ".zst"};

/// The last part of a path, also of a folder's with a slash at its end.
std::string_view BaseName(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

std::string_view WithoutCompression(std::string_view name) {
  for (const auto ending : kCompressions) {
    if (EqualsIgnoreCase(name.substr(name.size() - std::min(name.size(), ending.size())), ending))
      return name.substr(0, name.size() - ending.size());
  }
  return name;
}

const Ending* EndingOf(std::string_view name) {
  for (const auto& ending : kEndings) {
    if (name.size() > ending.text.size() &&
        EqualsIgnoreCase(name.substr(name.size() - ending.text.size()), ending.text))
      return &ending;
  }
  return nullptr;
}

bool IsRemote(const std::string& path) { return path.find("://") != std::string::npos; }

bool IsThere(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

/// A pattern that only the path itself matches.
std::string Literal(const std::string& path) {
  std::string pattern;
  for (const char c : path) {
    const bool is_special = c == '*' || c == '?' || c == '[';
    pattern += is_special ? std::string("[") + c + "]" : std::string(1, c);
  }
  return pattern;
}

std::vector<std::string> Glob(engine::Session& session, const std::string& pattern) {
  std::vector<std::string> paths;
  session.Run("SELECT file FROM glob($1) ORDER BY file", {pattern}, [&](SessionResult& result) {
    while (result.Next()) paths.emplace_back(*result.Text(0));
  });
  return paths;
}

class Planner {
 public:
  Planner(engine::Session& session, const ImportArguments& arguments)
      : session_(session), arguments_(arguments) {}

  void Add(const std::string& path) {
    if (IsRemote(path) || (IsThere(path) && !IsFolder(path))) return AddFile(path, "");
    if (IsFolder(path)) return AddFolder(path);
    const auto found = Glob(session_, path);
    if (found.empty())
      throw Error(ErrorCode::kNotFound, fmt::format("There is no file \"{}\".", path));
    for (const auto& file : found) AddFile(file, "");
  }

  std::vector<ImportTable> Take() { return std::move(tables_); }

 private:
  /// What lies in a folder is one table, whatever else lies there.
  void AddFolder(const std::string& folder) {
    const auto slash = folder.back() == '/' ? "" : "/";
    bool has_any = false;
    for (const auto& file : Glob(session_, Literal(folder) + slash + "**")) {
      if (!arguments_.format && !FormatOfFile(file)) continue;
      AddFile(file,
              std::string(BaseName(std::filesystem::absolute(folder).lexically_normal().string())));
      has_any = true;
    }
    if (!has_any) {
      throw Error(
          ErrorCode::kNotFound,
          fmt::format("There is no CSV, JSON or Parquet file in the folder \"{}\".", folder));
    }
  }

  void AddFile(const std::string& path, const std::string& folder_name) {
    const auto format = arguments_.format ? arguments_.format : FormatOfFile(path);
    if (!format) {
      throw Error(ErrorCode::kInvalid,
                  fmt::format("The name of \"{}\" does not say what it is: give --format csv, json "
                              "or parquet.",
                              path));
    }
    const auto name = !arguments_.table.empty() ? arguments_.table
                      : !folder_name.empty()    ? folder_name
                                                : TableNameOfFile(path);
    auto table = std::find_if(tables_.begin(), tables_.end(), [&](const ImportTable& present) {
      return EqualsIgnoreCase(present.name, name);
    });
    if (table == tables_.end()) table = tables_.insert(table, {name, {}, {}});
    const bool is_known =
        std::any_of(table->files.begin(), table->files.end(),
                    [&](const ImportFile& present) { return present.path == path; });
    if (!is_known) table->files.push_back({path, *format});
  }

  engine::Session& session_;
  const ImportArguments& arguments_;
  std::vector<ImportTable> tables_;
};

}  // namespace

std::optional<ImportFormat> ParseImportFormat(std::string_view name) {
  if (EqualsIgnoreCase(name, "csv")) return ImportFormat::kCsv;
  if (EqualsIgnoreCase(name, "json")) return ImportFormat::kJson;
  if (EqualsIgnoreCase(name, "parquet")) return ImportFormat::kParquet;
  return std::nullopt;
}

std::optional<ImportFormat> FormatOfFile(std::string_view path) {
  const auto* ending = EndingOf(WithoutCompression(BaseName(path)));
  return ending ? std::optional(ending->format) : std::nullopt;
}

std::string TableNameOfFile(std::string_view path) {
  const auto name = BaseName(path);
  const auto plain = WithoutCompression(name);
  if (const auto* ending = EndingOf(plain))
    return std::string(plain.substr(0, plain.size() - ending->text.size()));
  const auto dot = name.rfind('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot));
}

std::vector<ImportTable> PlanImport(engine::Session& session, const ImportArguments& arguments) {
  Planner planner(session, arguments);
  for (const auto& path : arguments.paths) planner.Add(path);
  return planner.Take();
}

std::string SelectFiles(const ImportTable& table, std::vector<SessionValue>& parameters) {
  constexpr std::array<std::pair<ImportFormat, std::string_view>, 3> kReaders = {
      {{ImportFormat::kCsv, "read_csv"},
       {ImportFormat::kJson, "read_json"},
       {ImportFormat::kParquet, "read_parquet"}}};
  std::string sql;
  for (const auto& [format, reader] : kReaders) {
    std::string files;
    for (const auto& file : table.files) {
      if (file.format != format) continue;
      parameters.emplace_back(IsRemote(file.path) ? file.path : Literal(file.path));
      files += fmt::format("{}${}", files.empty() ? "" : ", ", parameters.size());
    }
    if (files.empty()) continue;
    sql += fmt::format("{}SELECT * FROM {}([{}], union_by_name = true)",
                       sql.empty() ? "" : " UNION ALL BY NAME ", reader, files);
  }
  return sql;
}

}  // namespace tarn::shell
