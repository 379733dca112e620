// Name mappings of registered files, as the catalog has them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "catalog/change_set.h"
#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/scan.h"

namespace tarn {

/// Reads a row of ducklake_name_mapping, all columns in their order, without the mapping's id.
NameMapEntry ReadNameMapEntry(Rows& rows);

/// The name maps that some of the files need, in one query; none when no file needs any. Throws
/// kCorrupt when one is missing.
std::map<MappingId, std::shared_ptr<const NameMap>> LoadNameMaps(
    StoreConnection& connection, TableId table, const std::vector<ScanFile>& files);

/// Mappings that a commit need not write again: by table and NameMapKey.
using KnownNameMaps = std::map<TableRef, std::map<std::string, MappingId>>;
/// Those of the tables that the changes register files for.
KnownNameMaps LoadKnownNameMaps(StoreConnection& connection, const ChangeSet& changes);

}  // namespace tarn
