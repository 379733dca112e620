// Until version 0.3 a schema version belonged to the whole lake; later, each table has rows of its
// own for the versions that gave it another shape (format page, section 1). Here the latter are
// found from the lives of tables, columns and partition specs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tarn/catalog_store.h"

namespace tarn {

/// What the rows of an older catalog tell.
struct TableHistory {
  struct Version {
    int64_t begin_snapshot;
    int64_t schema_version;
  };
  struct Life {
    int64_t table_id;
    int64_t begin_snapshot;
    std::optional<int64_t> end_snapshot;
  };
  struct Change {
    int64_t table_id;
    int64_t snapshot;
  };
  struct InlinedTable {
    int64_t table_id;
    int64_t schema_version;
  };
  std::vector<Version> versions;  ///< of the lake, in any order
  std::vector<Life> lives;        ///< of tables, one for each name they had
  std::vector<Change> changes;    ///< begins and ends of what makes a table's shape
  std::vector<InlinedTable> inlined;
};

/// A row of ducklake_schema_versions.
struct TableVersion {
  int64_t begin_snapshot;
  int64_t schema_version;
  int64_t table_id;
  friend bool operator==(const TableVersion&, const TableVersion&) = default;
};

TableHistory LoadTableHistory(StoreConnection& connection);

/// In the order of snapshots. A change whose snapshot was expired before anyone wrote down its
/// version gets the next one that is known; of several changes of a table with one version, the
/// last one counts: it made the shape in which the version is found. Inlined rows that began later
/// than their table's shape have a row, too: the reference looks for one, and without it it does
/// not see other tables of that version any more.
std::vector<TableVersion> VersionsOfTables(TableHistory history);

}  // namespace tarn
