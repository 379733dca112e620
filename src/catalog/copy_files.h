// The files of a lake that is copied together with them. See include/tarn/copy_lake.h.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "catalog/table_folders.h"
#include "tarn/catalog_store.h"
#include "tarn/lake.h"

namespace tarn {

/// What the rows of the two tables of files say.
struct FileTotals {
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t outside_files = 0;  ///< of them: not below the data path
  int64_t outside_bytes = 0;
};

/// Copies files below one data path to the same places below another, several at a time and each
/// whole or not at all. While it is not done, a marker in the new folder says for which lake and
/// which target it is, so that the same copy goes on and no other does.
class FileCopier {
 public:
  struct Progress {
    /// Of files; may throw to end it. Called by any thread, by one at a time.
    std::function<void(int64_t bytes)> done;
  };

  /// `purpose`: what the marker says.
  FileCopier(Lake& source, std::string data_path, std::string purpose, Progress progress);

  /// Throws kInvalid when the folder lies in the source's or around it, or holds other files.
  void RequireFolder();
  /// Makes the folder and the marker.
  void Begin();
  /// Copies what the catalog names now, in short read transactions. A file that goes away meanwhile
  /// is no error: what counts is what CopyRest finds.
  void CopyAhead(StoreConnection& connection);
  /// Copies what the catalog names in the connection's read transaction and is not there yet; then
  /// all of them survive a crash. Throws kCorrupt for files that are missing or not of the recorded
  /// size.
  void CopyRest(StoreConnection& connection);
  /// Takes the marker away. Throws nothing: the copy is done.
  void Finish() noexcept;

  int64_t copied_files() const { return copied_files_; }

  /// Where a path of the source's rows lies now: nothing for one that stays as it is.
  std::optional<std::string> Moved(const std::string& path, bool is_relative) const;

 private:
  struct Entry {
    int64_t id = 0;
    LakePath path;
    int64_t size_bytes = 0;
  };
  std::string MarkerPath() const { return data_path_ + ".tarn-copy"; }
  std::optional<std::string> ReadMarker();
  /// Copies several at a time. Returns those of which the source's file is there.
  std::vector<int64_t> CopyAll(std::vector<Entry> entries, bool must_exist);
  /// False when the source's file is gone.
  bool Copy(const Entry& entry, bool must_exist, const std::stop_token& stop);
  void CopyBytes(const std::string& from, const std::string& to, const std::stop_token& stop);
  void Done(int64_t bytes);
  /// Makes the folder of a file, once.
  void UseFolder(const std::string& file);
  void RemoveUnfinished();

  Lake& source_;
  const std::string data_path_;
  const std::string purpose_;
  const Progress progress_;
  bool goes_on_ = false;           ///< a marker was there
  std::vector<int64_t> there_[2];  ///< ids of data files and of delete files, ascending
  std::mutex mutex_;               ///< of what follows, and of progress
  std::set<std::string> folders_;  ///< that are there, and hold files or folders of them
  int64_t copied_files_ = 0;
};

/// One pass over the rows of files.
FileTotals MeasureFiles(StoreConnection& connection, const std::string& data_path);

/// A path below the data path, relative to it; nothing for one that lies elsewhere.
std::optional<std::string> BelowDataPath(const std::string& data_path, const LakePath& path);

}  // namespace tarn
