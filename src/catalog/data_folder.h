// Which folder a data path means, for a lake that is being opened.
#pragma once

#include <optional>
#include <string>

#include "tarn/catalog_store.h"

namespace tarn {

/// A relative data path is meant from the working folder. Where that has no such folder, it is the
/// one beside the catalog file, if that is there.
std::string PlaceDataPath(const std::string& data_path, const CatalogStore& store);

/// Whether two data paths mean the same folder. A relative one in the catalog means any folder that
/// is there and whose path ends like it.
bool IsSameFolder(const std::string& given, const std::string& stored);

/// See DescribeLostFolder of tarn/data_folder.h; costs a query only when the folder is not there.
std::optional<std::string> DescribeLostFolder(StoreConnection& connection,
                                              const std::string& data_path,
                                              const CatalogStore& store);

/// Whether files could be in the folder of a data path: false for one that is not there. Remote
/// paths always could.
bool HasFolder(const std::string& data_path);

}  // namespace tarn
