// Files that are scheduled for deletion, and what removing many files has in common.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tarn/file_system.h"

namespace tarn {

/// Removes files, several at a time. What cannot be removed does not keep the others from going.
class FileRemover {
 public:
  FileRemover(FileSystem& file_system, std::function<bool()> interrupted)
      : file_system_(file_system), interrupted_(std::move(interrupted)) {}

  /// For each path 0 when the file is still there. One that was not there is gone, too. Throws
  /// kInterrupted. `interrupted` is asked by several threads.
  std::vector<char> Remove(const std::vector<std::string>& paths);
  /// Counts a file that must not be removed, and says why.
  void Refuse(const std::string& reason);
  /// Throws kUnavailable when something could not be removed.
  void Finish() const;

 private:
  FileSystem& file_system_;
  const std::function<bool()> interrupted_;
  size_t failures_ = 0;
  std::string first_failure_;
};

}  // namespace tarn
