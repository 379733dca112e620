// What a FileSystem does that says nothing else.
#include "tarn/file_system.h"

#include "tarn/error.h"

namespace tarn {

void FileSystem::Link(const std::string& from, const std::string& to) {
  throw Error(
      ErrorCode::kUnsupported,
      "Files cannot be written here, so \"" + from + "\" cannot be there as \"" + to + "\", too.",
      {{"path", to}});
}

}  // namespace tarn
