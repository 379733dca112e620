// Where the files lie that rows of the catalog name, whatever snapshot these rows belong to.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/catalog_store.h"
#include "tarn/ids.h"

namespace tarn {

/// A path as ducklake_files_scheduled_for_deletion has it: relative to the data path, or absolute.
struct LakePath {
  std::string path;
  bool is_relative = true;
  friend auto operator<=>(const LakePath&, const LakePath&) = default;
};

/// True for a relative path with so many `..` that it is not below the data path, where all files
/// of a lake lie that were not added by their whole path.
bool LeadsOut(const LakePath& file, std::string_view data_path);

/// One spelling for one file: absolute, in normal form, and without symbolic links in its folder.
/// Remote paths stay as they are. Looks at the local file system.
std::string PhysicalPath(std::string_view path);
/// The last part of a path.
std::string_view FileNameOf(std::string_view path);

/// The folder of every table that the catalog has a row of, dropped ones too.
class TableFolders {
 public:
  static TableFolders Load(StoreConnection& connection);

  /// Absent when the path is relative and the folder is not known.
  std::optional<LakePath> Resolve(TableId table, const std::string& path, bool is_relative) const;
  /// Those of tables and of schemas.
  std::vector<LakePath> all() const;

 private:
  std::map<TableId, LakePath> folders_;
  std::vector<LakePath> schemas_;
};

/// A set of files, and which of them rows of ducklake_data_file or ducklake_delete_file name,
/// however either side spells the path. What rows name is streamed past the set, so that memory
/// depends on the set only.
class FileSearch {
 public:
  /// Paths that are relative to the data path are looked for below this one.
  explicit FileSearch(std::string data_path) : data_path_(std::move(data_path)) {}
  /// Returns the file's number, from 0.
  size_t Add(const LakePath& path);
  /// Reads all rows. Ended ones count, too: some snapshot may see them.
  void FindNamed(StoreConnection& connection, const TableFolders& folders);
  /// One row's path.
  void Compare(const LakePath& path);
  bool IsNamed(size_t file) const { return files_[file].is_named; }
  std::string Resolved(const LakePath& path) const;

 private:
  struct File {
    std::string path;      ///< resolved
    std::string physical;  ///< made when another path has its name
    bool is_named = false;
  };
  const std::string data_path_;
  std::vector<File> files_;
  std::multimap<std::string, size_t, std::less<>> by_name_;
};

/// Calls `visit` with each path that rows of data files and delete files name.
void VisitNamedFiles(StoreConnection& connection, const TableFolders& folders,
                     const std::function<void(const LakePath&)>& visit);

}  // namespace tarn
