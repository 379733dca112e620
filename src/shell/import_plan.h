// tarn import: which files go into which tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session.h"
#include "shell/command_line.h"

namespace tarn::shell {

/// "csv", "json", "parquet"; nullopt for anything else.
std::optional<ImportFormat> ParseImportFormat(std::string_view name);
/// By the file's name, compressed or not; nullopt when that says nothing.
std::optional<ImportFormat> FormatOfFile(std::string_view path);
/// "data/flights.csv.gz" becomes "flights".
std::string TableNameOfFile(std::string_view path);

struct ImportFile {
  std::string path;
  ImportFormat format;
};

struct ImportTable {
  std::string name;
  std::vector<ImportFile> files;
  std::string columns;  ///< as CREATE TABLE has them, once they were inferred
};

/// The tables in the order in which their first files were named. Throws tarn::Error: kNotFound for
/// a path where no file is, kInvalid for a file of which nobody knows what it is.
std::vector<ImportTable> PlanImport(engine::Session& session, const ImportArguments& arguments);

/// A query of all rows of a table's files, columns united by name. Its parameters are appended.
std::string SelectFiles(const ImportTable& table, std::vector<engine::SessionValue>& parameters);

}  // namespace tarn::shell
