// DuckDB's file system as the kernel's. See file_system.h.
#include "engine/bridge/file_system.h"

#include <chrono>

#include "data/fs/real_path.h"
#include "duckdb/common/file_open_flags.hpp"
#include "duckdb/common/file_system.hpp"
#include "duckdb/common/string_util.hpp"
#include "format/paths.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

/// Storage errors of DuckDB become the kernel's, so that it can tell them from its own.
template <class Call>
auto Translated(Call&& call) -> decltype(call()) {
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const duckdb::InterruptException&) {
    throw Error(ErrorCode::kInterrupted, "Interrupted!");
  } catch (const std::exception& error) {
    throw Error(ErrorCode::kUnavailable, duckdb::ErrorData(error).RawMessage());
  }
}

bool IsLocal(const std::string& normal_path) {
  return normal_path.find("://") == std::string::npos;
}

FileInfo Describe(duckdb::FileHandle& handle, const std::string& path) {
  FileInfo info;
  info.path = path;
  info.size_bytes = static_cast<int64_t>(handle.GetFileSize());
  const auto modified = handle.file_system.GetLastModifiedTime(handle);
  info.modified =
      Timestamp(std::chrono::microseconds(duckdb::Timestamp::GetEpochMicroSeconds(modified)));
  return info;
}

class EngineFile : public RandomAccessFile {
 public:
  EngineFile(duckdb::unique_ptr<duckdb::FileHandle> handle, std::string path)
      : handle_(std::move(handle)),
        path_(std::move(path)),
        size_(static_cast<int64_t>(handle_->GetFileSize())) {}

  int64_t size_bytes() const override { return size_; }

  std::string ReadAt(int64_t offset, int64_t length) override {
    if (offset < 0 || length < 0 || offset > size_ || length > size_ - offset) {
      throw Error(ErrorCode::kCorrupt, "File \"" + path_ + "\" is shorter than expected.");
    }
    return Translated([&] {
      std::string bytes(static_cast<size_t>(length), '\0');
      handle_->Read(bytes.data(), static_cast<duckdb::idx_t>(length),
                    static_cast<duckdb::idx_t>(offset));
      return bytes;
    });
  }

 private:
  duckdb::unique_ptr<duckdb::FileHandle> handle_;
  const std::string path_;
  const int64_t size_;
};

/// A remote file: it is there when its handle is closed, and not before.
class RemoteWriter : public FileWriter {
 public:
  explicit RemoteWriter(duckdb::unique_ptr<duckdb::FileHandle> handle)
      : handle_(std::move(handle)) {}

  void Append(std::string_view bytes) override {
    Translated([&] { handle_->Write(const_cast<char*>(bytes.data()), bytes.size()); });
  }
  void Finish() override {
    Translated([&] { handle_->Close(); });
  }

 private:
  duckdb::unique_ptr<duckdb::FileHandle> handle_;
};

class EngineFileSystem : public tarn::FileSystem {
 public:
  explicit EngineFileSystem(duckdb::DatabaseInstance& db)
      : files_(duckdb::FileSystem::GetFileSystem(db)) {}

  std::optional<FileInfo> Stat(const std::string& path) override {
    return Translated([&]() -> std::optional<FileInfo> {
      const auto handle = OpenIfThere(path);
      if (!handle) return std::nullopt;
      return Describe(*handle, path);
    });
  }

  std::unique_ptr<RandomAccessFile> Open(const std::string& path) override {
    return Translated([&]() -> std::unique_ptr<RandomAccessFile> {
      auto handle = OpenIfThere(path);
      if (!handle) throw Error(ErrorCode::kNotFound, "File \"" + path + "\" does not exist.");
      return std::make_unique<EngineFile>(std::move(handle), path);
    });
  }

  std::string RealPath(const std::string& path) override { return RealLocalPath(path); }

  void CreateDirectories(const std::string& path) override {
    Translated([&] { files_.CreateDirectoriesRecursive(path); });
  }

