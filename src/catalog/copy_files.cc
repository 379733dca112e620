// See copy_files.h.
#include "catalog/copy_files.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "catalog/catalog_sql.h"
#include "format/paths.h"
#include "format/tables.h"
#include "store/statement.h"
#include "tarn/error.h"

namespace tarn {
namespace {

/// Files between two looks at the catalog while it is not held.
constexpr int64_t kFilesPerLook = 5'000;
/// A small file is mostly waiting: for the disk to have it, or for a server's answer.
constexpr size_t kThreads = 8;
constexpr int64_t kBytesAtOnce = 4 << 20;  ///< of each
constexpr const CatalogTable* kFileTables[] = {&tables::DataFile::kTable,
                                               &tables::DeleteFile::kTable};

/// Columns: id, table, path, path_is_relative, size.
StatementBuilder SelectFiles(const Dialect& dialect, const CatalogTable& table) {
  StatementBuilder sql(dialect, "SELECT ");
  sql.Name(table.columns.front().name).Text(", table_id, path, path_is_relative, file_size_bytes");
  sql.Text(" FROM ").Table(table.name);
  return sql;
}

std::optional<LakePath> ReadPath(Rows& rows, const TableFolders& folders) {
  return folders.Resolve(TableId(rows.OptInt64(1).value_or(-1)), std::string(rows.Text(2)),
                         rows.OptBool(3).value_or(true));
}

}  // namespace

std::optional<std::string> BelowDataPath(const std::string& data_path, const LakePath& path) {
  if (path.is_relative) return path.path;
  return RelativeTo(data_path, path.path);
}

FileTotals MeasureFiles(StoreConnection& connection, const std::string& data_path) {
  const TableFolders folders = TableFolders::Load(connection);
  FileTotals totals;
  for (const CatalogTable* table : kFileTables) {
    const auto rows = connection.Stream(SelectFiles(connection.dialect(), *table).Build());
    while (rows->Next()) {
      const int64_t bytes = rows->OptInt64(4).value_or(0);
      ++totals.files;
      totals.bytes += bytes;
      const auto path = ReadPath(*rows, folders);
      if (path && BelowDataPath(data_path, *path)) continue;
      ++totals.outside_files;
      totals.outside_bytes += bytes;
    }
  }
  return totals;
}

FileCopier::FileCopier(Lake& source, std::string data_path, std::string purpose, Progress progress)
    : source_(source),
      data_path_(WithTrailingSlash(data_path)),
      purpose_(std::move(purpose)),
      progress_(std::move(progress)) {}

std::optional<std::string> FileCopier::Moved(const std::string& path, bool is_relative) const {
  if (is_relative) return std::nullopt;
  const auto below = BelowDataPath(source_.data_path(), {path, false});
  if (!below) return std::nullopt;
  return JoinPath(data_path_, *below, true);
}

std::optional<std::string> FileCopier::ReadMarker() {
  FileSystem& files = source_.file_system();
  const auto info = files.Stat(MarkerPath());
  if (!info) return std::nullopt;
  return files.Open(MarkerPath())->ReadAt(0, info->size_bytes);
}

void FileCopier::RequireFolder() {
  FileSystem& files = source_.file_system();
  const auto real = [&](const std::string& path) {
    return WithTrailingSlash(NormalPath(files.RealPath(WithTrailingSlash(path))));
  };
  const std::string from = real(source_.data_path());
  const std::string to = real(data_path_);
  if (to.starts_with(from) || from.starts_with(to)) {
    throw Error(ErrorCode::kInvalid,
                fmt::format("The files of a lake in \"{}\" cannot be copied to \"{}\": one folder "
                            "lies in the other, or they are the same. Name a folder of its own.",
                            source_.data_path(), data_path_));
  }
  if (const auto marker = ReadMarker()) {
    goes_on_ = *marker == purpose_;
    if (goes_on_) return;
    throw Error(ErrorCode::kInvalid,
                fmt::format("The folder \"{}\" holds the beginning of another copy: end that one, "
                            "or name another folder.",
                            data_path_),
                {{"marker", *marker}});
  }
  files.List(data_path_, [&](const FileInfo& file) {
    // Killed before it had a name, so nothing has been copied.
    if (NormalPath(file.path) == NormalPath(MarkerPath() + FileSystem::kUnfinished)) return;
    throw Error(ErrorCode::kInvalid,
                fmt::format("The folder \"{}\" is not empty, it holds \"{}\": name an empty one.",
                            data_path_, file.path));
  });
}

void FileCopier::Begin() {
  FileSystem& files = source_.file_system();
  files.CreateDirectories(data_path_);
  if (goes_on_) return;
  const auto marker = files.Create(MarkerPath());
  marker->Append(purpose_);
  marker->Finish();
  files.SyncFolder(data_path_);
}

void FileCopier::Done(int64_t bytes) {
  const std::lock_guard lock(mutex_);
  progress_.done(bytes);
}

void FileCopier::UseFolder(const std::string& file) {
  std::string folder = file.substr(0, file.rfind('/') + 1);
  const std::lock_guard lock(mutex_);
  if (folders_.contains(folder)) return;
  source_.file_system().CreateDirectories(folder);
  // Those around it name it.
  while (folder.size() >= data_path_.size() && folders_.insert(folder).second)
    folder.resize(folder.rfind('/', folder.size() - 2) + 1);
}

void FileCopier::CopyBytes(const std::string& from, const std::string& to,
                           const std::stop_token& stop) {
  FileSystem& files = source_.file_system();
  const auto source = files.Open(from);
  const auto target = files.Create(to);
  for (int64_t at = 0; at < source->size_bytes();) {
    if (stop.stop_requested()) throw Error(ErrorCode::kInterrupted, "Another file has failed.");
    const int64_t length = std::min(kBytesAtOnce, source->size_bytes() - at);
    target->Append(source->ReadAt(at, length));
    at += length;
    Done(length);
  }
  target->Finish();
}

std::vector<int64_t> FileCopier::CopyAll(std::vector<Entry> entries, bool must_exist) {
  // What two rows name is copied for the first one, and there for the second.
  std::set<std::string> places;
  const auto repeated =
      std::stable_partition(entries.begin(), entries.end(), [&](const Entry& entry) {
        return places
            .insert(
                NormalPath(JoinPath(source_.data_path(), entry.path.path, entry.path.is_relative)))
            .second;
      });
  std::vector<char> is_there(entries.size());
  const auto copy = [&](size_t at, const std::stop_token& stop) {
    is_there[at] = Copy(entries[at], must_exist, stop) ? 1 : 0;
  };
  const auto count = static_cast<size_t>(repeated - entries.begin());
  ForEachInParallel(count, kThreads, copy);
  for (size_t at = count; at < entries.size(); ++at) copy(at, {});
  std::vector<int64_t> there;
  for (size_t at = 0; at < entries.size(); ++at) {
    if (is_there[at] != 0) there.push_back(entries[at].id);
  }
  std::sort(there.begin(), there.end());
  return there;
}

bool FileCopier::Copy(const Entry& entry, bool must_exist, const std::stop_token& stop) {
  const auto below = BelowDataPath(source_.data_path(), entry.path);
  if (!below) return true;
  if (LeadsOut(entry.path, source_.data_path())) {
    throw Error(
        ErrorCode::kCorrupt,
        fmt::format("The path \"{}\" of a file leads out of the data path, so the lake cannot "
                    "be copied with its files: `tarn check` tells what is wrong with it.",
                    entry.path.path));
  }
  FileSystem& files = source_.file_system();
  const std::string to = JoinPath(data_path_, *below, true);
  if (const auto there = files.Stat(to); there && there->size_bytes == entry.size_bytes) {
    UseFolder(to);
    Done(entry.size_bytes);
    return true;
  }
  const std::string from = JoinPath(source_.data_path(), entry.path.path, entry.path.is_relative);
  const auto found = files.Stat(from);
  if (!found && !must_exist) return false;
  if (!found || found->size_bytes != entry.size_bytes) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The file \"{}\" {}, so the lake cannot be copied: `tarn check` tells "
                            "what else is wrong with it.",
                            from,
                            found ? fmt::format("has {} bytes instead of {}", found->size_bytes,
                                                entry.size_bytes)
                                  : "is missing"));
  }
  try {
    UseFolder(to);
    CopyBytes(from, to, stop);
  } catch (const Error& error) {
    // Somebody may have removed it just now.
    if (must_exist || files.Stat(from)) throw;
    return false;
  }
  const std::lock_guard lock(mutex_);
  ++copied_files_;
  return true;
}

