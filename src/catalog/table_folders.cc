// See table_folders.h.
#include "catalog/table_folders.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"

namespace tarn {
namespace {

LakePath Below(const LakePath& folder, const std::string& path, bool is_relative) {
  return is_relative ? LakePath{JoinPath(folder.path, path, true), folder.is_relative}
                     : LakePath{path, false};
}

/// A flag that other writers may leave NULL: relative is what the format's own writers store.
bool IsRelative(Rows& rows, int column) { return rows.OptBool(column).value_or(true); }

}  // namespace

std::string_view FileNameOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

bool LeadsOut(const LakePath& file, std::string_view data_path) {
  return file.is_relative && !RelativeTo(data_path, JoinPath(data_path, file.path, true));
}

std::string PhysicalPath(std::string_view path) {
  std::string normal = NormalPath(path);
  const bool is_remote = normal.find("://") != std::string::npos;
  if (is_remote) return normal;
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path absolute = fs::absolute(normal, error);
  if (error) return normal;
  const fs::path folder = fs::weakly_canonical(absolute.parent_path(), error);
  return error ? absolute.string() : (folder / absolute.filename()).string();
}

TableFolders TableFolders::Load(StoreConnection& connection) {
  StatementBuilder sql(connection.dialect());
  sql.Text("SELECT t.table_id, t.path, t.path_is_relative, s.path, s.path_is_relative FROM ");
  sql.Table(tables::Table::kTable.name).Text(" t JOIN ").Table(tables::Schema::kTable.name);
  // The newest row of a table counts. All have one path unless somebody moved it.
  sql.Text(" s ON s.schema_id = t.schema_id ORDER BY t.table_id, t.begin_snapshot");
  TableFolders result;
  std::unique_ptr<Rows> rows = connection.Query(sql.Build());
  while (rows->Next()) {
    const LakePath schema{rows->OptText(3).value_or(""), IsRelative(*rows, 4)};
    result.folders_[TableId(rows->Int64(0))] =
        Below(schema, rows->OptText(1).value_or(""), IsRelative(*rows, 2));
  }
  rows.reset();
  StatementBuilder schemas(connection.dialect(), "SELECT path, path_is_relative FROM ");
  rows = connection.Query(schemas.Table(tables::Schema::kTable.name).Build());
  while (rows->Next())
    result.schemas_.push_back({rows->OptText(0).value_or(""), IsRelative(*rows, 1)});
  return result;
}

std::optional<LakePath> TableFolders::Resolve(TableId table, const std::string& path,
                                              bool is_relative) const {
  if (!is_relative) return LakePath{path, false};
  const auto folder = folders_.find(table);
  if (folder == folders_.end()) return std::nullopt;
  return Below(folder->second, path, true);
}

std::vector<LakePath> TableFolders::all() const {
  std::vector<LakePath> folders = schemas_;
  for (const auto& [_, folder] : folders_) folders.push_back(folder);
  return folders;
}

void VisitNamedFiles(StoreConnection& connection, const TableFolders& folders,
                     const std::function<void(const LakePath&)>& visit) {
  for (const CatalogTable* table : {&tables::DataFile::kTable, &tables::DeleteFile::kTable}) {
    StatementBuilder sql(connection.dialect());
    sql.Text("SELECT table_id, path, path_is_relative FROM ").Table(table->name);
    const std::unique_ptr<Rows> rows = connection.Query(sql.Build());
    while (rows->Next()) {
      const std::optional<LakePath> path =
          folders.Resolve(TableId(rows->OptInt64(0).value_or(-1)), std::string(rows->Text(1)),
                          IsRelative(*rows, 2));
      if (path) visit(*path);
    }
  }
}

std::string FileSearch::Resolved(const LakePath& path) const {
  return JoinPath(data_path_, path.path, path.is_relative);
}

size_t FileSearch::Add(const LakePath& path) {
  std::string resolved = Resolved(path);
  by_name_.emplace(FileNameOf(resolved), files_.size());
  files_.push_back({std::move(resolved), {}, false});
  return files_.size() - 1;
}

void FileSearch::FindNamed(StoreConnection& connection, const TableFolders& folders) {
  if (files_.empty()) return;
  VisitNamedFiles(connection, folders, [&](const LakePath& path) { Compare(path); });
}

void FileSearch::Compare(const LakePath& path) {
  // One file has one name, however its folder is written: few rows get beyond this.
  auto [at, end] = by_name_.equal_range(FileNameOf(path.path));
  if (at == end) return;
  const std::string resolved = Resolved(path);
  std::string physical;
  for (; at != end; ++at) {
    File& file = files_[at->second];
    if (file.is_named) continue;
    file.is_named = file.path == resolved;
    if (file.is_named) continue;
    if (physical.empty()) physical = PhysicalPath(resolved);
    if (file.physical.empty()) file.physical = PhysicalPath(file.path);
    file.is_named = file.physical == physical;
  }
}

}  // namespace tarn
