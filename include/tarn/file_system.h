// The only door to storage. Paths are as the lake resolves them; a path is never rewritten here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/error.h"
#include "tarn/snapshot.h"

namespace tarn {

struct FileInfo {
  std::string path;
  int64_t size_bytes = 0;
  Timestamp modified;
};

class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;
  virtual int64_t size_bytes() const = 0;
  /// Reads exactly `length` bytes at `offset`; throws kCorrupt when the file is shorter.
  virtual std::string ReadAt(int64_t offset, int64_t length) = 0;
};

/// A new file. Destroying it before Finish leaves none behind.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  virtual void Append(std::string_view bytes) = 0;
  /// Only now the file is there by its name, whole and synced; SyncFolder makes the name safe, too.
  virtual void Finish() = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual std::optional<FileInfo> Stat(
      const std::string& path) = 0;  ///< absent when there is no such file
  virtual std::unique_ptr<RandomAccessFile> Open(const std::string& path) = 0;
  /// One text for all spellings of a file's path, to tell whether two are the same file: absolute,
  /// links followed where the storage has them. The file need not exist.
  virtual std::string RealPath(const std::string& path) { return path; }
  virtual void CreateDirectories(const std::string& path) = 0;
  /// Lets the file `from` be there as `to`, too: a second name of the same bytes where the storage
  /// has that, else a copy. The name survives a crash after SyncFolder only. Throws kNotFound when
  /// there is no `from`, kAlreadyExists when there is a `to`, kUnsupported where files cannot be
  /// written at all.
  virtual void Link(const std::string& from, const std::string& to);
  /// Makes names that were added to a folder survive a crash, as far as the storage can tell. After
  /// many of them: the first folder waits for what all of them have to write.
  virtual void SyncFolder(const std::string& /*path*/) {}
  /// Begins a new file in a folder that is there, or one in place of another. Until it is finished
  /// it has a name that ends in kUnfinished, where the storage knows half a file at all; one that a
  /// killed process left behind is written over.
  virtual std::unique_ptr<FileWriter> Create(const std::string& path) {
    throw Error(ErrorCode::kUnsupported, "This storage is only read: \"" + path + "\".");
  }
  static constexpr const char* kUnfinished = ".unfinished";
  /// Removes a file; returns false when there was none.
  virtual bool Remove(const std::string& path) = 0;
  /// All files below a folder, recursively; an absent folder has none.
  virtual void List(const std::string& folder,
                    const std::function<void(const FileInfo&)>& visit) = 0;
};

/// The operating system's files (src/data/fs).
std::shared_ptr<FileSystem> LocalFileSystem();

}  // namespace tarn
