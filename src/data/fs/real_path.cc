// See the header.
#include "data/fs/real_path.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "format/paths.h"

namespace tarn {

std::string RealLocalPath(const std::string& path) {
  namespace fs = std::filesystem;
  // Only of URLs: `..` behind a link is not the folder before the link.
  const bool is_url = path.find(':') != std::string::npos;
  const std::string local = is_url ? NormalPath(path) : path;
  if (local.find("://") != std::string::npos) return local;
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(local.c_str(), nullptr),
                                                         &std::free);
  if (real) return real.get();
  std::error_code error;
  const fs::path absolute = fs::absolute(local, error);
  if (error) return local;
  const fs::path nearest = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal().string() : nearest.string();
}

}  // namespace tarn
