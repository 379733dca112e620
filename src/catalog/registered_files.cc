// Paths are compared as the storage knows them, so that all spellings of one file are one.
#include "catalog/registered_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

/// What IsLakeFileName takes for a data file, as a pattern of SQL; takes a little more.
constexpr const char* kLakeFilePattern = "'%ducklake-________-____-____-____-____________.parquet'";

struct Folder {
  std::string path;
  std::string table;
};

std::map<int64_t, std::string> LoadSchemaFolders(StoreConnection& connection,
                                                 std::string_view data_path) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT schema_id, ").Names({"path", "path_is_relative"}).Text(" FROM ");
  sql.Table(tables::Schema::kTable.name);
  std::map<int64_t, std::string> folders;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    folders[rows->Int64(0)] = WithTrailingSlash(JoinPath(
        data_path, rows->OptText(1).value_or(std::string()), rows->OptBool(2).value_or(true)));
  }
  return folders;
}

/// Of all tables that there ever were and still have a row; by id. The last name counts.
std::map<int64_t, Folder> LoadTableFolders(StoreConnection& connection,
                                           std::string_view data_path) {
  const std::map<int64_t, std::string> schemas = LoadSchemaFolders(connection, data_path);
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT table_id, schema_id, table_name, ").Names({"path", "path_is_relative"});
  sql.Text(" FROM ").Table(tables::Table::kTable.name).Text(" ORDER BY begin_snapshot");
  std::map<int64_t, Folder> folders;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    const auto schema = schemas.find(rows->Int64(1));
    const std::string base = schema == schemas.end() ? std::string(data_path) : schema->second;
    folders[rows->Int64(0)] = {
        WithTrailingSlash(JoinPath(base, rows->OptText(3).value_or(std::string()),
                                   rows->OptBool(4).value_or(true))),
        std::string(rows->Text(2))};
  }
  return folders;
}

std::optional<KnownFile> FindScheduledFile(StoreConnection& connection, const LakePlace& place,
                                           const std::set<std::string>& wanted, RealPaths& paths) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT ").Names({"path", "path_is_relative"}).Text(" FROM ");
  sql.Table(tables::FilesScheduledForDeletion::kTable.name);
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    std::string path =
        JoinPath(place.data_path, std::string(rows->Text(0)), rows->OptBool(1).value_or(true));
    if (wanted.contains(paths.Of(path))) return KnownFile{std::move(path), ""};
  }
  return std::nullopt;
}

}  // namespace

std::string RealPaths::Of(const std::string& path) {
  if (!IsLakeFileName(path)) return file_system_.RealPath(path);
  const size_t name = path.rfind('/') + 1;  // npos + 1 is 0
  const std::string folder = name == 0 ? "." : path.substr(0, name);
  auto known = folders_.find(folder);
  if (known == folders_.end())
    known = folders_.emplace(folder, file_system_.RealPath(folder)).first;
  return WithTrailingSlash(known->second) + path.substr(name);
}

std::optional<KnownFile> FindKnownFile(StoreConnection& connection, const LakePlace& place,
                                       const std::set<std::string>& wanted,
                                       std::optional<DataFileId> first) {
  RealPaths paths(place.file_system);
  std::map<int64_t, Folder> folders = LoadTableFolders(connection, place.data_path);
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT table_id, ").Names({"path", "path_is_relative"}).Text(" FROM ");
  sql.Table(tables::DataFile::kTable.name).Text(" WHERE data_file_id >= ");
  sql.Bind(first.value_or(DataFileId(0)));
  // A lake's own files are many, and are asked for only if one of them may be meant.
  if (std::none_of(wanted.begin(), wanted.end(), IsLakeFileName))
    sql.Text(" AND NOT ").Name("path").Text(" LIKE ").Text(kLakeFilePattern);
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    const Folder& folder = folders[rows->Int64(0)];
    std::string path =
        JoinPath(folder.path, std::string(rows->Text(1)), rows->OptBool(2).value_or(true));
    if (wanted.contains(paths.Of(path))) return KnownFile{std::move(path), folder.table};
  }
  rows.reset();
  if (first) return std::nullopt;
  return FindScheduledFile(connection, place, wanted, paths);
}

std::optional<Conflict> FindRegisteredTwice(StoreConnection& connection, const LakePlace& place,
                                            const ChangeSet& changes) {
  std::set<std::string> wanted;
  for (const auto& [ref, rows] : changes.rows) {
    for (const DataFile& file : rows.data_files) {
      if (file.registration) wanted.insert(file.registration->real_path);
    }
  }
  if (wanted.empty()) return std::nullopt;
  const std::optional<KnownFile> known =
      FindKnownFile(connection, place, wanted, DataFileId(changes.base.next_file_id));
  if (!known) return std::nullopt;
  return Conflict{SnapshotId(),
                  fmt::format("Failed to commit DuckLake transaction. Transaction conflict - "
                              "attempting to add file \"{}\" - but another transaction has added "
                              "it to table \"{}\".",
                              known->path, known->table)};
}

}  // namespace tarn
