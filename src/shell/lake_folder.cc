// See the header.
#include "shell/lake_folder.h"

#include <pwd.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "format/paths.h"
#include "shell/terminal.h"
#include "store/catalog_file.h"
#include "store/connection_string.h"
#include "tarn/transaction.h"

namespace tarn::shell {
namespace {

namespace fs = std::filesystem;

/// Ends at the first one: folders of lakes may be large.
bool HasParquetFile(const std::string& folder) {
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".parquet") return true;
  }
  return false;
}

std::string UserName() {
  const passwd* user = ::getpwuid(::geteuid());
  return user ? user->pw_name : std::to_string(::geteuid());
}

}  // namespace

void WarnOfSharedFolder(Lake& lake) {
  if (lake.read_only() || lake.Begin()->base().id.value != 0) return;
  if (!HasParquetFile(NormalPath(lake.data_path()))) return;
  WriteErr(
      fmt::format("Note: the folder {} of this new lake holds Parquet files already. If they are "
                  "another lake's, "
                  "give this one a folder of its own: two lakes remove each other's files.\n",
                  QuoteIdentifier(lake.data_path())));
}

std::string DescribeReadOnly(Lake& lake) {
  const std::string location = lake.store().location();
  const std::string shown = WithoutPasswords(location);
  std::error_code error;
  if (!fs::is_regular_file(location, error))
    return fmt::format("The lake at {} is read-only.", QuoteIdentifier(shown));
  const std::string path = CanonicalPath(location);
  const bool is_file = !CanWrite(path);
  return fmt::format("The lake is read-only: the user {} cannot write {} {}.",
                     QuoteIdentifier(UserName()), is_file ? "the catalog" : "the folder",
                     QuoteIdentifier(is_file ? path : FolderOf(path)));
}

}  // namespace tarn::shell
