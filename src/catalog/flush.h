// What a flush finds in the catalog database, when it is planned and again when it commits: rows of
// inlined tables, and deletes of data files that are kept as rows. Format page, section 7.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "catalog/row_changes.h"
#include "tarn/catalog_store.h"
#include "tarn/scan.h"
#include "tarn/schema.h"
#include "tarn/transaction.h"

namespace tarn {

/// Those of the tables that have anything to flush at a snapshot. A constant number of queries
/// beside those that describe the shapes of tables that have.
std::map<TableRef, FlushPlan> PlanTableFlushes(
    StoreConnection& connection, const std::vector<std::shared_ptr<const Table>>& tables,
    SnapshotId snapshot);

/// The rows of an inlined table that began at `base` or before and have ended, sorted; those that a
/// transaction has `removed` end at `snapshot`. Nullopt when not all of the removed are there
/// alive.
std::optional<std::vector<EndedRow>> LoadEndedRows(StoreConnection& connection,
                                                   const std::string& table_name, SnapshotId base,
                                                   const RemovedRows* removed, SnapshotId snapshot);

/// Deletes of data files that the catalog has at a snapshot: all rows, by file, sorted.
std::map<DataFileId, std::vector<FeedPart::PositionDelete>> LoadInlinedDeleteRows(
    StoreConnection& connection, TableId table, SnapshotId snapshot);

/// Lake tables with more than one inlined table.
std::vector<TableId> TablesOfSeveralShapes(StoreConnection& connection);

/// Drops inlined tables of a lake's tables that are empty and not of the newest shape, in
/// transactions of its own. Never waits for their readers: what cannot be dropped now is dropped
/// after a later flush.
void DropEmptyInlinedTables(StoreConnection& connection, const std::vector<TableId>& tables);

}  // namespace tarn