void FileCopier::CopyAhead(StoreConnection& connection) {
  for (size_t kind = 0; kind < std::size(kFileTables); ++kind) {
    const std::string_view id = kFileTables[kind]->columns.front().name;
    int64_t last = -1;
    for (bool more = true; more;) {
      std::vector<Entry> entries;
      {
        const ReadScope scope(connection);
        const TableFolders folders = TableFolders::Load(connection);
        auto sql = SelectFiles(connection.dialect(), *kFileTables[kind]);
        sql.Text(" WHERE ").Name(id).Text(" > ").Bind(last).Text(" ORDER BY ").Name(id);
        sql.Text(" LIMIT ").Bind(kFilesPerLook);
        const auto rows = connection.Query(sql.Build());
        more = false;
        while (rows->Next()) {
          more = true;
          last = rows->Int64(0);
          if (auto path = ReadPath(*rows, folders))
            entries.push_back({last, std::move(*path), rows->OptInt64(4).value_or(0)});
        }
      }
      const auto there = CopyAll(std::move(entries), false);
      there_[kind].insert(there_[kind].end(), there.begin(), there.end());
    }
  }
}

void FileCopier::CopyRest(StoreConnection& connection) {
  const TableFolders folders = TableFolders::Load(connection);
  std::vector<Entry> entries;
  for (size_t kind = 0; kind < std::size(kFileTables); ++kind) {
    const auto rows =
        connection.Stream(SelectFiles(connection.dialect(), *kFileTables[kind]).Build());
    while (rows->Next()) {
      const int64_t id = rows->Int64(0);
      if (std::binary_search(there_[kind].begin(), there_[kind].end(), id)) continue;
      if (auto path = ReadPath(*rows, folders))
        entries.push_back({id, std::move(*path), rows->OptInt64(4).value_or(0)});
    }
  }
  CopyAll(std::move(entries), true);
  const std::vector<std::string> folders_made(folders_.begin(), folders_.end());
  ForEachInParallel(folders_made.size(), kThreads, [&](size_t at, const std::stop_token&) {
    source_.file_system().SyncFolder(folders_made[at]);
  });
}

/// Halves of files that the source does not name any more.
void FileCopier::RemoveUnfinished() {
  FileSystem& files = source_.file_system();
  std::vector<std::string> halves;
  files.List(data_path_, [&](const FileInfo& file) {
    if (file.path.ends_with(FileSystem::kUnfinished)) halves.push_back(file.path);
  });
  for (const std::string& half : halves) files.Remove(half);
}

void FileCopier::Finish() noexcept {
  try {
    if (goes_on_) RemoveUnfinished();
    source_.file_system().Remove(MarkerPath());
  } catch (const std::exception&) {  // the lake is there, and whole
  }
}

}  // namespace tarn
