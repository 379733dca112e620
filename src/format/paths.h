// Where files lie (format page, section 2): data path, schema path, table path, file path, each
// relative to the one before or absolute.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tarn {

/// The folder of a new schema or table: `name/`, or `uuid/` when the name has anything but ASCII
/// letters, digits, `_` and `-`.
std::string FolderFor(std::string_view name, std::string_view uuid);

/// `path` below `base` when relative, else `path` itself. A folder's path may lack its last `/`.
std::string JoinPath(std::string_view base, std::string_view path, bool path_is_relative);
/// With a `/` at the end, unless empty.
std::string WithTrailingSlash(std::string_view path);
/// True for `/x`, `C:\x`, `s3://x`, `file:/x`.
bool IsAbsolutePath(std::string_view path);

/// One form for all spellings of a path, for comparing only: without `.` and empty parts, `..`
/// resolved, `file:` and its slashes gone. The bucket and scheme of remote paths stay, and so do
/// their empty parts, which mean something there.
std::string NormalPath(std::string_view path);
/// `path` relative to `folder` when it lies below it (both compared in normal form), else nullopt.
std::optional<std::string> RelativeTo(std::string_view folder, std::string_view path);

/// `key=value/` with both escaped; NULL is `__HIVE_DEFAULT_PARTITION__`.
std::string HiveFolder(std::string_view key, const std::optional<std::string>& value);

/// `ducklake-<uuid>.parquet`, with the last eight digits of the uuid made a hash of those before:
/// the names that Tarn gives are known again, and look like any other's.
std::string DataFileName(std::string_view uuid);
/// True for names of data files that DataFileName gave, also at the end of a path. Statistics of
/// such files are better than those of other writers (see ProvesAbsentNans).
bool IsOwnFileName(std::string_view path);
/// `ducklake-<uuid>-delete.parquet` or `….puffin`.
std::string DeleteFileName(std::string_view uuid, bool puffin);
/// True for file names that a lake makes: what clean-up may ever touch. Takes the last part of a
/// path or a whole path.
bool IsLakeFileName(std::string_view path);

}  // namespace tarn
