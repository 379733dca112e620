// The operating system's files behind the FileSystem interface.
//
// Error codes say what the caller can do: a file that is not there is kNotFound, one that ends too
// early is kCorrupt, and whatever the system refuses or cannot do now (permissions, a broken disk,
// too many open files) is kUnavailable. Each sentence names the path.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "data/fs/real_path.h"
#include "tarn/error.h"
#include "tarn/file_system.h"

namespace tarn {
namespace {

// No single read is larger: a size that a hostile footer claims never becomes one huge allocation
// beyond the file's own size.
constexpr size_t kReadStepBytes = 1 << 26;

std::string SystemText(int error) { return std::generic_category().message(error); }

[[noreturn]] void ThrowSystemError(int error, std::string_view doing, const std::string& path) {
  if (error == ENOENT || error == ENOTDIR) {
    throw Error(ErrorCode::kNotFound, fmt::format("There is no file \"{}\".", path),
                {{"path", path}});
  }
  throw Error(ErrorCode::kUnavailable,
              fmt::format("Cannot {} \"{}\": {}.", doing, path, SystemText(error)),
              {{"path", path}});
}

[[noreturn]] void ThrowExists(const std::string& path) {
  throw Error(ErrorCode::kAlreadyExists, fmt::format("There is a file \"{}\" already.", path),
              {{"path", path}});
}

Timestamp ModifiedTime(const struct stat& status) {
  return Timestamp(std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::seconds(status.st_mtim.tv_sec) +
      std::chrono::nanoseconds(status.st_mtim.tv_nsec)));
}

FileInfo ToInfo(const std::string& path, const struct stat& status) {
  return {path, static_cast<int64_t>(status.st_size), ModifiedTime(status)};
}

class LocalFile final : public RandomAccessFile {
 public:
  explicit LocalFile(std::string path) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) ThrowSystemError(errno, "open", path_);
    struct stat status;
    if (::fstat(descriptor_, &status) != 0) {
      int error = errno;
      ::close(descriptor_);
      ThrowSystemError(error, "open", path_);
    }
    if (!S_ISREG(status.st_mode)) {
      ::close(descriptor_);
      throw Error(ErrorCode::kInvalid, fmt::format("\"{}\" is not a file.", path_),
                  {{"path", path_}});
    }
    size_bytes_ = status.st_size;
  }
  ~LocalFile() override { ::close(descriptor_); }
  LocalFile(const LocalFile&) = delete;
  LocalFile& operator=(const LocalFile&) = delete;

  int64_t size_bytes() const override { return size_bytes_; }

  std::string ReadAt(int64_t offset, int64_t length) override {
    if (offset < 0 || length < 0 || offset > size_bytes_ || length > size_bytes_ - offset) {
      ThrowShort(offset, length);
    }
    std::string bytes(static_cast<size_t>(length), '\0');
    size_t done = 0;
    while (done < bytes.size()) {
      ssize_t got =
          ::pread(descriptor_, bytes.data() + done, std::min(bytes.size() - done, kReadStepBytes),
                  static_cast<off_t>(offset + static_cast<int64_t>(done)));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) ThrowSystemError(errno, "read", path_);
      if (got == 0) ThrowShort(offset, length);  // somebody cut the file while it was open
      done += static_cast<size_t>(got);
    }
    return bytes;
  }

 private:
  [[noreturn]] void ThrowShort(int64_t offset, int64_t length) const {
    throw Error(
        ErrorCode::kCorrupt,
        fmt::format("\"{}\" is too short: {} bytes were expected at offset {}, the file has {}.",
                    path_, length, offset, size_bytes_),
        {{"path", path_}});
  }

  std::string path_;
  int descriptor_ = -1;
  int64_t size_bytes_ = 0;
};

