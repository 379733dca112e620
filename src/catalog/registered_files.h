// A file belongs to one lake's table once: registered twice, it would be deleted from, compacted
// and cleaned up twice.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "catalog/change_set.h"
#include "catalog/conflicts.h"
#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/file_system.h"

namespace tarn {

/// Where the lake's files lie.
struct LakePlace {
  FileSystem& file_system;
  std::string_view data_path;
};

/// The real paths of many files: those with names that lakes make are no links, so that only their
/// folders are looked up.
class RealPaths {
 public:
  explicit RealPaths(FileSystem& file_system) : file_system_(file_system) {}
  std::string Of(const std::string& path);

 private:
  FileSystem& file_system_;
  std::map<std::string, std::string, std::less<>> folders_;
};

/// Of the files of `wanted` (real paths), one that the catalog knows: as a data file of any table,
/// dropped or not, or as one that clean-up will delete. Only data files with an id of `first` or
/// later are looked at if that is given.
struct KnownFile {
  std::string path;
  std::string table;  ///< empty: waits to be deleted
};
std::optional<KnownFile> FindKnownFile(StoreConnection& connection, const LakePlace& place,
                                       const std::set<std::string>& wanted,
                                       std::optional<DataFileId> first = {});

/// Another transaction has registered one of the same files since the base of these changes.
std::optional<Conflict> FindRegisteredTwice(StoreConnection& connection, const LakePlace& place,
                                            const ChangeSet& changes);

}  // namespace tarn
