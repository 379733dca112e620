// Files that were there before the lake: matched with a table's columns by name, described from
// their footers alone.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/data_file.h"
#include "tarn/file_system.h"
#include "tarn/schema.h"

namespace tarn {

/// What a folder's name (`key=value`) says of all rows of a file.
struct FolderValue {
  std::string key;
  std::optional<std::string> text;  ///< without escapes; absent: NULL
  /// Of a key that names a column (ColumnOfFolder): its value as plain text, after a cast to the
  /// column's type; absent: NULL.
  std::optional<std::string> value;
};

/// The column that gets its values from folders with this key; null when there is none. A key that
/// stands for a transform of the table's partition spec (`year=2025`) is no column's.
const Column* ColumnOfFolder(const Table& table, std::string_view key);

struct FileToRegister {
  std::string path;  ///< to open it
  std::vector<FolderValue> folders;
  bool allow_missing = false;         ///< columns that the file lacks read as their default
  bool ignore_extra_columns = false;  ///< columns that the table lacks are not read
};

struct RegisteredFile {
  /// Without a path, and without a registration.
  DataFile file;
  NameMap names;
};

/// A file for Transaction::AddDataFiles: names are matched ignoring case, at every level, in any
/// order; field ids are not looked at. Throws kInvalid when the file does not fit the table, with a
/// sentence that names file, column and both types.
RegisteredFile DescribeRegisteredFile(FileSystem& file_system, const FileToRegister& request,
                                      const Table& table);

}  // namespace tarn