/// Closes itself.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, std::string_view doing)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (value_ < 0 && errno == EEXIST) ThrowExists(path);
    if (value_ < 0) ThrowSystemError(errno, doing, path);
  }
  ~Descriptor() { ::close(value_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

void CopyBytes(const std::string& from, const std::string& to) {
  const Descriptor source(from, O_RDONLY, "read");
  const Descriptor copy(to, O_WRONLY | O_CREAT | O_EXCL, "write");
  std::string buffer(1 << 20, '\0');
  for (;;) {
    const ssize_t got = ::read(source.value(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) ThrowSystemError(errno, "read", from);
    if (got == 0) break;
    for (ssize_t done = 0; done < got;) {
      const ssize_t put =
          ::write(copy.value(), buffer.data() + done, static_cast<size_t>(got - done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) ThrowSystemError(errno, "write", to);
      done += put;
    }
  }
  if (::fsync(copy.value()) != 0) ThrowSystemError(errno, "write", to);
}

/// Writes under another name until it is whole. The lock keeps two processes from writing one file
/// at once; it goes with its owner.
class LocalWriter final : public FileWriter {
 public:
  explicit LocalWriter(std::string path)
      : path_(std::move(path)), unfinished_(path_ + FileSystem::kUnfinished) {
    descriptor_ = ::open(unfinished_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) ThrowSystemError(errno, "write", unfinished_);
    // Somebody who finished in between has given the file its name: it is none to write over.
    struct stat opened, named;
    const bool is_ours = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 &&
                         ::fstat(descriptor_, &opened) == 0 &&
                         ::stat(unfinished_.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
    if (!is_ours || ::ftruncate(descriptor_, 0) != 0) {
      ::close(descriptor_);
      throw Error(
          ErrorCode::kUnavailable,
          fmt::format("\"{}\" is being written by another process: wait until it has ended.",
                      path_),
          {{"path", path_}});
    }
  }
  ~LocalWriter() override {
    if (descriptor_ < 0) return;
    ::unlink(unfinished_.c_str());
    ::close(descriptor_);
  }
  LocalWriter(const LocalWriter&) = delete;
  LocalWriter& operator=(const LocalWriter&) = delete;

  void Append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written =
          ::write(descriptor_, bytes.data(), std::min(bytes.size(), kReadStepBytes));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) Fail();
      bytes.remove_prefix(static_cast<size_t>(written));
    }
  }

  void Finish() override {
    if (::fsync(descriptor_) != 0) Fail();
    if (::rename(unfinished_.c_str(), path_.c_str()) != 0) Fail();
    ::close(std::exchange(descriptor_, -1));
  }

 private:
  [[noreturn]] void Fail() {
    const int error = errno;
    throw Error(ErrorCode::kUnavailable,
                fmt::format("Cannot write \"{}\": {}.", path_, SystemText(error)),
                {{"path", path_}});
  }

  const std::string path_;
  const std::string unfinished_;
  int descriptor_ = -1;
};

class LocalFiles final : public FileSystem {
 public:
  std::optional<FileInfo> Stat(const std::string& path) override {
    struct stat status;
    if (::stat(path.c_str(), &status) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
      ThrowSystemError(errno, "look at", path);
    }
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return ToInfo(path, status);
  }

  std::unique_ptr<RandomAccessFile> Open(const std::string& path) override {
    return std::make_unique<LocalFile>(path);
  }

  std::string RealPath(const std::string& path) override { return RealLocalPath(path); }

  void CreateDirectories(const std::string& path) override {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) {
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("Cannot create the folder \"{}\": {}.", path, error.message()),
                  {{"path", path}});
    }
  }

  void Link(const std::string& from, const std::string& to) override {
    // What a symbolic link leads to, not the link.
    if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      switch (errno) {
        case EEXIST:
          ThrowExists(to);
        case EXDEV:  // on another disk
        case EPERM:  // a file system without links, or a file of somebody else
        case EMLINK:
        case EOPNOTSUPP:
        case ENOSYS:
          CopyBytes(from, to);
          break;
        default:
          ThrowSystemError(errno, "link", from);
      }
      return;
    }
    // Whoever removes old files that no catalog knows takes it for one, with the age of the other.
    if (::utimensat(AT_FDCWD, to.c_str(), nullptr, 0) == 0) return;
    ::unlink(to.c_str());
    CopyBytes(from, to);
  }

  void SyncFolder(const std::string& path) override {
    // What cannot be synced is as safe as the system makes it.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
  }

  std::unique_ptr<FileWriter> Create(const std::string& path) override {
    return std::make_unique<LocalWriter>(path);
  }

  bool Remove(const std::string& path) override {
    if (::unlink(path.c_str()) == 0) return true;
    if (errno == ENOENT || errno == ENOTDIR || errno == EISDIR) return false;
    ThrowSystemError(errno, "remove", path);
  }

  // Symbolic links are neither listed nor followed: what they lead to may lie outside the folder,
  // and a caller that removes orphans must never reach it. The folder itself may be a link, its
  // owner chose that.
  void List(const std::string& folder, const std::function<void(const FileInfo&)>& visit) override {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::recursive_directory_iterator entries(folder.empty() ? "." : folder, error);
    if (error) {
      if (error.value() == ENOENT || error.value() == ENOTDIR) return;
      ThrowList(folder, error);
    }
    for (; entries != fs::recursive_directory_iterator(); entries.increment(error)) {
      struct stat status;
      std::string path = entries->path().string();
      // A file that vanished since it was listed is simply not there.
      if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
      visit(ToInfo(path, status));
    }
    if (error) ThrowList(folder, error);
  }

 private:
  [[noreturn]] static void ThrowList(const std::string& folder, const std::error_code& error) {
    throw Error(ErrorCode::kUnavailable,
                fmt::format("Cannot list the folder \"{}\": {}.", folder, error.message()),
                {{"path", folder}});
  }
};

}  // namespace

std::shared_ptr<FileSystem> LocalFileSystem() {
  static std::shared_ptr<FileSystem> instance = std::make_shared<LocalFiles>();
  return instance;
}

}  // namespace tarn
