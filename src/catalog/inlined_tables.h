// The tables of the catalog database that hold rows instead of files (format page, section 7).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "catalog/column_history.h"
#include "store/statement.h"
#include "tarn/catalog_store.h"
#include "tarn/error.h"
#include "tarn/scan.h"
#include "tarn/schema.h"

namespace tarn {

/// A row of ducklake_inlined_data_tables, with how many of its rows are alive at the snapshot asked
/// for.
struct InlinedTable {
  TableId table;
  std::string table_name;
  int64_t schema_version = 0;
  int64_t live_rows = 0;
};

/// Inlined tables of one lake table (or of all) that have live rows. Two queries for one table; for
/// all of them one more per some hundred inlined tables, which is what one statement can hold. A
/// registered table that is gone from the database throws kCorrupt, and so do rows without a
/// beginning where one table is asked for.
std::vector<InlinedTable> LoadInlinedTables(StoreConnection& connection,
                                            std::optional<TableId> table, SnapshotId snapshot);

/// The same with rows that began at the snapshot or before, alive or not.
std::vector<InlinedTable> LoadBegunInlinedTables(StoreConnection& connection,
                                                 std::optional<TableId> table, SnapshotId snapshot);

/// Inlined tables of all lake tables with rows that meet a condition; live_rows counts those.
std::vector<InlinedTable> LoadInlinedTablesWith(
    StoreConnection& connection, const std::function<void(StatementBuilder&)>& append_condition);

/// Inlined tables of one lake table with rows that began, or that ended, in a range of snapshots,
/// as `side` says; live_rows counts those. Rows that began and ended at once count as neither.
std::vector<InlinedTable> LoadChangedInlinedTables(StoreConnection& connection, TableId table,
                                                   FeedPart::Side side, SnapshotRange range);

/// What to say when the database refuses a statement on an inlined table: it has other columns than
/// it was made with.
Error UnreadableInlinedTable(const Error& error);

/// Appends the condition for such rows: ` begin_snapshot >= … AND …`.
void AppendChanged(StatementBuilder& sql, FeedPart::Side side, SnapshotRange range);

/// Rows of all inlined delete tables, counted: how many positions of each data file are gone. One
/// query per some hundred tables. Positions that a file does not have do not count.
std::map<DataFileId, int64_t> CountInlinedDeletes(StoreConnection& connection,
                                                  const std::vector<TableId>& tables,
                                                  SnapshotId snapshot);

/// Positions that inlined deletes removed from each data file up to a snapshot, sorted, each once;
/// of files with ids greater than `after` only, if that is given. Two queries at most.
std::map<DataFileId, std::vector<int64_t>> LoadInlinedDeletes(StoreConnection& connection,
                                                              TableId table, SnapshotId snapshot,
                                                              DataFileId after = {});

/// Takes out those of them that a data file of so many rows does not have. No client writes such;
/// `tarn check` names them, and whoever reads the file ignores them.
void DropPositionsBeyond(int64_t row_count, std::vector<int64_t>& positions);

/// Describes inlined tables for a reader: the shape that each was made with. Two more queries, and
/// one for each shape whose version is missing from ducklake_schema_versions.
std::vector<InlinedScan> DescribeInlinedTables(StoreConnection& connection,
                                               const std::shared_ptr<const Table>& table,
                                               const std::vector<InlinedTable>& inlined,
                                               SnapshotId snapshot);

/// The same for one inlined table, of a table that may be gone from the newest snapshot: its shape
/// has columns and an id only. Two or three queries.
InlinedScan DescribeInlinedTable(StoreConnection& connection, TableId table,
                                 const std::string& table_name, int64_t schema_version);

}  // namespace tarn
