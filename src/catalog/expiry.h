// Expiring snapshots: their rows go, and every row that no remaining snapshot sees (format page,
// section 1). Files of such rows are scheduled for deletion, not removed.
#pragma once

#include <string>
#include <vector>

#include "tarn/catalog_store.h"
#include "tarn/ids.h"
#include "tarn/maintenance.h"
#include "tarn/snapshot.h"

namespace tarn {

/// What a commit is to expire.
struct Expiry {
  std::vector<SnapshotId> snapshots;  ///< sorted, each once; those that are gone are ignored
  std::string data_path;              ///< in force; tells which rows name one file
};

/// The snapshots that a request means, in order, with what they changed.
std::vector<SnapshotInfo> FindExpired(StoreConnection& connection, const ExpiryRequest& request);

/// Inside the connection's transaction, which must be one that may write. `now` is when the files
/// begin to wait for their deletion.
///
/// Stays, though no snapshot sees it: former names of a living table, and columns, schema versions
/// and partition specs that rows or files of a living table still need to be read; options of
/// tables that are gone; empty tables of inlined rows.
void ExpireSnapshots(StoreConnection& connection, const Expiry& expiry, Timestamp now);

/// What an expiry would have removed with the snapshots that are gone already: for catalogs that
/// another program has left with rows that nobody sees.
void ForgetUnseen(StoreConnection& connection, const std::string& data_path, Timestamp now);

}  // namespace tarn