  void Link(const std::string& from, const std::string& to) override {
    const auto local_from = NormalPath(from);
    const auto local_to = NormalPath(to);
    if (IsLocal(local_from) && IsLocal(local_to)) {
      return LocalFileSystem()->Link(local_from, local_to);
    }
    Translated([&] {
      const auto source = OpenIfThere(from);
      if (!source) throw Error(ErrorCode::kNotFound, "File \"" + from + "\" does not exist.");
      auto copy = files_.OpenFile(
          to, duckdb::FileFlags::FILE_FLAGS_WRITE | duckdb::FileFlags::FILE_FLAGS_FILE_CREATE_NEW);
      std::string buffer(1 << 20, '\0');
      while (const auto got = source->Read(buffer.data(), buffer.size())) {
        copy->Write(buffer.data(), static_cast<duckdb::idx_t>(got));
      }
      copy->Sync();
      copy->Close();
    });
  }

  std::unique_ptr<FileWriter> Create(const std::string& path) override {
    const auto normal = NormalPath(path);
    if (IsLocal(normal)) return LocalFileSystem()->Create(normal);
    return Translated([&]() -> std::unique_ptr<FileWriter> {
      return std::make_unique<RemoteWriter>(files_.OpenFile(
          path,
          duckdb::FileFlags::FILE_FLAGS_WRITE | duckdb::FileFlags::FILE_FLAGS_FILE_CREATE_NEW));
    });
  }

  void SyncFolder(const std::string& path) override {
    const auto normal = NormalPath(path);
    if (IsLocal(normal)) LocalFileSystem()->SyncFolder(normal);
  }

  bool Remove(const std::string& path) override {
    // DuckDB would look whether the file is there first, twice.
    const auto normal = NormalPath(path);
    if (normal.find("://") == std::string::npos) return LocalFileSystem()->Remove(normal);
    return Translated([&] { return files_.TryRemoveFile(path); });
  }

  void List(const std::string& folder, const std::function<void(const FileInfo&)>& visit) override {
    // DuckDB would follow symbolic links.
    const auto normal = NormalPath(folder);
    if (IsLocal(normal)) return LocalFileSystem()->List(normal, visit);
    Translated([&] {
      if (duckdb::FileSystem::IsRemoteFile(folder)) {
        for (const auto& file :
             files_.GlobFiles(WithSlash(folder) + "**", duckdb::FileGlobOptions::ALLOW_EMPTY)) {
          Visit(file.path, visit);
        }
      } else if (files_.DirectoryExists(folder)) {
        ListLocal(WithSlash(folder), visit);
      }
    });
  }

 private:
  static std::string WithSlash(const std::string& folder) {
    return duckdb::StringUtil::EndsWith(folder, "/") ? folder : folder + "/";
  }

  duckdb::unique_ptr<duckdb::FileHandle> OpenIfThere(const std::string& path) {
    return files_.OpenFile(path, duckdb::FileFlags::FILE_FLAGS_READ |
                                     duckdb::FileFlags::FILE_FLAGS_NULL_IF_NOT_EXISTS);
  }

  /// A file may vanish between listing and looking.
  void Visit(const std::string& path, const std::function<void(const FileInfo&)>& visit) {
    if (const auto info = Stat(path)) visit(*info);
  }

  void ListLocal(const std::string& folder, const std::function<void(const FileInfo&)>& visit) {
    std::vector<std::string> folders;
    files_.ListFiles(folder, [&](const std::string& name, bool is_folder) {
      if (is_folder) {
        folders.push_back(folder + name + "/");
      } else {
        Visit(folder + name, visit);
      }
    });
    for (const auto& child : folders) ListLocal(child, visit);
  }

  duckdb::FileSystem& files_;
};

}  // namespace

std::shared_ptr<tarn::FileSystem> MakeFileSystem(duckdb::DatabaseInstance& db) {
  return std::make_shared<EngineFileSystem>(db);
}

}  // namespace tarn::engine
