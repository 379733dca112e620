// What other transactions did to the files of a table since a base, read from the rows that they
// left: the words of their snapshots name tables only.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "catalog/change_set.h"
#include "tarn/catalog_store.h"

namespace tarn {

/// Of the data files that a transaction deletes from or compacts, those that others changed between
/// its base and the head, with the snapshots that did, as far as they are known. A delete of single
/// rows in the catalog counts if one of them is among the transaction's. Three queries.
std::map<DataFileId, std::set<SnapshotId>> FindTouchedFiles(StoreConnection& connection,
                                                            const ChangeSet& mine, TableId table,
                                                            SnapshotId head);

/// The first snapshot since the base that brought rows which one of the transaction's reads of the
/// table may match, judged by statistics; rows kept in the catalog always may.
std::optional<SnapshotId> FindMatchingInsert(StoreConnection& connection, const ChangeSet& mine,
                                             TableId table, const Snapshot& head);

}  // namespace tarn
