// Paths of schemas, tables and files.
#include "format/paths.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/uuid.h"

namespace tarn {
namespace {

constexpr std::string_view kFilePrefix = "ducklake-";
constexpr std::string_view kDataSuffix = ".parquet";
constexpr std::string_view kDeleteSuffix = "-delete.parquet";
constexpr std::string_view kPuffinSuffix = "-delete.puffin";
constexpr size_t kUuidLength = 36;
constexpr size_t kSealLength = 8;
constexpr std::string_view kNullFolder = "__HIVE_DEFAULT_PARTITION__";

bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool IsPlain(char c) { return IsAlpha(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

bool HasDrive(std::string_view path) {
  return path.size() >= 3 && IsAlpha(path[0]) && path[1] == ':' &&
         (path[2] == '/' || path[2] == '\\');
}

bool IsFileUrl(std::string_view path) { return EqualsIgnoreCase(path.substr(0, 5), "file:"); }

/// `s3://…`: a scheme of letters, digits, `+`, `-`, `.`, and two slashes; not `file:`, which is
/// local.
bool IsRemote(std::string_view path) {
  const size_t end = path.find("://");
  if (end == std::string_view::npos || end == 0 || !IsAlpha(path[0]) || IsFileUrl(path))
    return false;
  return std::all_of(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(end),
                     [](char c) { return (IsPlain(c) && c != '_') || c == '+' || c == '.'; });
}

/// The local path of a `file:` URL: `file:///a`, `file:/a` and `file://localhost/a` are all `/a`.
std::string_view WithoutFileUrl(std::string_view path) {
  if (!IsFileUrl(path)) return path;
  path.remove_prefix(5);
  if (!path.starts_with("//")) return path;
  path.remove_prefix(2);
  constexpr std::string_view kLocalHost = "localhost/";
  if (EqualsIgnoreCase(path.substr(0, kLocalHost.size()), kLocalHost)) {
    path.remove_prefix(kLocalHost.size() - 1);
  }
  return path;
}

/// A uuid as text whose last digits are a hash of the others.
std::string Sealed(std::string_view uuid) {
  uuid.remove_suffix(std::min(kSealLength, uuid.size()));
  return fmt::format("{}{:08x}", uuid, Murmur3_32(uuid));
}

}  // namespace

std::string FolderFor(std::string_view name, std::string_view uuid) {
  constexpr size_t kMaxFolderName = 255;  // what file systems take
  const bool plain = !name.empty() && name.size() <= kMaxFolderName &&
                     std::all_of(name.begin(), name.end(), IsPlain);
  return std::string(plain ? name : uuid) + "/";
}

std::string WithTrailingSlash(std::string_view path) {
  std::string out(path);
  if (!out.empty() && out.back() != '/') out.push_back('/');
  return out;
}

std::string JoinPath(std::string_view base, std::string_view path, bool path_is_relative) {
  if (!path_is_relative) return std::string(path);
  return WithTrailingSlash(base).append(path);
}

bool IsAbsolutePath(std::string_view path) {
  return path.starts_with('/') || HasDrive(path) || IsFileUrl(path) || IsRemote(path);
}

std::string NormalPath(std::string_view path) {
  if (IsRemote(path)) return std::string(path);
  path = WithoutFileUrl(path);
  const bool rooted = path.starts_with('/');
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (!parts.empty() && parts.back() != "..") {
        parts.pop_back();
        continue;
      }
      if (rooted) continue;  // there is nothing above the root
    }
    parts.push_back(part);
  }
  std::string out = rooted ? "/" : "";
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += '/';
    out += parts[i];
  }
  return out;
}

std::optional<std::string> RelativeTo(std::string_view folder, std::string_view path) {
  const std::string base = WithTrailingSlash(NormalPath(folder));
  const std::string normal = NormalPath(path);
  if (base.empty()) {
    // The working directory: anything relative that does not climb out of it.
    if (IsAbsolutePath(normal) || normal == ".." || normal.starts_with("../")) return std::nullopt;
    return normal;
  }
  if (normal.size() <= base.size() || !normal.starts_with(base)) return std::nullopt;
  std::string rest = normal.substr(base.size());
  // Below `..` a further `..` leaves the folder again.
  if (rest == ".." || rest.starts_with("../")) return std::nullopt;
  return rest;
}

std::string HiveFolder(std::string_view key, const std::optional<std::string>& value) {
  return UrlEscape(key) + "=" + (value ? UrlEscape(*value) : std::string(kNullFolder)) + "/";
}

std::string DataFileName(std::string_view uuid) {
  return std::string(kFilePrefix).append(Sealed(uuid)).append(kDataSuffix);
}

bool IsOwnFileName(std::string_view path) {
  if (!IsLakeFileName(path)) return false;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string_view uuid = name.substr(kFilePrefix.size(), kUuidLength);
  return name.size() == kFilePrefix.size() + kUuidLength + kDataSuffix.size() &&
         Sealed(uuid) == uuid;
}

std::string DeleteFileName(std::string_view uuid, bool puffin) {
  return std::string(kFilePrefix).append(uuid).append(puffin ? kPuffinSuffix : kDeleteSuffix);
}

bool IsLakeFileName(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  if (!name.starts_with(kFilePrefix)) return false;
  name.remove_prefix(kFilePrefix.size());
  if (name.size() < kUuidLength || !ParseUuid(name.substr(0, kUuidLength))) return false;
  name.remove_prefix(kUuidLength);
  return name == kDataSuffix || name == kDeleteSuffix || name == kPuffinSuffix;
}

}  // namespace tarn
