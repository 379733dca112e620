// A relative data path is stored as it was given, and each process reads it from where it runs. So
// that nobody writes a lake's files into two folders, one that leads nowhere is noticed.
#include "catalog/data_folder.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/data_folder.h"
#include "tarn/error.h"

namespace tarn {
namespace {

namespace fs = std::filesystem;

/// The folder of a catalog that is a file.
std::optional<fs::path> CatalogFolder(const CatalogStore& store) {
  std::error_code error;
  const fs::path catalog = fs::weakly_canonical(store.location(), error);
  if (error || !fs::is_regular_file(catalog, error)) return std::nullopt;
  return catalog.parent_path();
}

bool NamesFilesBelow(StoreConnection& connection) {
  using D = tables::DataFile;
  StatementBuilder sql(connection.dialect(), "SELECT DISTINCT ");
  sql.Name(D::kPathIsRelative.name).Text(" FROM ").Table(D::kTable.name);
  const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    if (rows->OptBool(0).value_or(true)) return true;
  }
  return false;
}

}  // namespace

bool HasFolder(const std::string& data_path) {
  std::error_code error;
  return IsAbsolutePath(data_path) || fs::is_directory(data_path, error);
}

std::string FromWorkingFolder(const std::string& path) {
  if (path.empty() || IsAbsolutePath(path)) return path;
  return fs::absolute(path).lexically_normal().string();
}

std::string PlaceDataPath(const std::string& data_path, const CatalogStore& store) {
  if (HasFolder(data_path)) return data_path;
  const std::optional<fs::path> folder = CatalogFolder(store);
  if (!folder) return data_path;
  std::error_code error;
  const fs::path beside = *folder / data_path;
  return fs::is_directory(beside, error) ? beside.string() : data_path;
}

bool IsSameFolder(const std::string& given, const std::string& stored) {
  if (NormalPath(FromWorkingFolder(given)) == NormalPath(FromWorkingFolder(stored))) return true;
  if (IsAbsolutePath(stored)) return false;
  std::error_code error;
  const std::string folder = NormalPath(FromWorkingFolder(given));
  const std::string end = "/" + NormalPath(stored);
  return folder.ends_with(end) && !end.starts_with("/..") && fs::is_directory(folder, error);
}

std::optional<std::string> DescribeLostFolder(StoreConnection& connection,
                                              const std::string& data_path,
                                              const CatalogStore& store) {
  if (HasFolder(data_path) || !NamesFilesBelow(connection)) return std::nullopt;
  std::error_code error;
  return fmt::format(
      "The data path \"{}\" is relative: it is looked for in the working folder \"{}\"{}. Change "
      "to "
      "the folder it belongs to, or give DATA_PATH / --data-path.",
      data_path, fs::current_path(error).string(),
      CatalogFolder(store) ? " and beside the catalog, and is in neither" : ", and is not there");
}

std::optional<std::string> DescribeLostFolder(Lake& lake) {
  if (HasFolder(lake.data_path())) return std::nullopt;
  const std::unique_ptr<StoreConnection> connection = lake.store().Connect();
  return DescribeLostFolder(*connection, lake.data_path(), lake.store());
}

void RequireFolder(Lake& lake) {
  if (std::optional<std::string> lost = DescribeLostFolder(lake))
    throw Error(ErrorCode::kInvalid, *lost);
}

}  // namespace tarn
