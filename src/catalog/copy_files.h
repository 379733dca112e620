// The files of a lake that is copied together with them. See include/tarn/copy_lake.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
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

/// Copies files below one data path to the same places below another, each whole or not at all.
/// While it is not done, a marker in the new folder says for which lake and which target it is, so
/// that the same copy goes on and no other does.
class FileCopier {
 public:
  struct Progress {
    std::function<void(int64_t bytes)> done;  ///< of files; may throw to end it
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
  /// Copies what the catalog names in the connection's read transaction and is not there yet.
  /// Throws kCorrupt for files that are missing or not of the recorded size.
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
  /// False when the source's file is gone.
  bool Copy(const Entry& entry, bool must_exist);
  void CopyBytes(const std::string& from, const std::string& to);
  void RemoveUnfinished();

  Lake& source_;
  const std::string data_path_;
  const std::string purpose_;
  const Progress progress_;
  bool goes_on_ = false;           ///< a marker was there
  std::vector<int64_t> there_[2];  ///< ids of data files and of delete files, ascending
  std::set<std::string> folders_;  ///< that were made
  int64_t copied_files_ = 0;
};

/// One pass over the rows of files.
FileTotals MeasureFiles(StoreConnection& connection, const std::string& data_path);

/// A path below the data path, relative to it; nothing for one that lies elsewhere.
std::optional<std::string> BelowDataPath(const std::string& data_path, const LakePath& path);

}  // namespace tarn
