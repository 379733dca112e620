// See the header.
#include "store/catalog_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace tarn {
namespace {

// "SQLite format 3" and a zero byte open a SQLite file; DuckDB's four letters stand behind an
// eight-byte checksum.
constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);
constexpr std::string_view kDuckDbMagic("DUCK");
constexpr size_t kDuckDbMagicOffset = 8;
constexpr size_t kHeadBytes = 16;

/// A readable descriptor of this very file that the process has already, or -1.
int FindOpenDescriptor(const struct stat& wanted) {
  DIR* folder = ::opendir("/proc/self/fd");
  if (!folder) return -1;
  int found = -1;
  while (const dirent* entry = ::readdir(folder)) {
    char* end = nullptr;
    const int descriptor = static_cast<int>(std::strtol(entry->d_name, &end, 10));
    struct stat info;
    if (end == entry->d_name || descriptor == ::dirfd(folder) || ::fstat(descriptor, &info) != 0)
      continue;
    if (info.st_dev != wanted.st_dev || info.st_ino != wanted.st_ino) continue;
    if ((::fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY) continue;
    found = descriptor;
    break;
  }
  ::closedir(folder);
  return found;
}

std::string ReadHead(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  const int open_already = FindOpenDescriptor(info);
  const int descriptor =
      open_already >= 0 ? open_already : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::string head(kHeadBytes, '\0');
  const ssize_t count = ::pread(descriptor, head.data(), head.size(), 0);
  if (open_already < 0) ::close(descriptor);
  head.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return head;
}

}  // namespace

std::optional<std::string> DetectCatalogScheme(const std::string& path) {
  const std::string head = ReadHead(path);
  if (head == kSqliteMagic) return "sqlite";
  if (head.size() == kHeadBytes &&
      head.substr(kDuckDbMagicOffset, kDuckDbMagic.size()) == kDuckDbMagic)
    return "duckdb";
  return std::nullopt;
}

bool CanWrite(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.empty() ? "." : path.c_str(), W_OK, AT_EACCESS) == 0;
}

std::string CanonicalPath(const std::string& path) {
  std::error_code failed;
  const auto canonical =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  return failed ? path : canonical.string();
}

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

}  // namespace tarn
