// Files that a transaction wrote and no commit refers to yet. They are removed when we know that no
// commit will.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tarn/file_system.h"

namespace tarn::engine {

/// Thread safe. Destroying it removes nothing: in doubt a file stays, orphan clean-up is made for
/// that.
class PendingFiles {
 public:
  explicit PendingFiles(FileSystem& file_system);
  ~PendingFiles();
  PendingFiles(const PendingFiles&) = delete;
  PendingFiles& operator=(const PendingFiles&) = delete;

  /// Those of all transactions in this process: orphan clean-up must spare them.
  static std::vector<std::string> OfAllTransactions();

  /// `path` as the file system takes it. Call it before the file exists: a half-written one must go
  /// as well.
  void Add(std::string path);
  /// One that somebody else wrote and the commit will name: it is spared, and never removed.
  void Borrow(std::string path);
  /// Of these, those that are ours will not be part of the commit: their table was dropped.
  void Discard(const std::vector<std::string>& paths);
  /// One of ours is of no use any more and goes at once.
  void Drop(const std::string& path) noexcept;
  bool empty() const;
  /// The commit has happened: the files are no longer ours, but for those that were discarded,
  /// which go.
  void Committed() noexcept;
  /// The commit may have happened: all files stay.
  void Forget();
  /// The commit has surely not happened. What cannot be removed stays for orphan clean-up.
  void RemoveAll() noexcept;

 private:
  void Remove(const std::string& path) noexcept;

  FileSystem& file_system_;
  mutable std::mutex mutex_;
  std::vector<std::string> paths_;
  std::vector<std::string> discarded_;
  std::vector<std::string> borrowed_;
};

}  // namespace tarn::engine
