// Reads snapshots, options, objects and statistics from a catalog database: one query per kind,
// whatever the number of objects.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "catalog/catalog_view.h"
#include "store/statement.h"
#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/error.h"
#include "tarn/lake.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

/// Appends ` AND begin_snapshot <= s AND (end_snapshot IS NULL OR end_snapshot > s)` for rows of
/// one table, behind an alias if given.
void AppendAliveAt(StatementBuilder& sql, SnapshotId snapshot, std::string_view alias = {});

/// "No snapshot found at version 9", and which ones the lake keeps.
Error NoSuchSnapshot(const SnapshotSelector& selector, StoreConnection& connection);

/// Reads on one connection, inside its transaction if it has one. Does not outlive the connection.
class CatalogReader {
 public:
  explicit CatalogReader(StoreConnection& connection) : connection_(connection) {}

  struct Head {
    Snapshot snapshot;
    OptionSet options;
  };
  /// The newest snapshot and all options in one statement, so that beginning a transaction costs
  /// one round trip. Throws kCorrupt when there is no snapshot at all.
  Head ReadHead();

  /// Absent when there is none that fits.
  std::optional<Snapshot> FindSnapshot(const SnapshotSelector& selector);
  /// The first snapshot at or after a time; absent when all are older.
  std::optional<Snapshot> FirstSnapshotFrom(Timestamp time);
  std::vector<SnapshotInfo> ListSnapshots();
  /// Those with after < id <= upto, in order.
  std::vector<SnapshotInfo> SnapshotsBetween(SnapshotId after, SnapshotId upto);
  /// Those from `first` on, in order: at most `limit`.
  std::vector<SnapshotInfo> SnapshotsFrom(SnapshotId first, size_t limit);

  /// All objects alive at a snapshot.
  std::shared_ptr<const CatalogView> LoadView(SnapshotId at);
  /// The view at `to` from the one at the older snapshot `from`: reads what began or ended in
  /// between. Absent when that cannot be told from the rows any more (`from` was expired or is
  /// another snapshot by now) or when it would not pay.
  std::optional<std::shared_ptr<const CatalogView>> RefreshView(const CatalogView& view,
                                                                const Snapshot& from,
                                                                SnapshotId to);

  /// Statistics of those tables that have any.
  std::map<TableId, TableStats> LoadTableStats(std::span<const TableId> tables);
  /// Of the given columns of a table, those in which each row of each file is known to be NULL,
  /// with no rows kept elsewhere.
  std::set<FieldId> FindAllNullColumns(TableId table, std::span<const FieldId> fields);

 private:
  StoreConnection& connection_;
};

}  // namespace tarn
