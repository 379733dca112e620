// Plans a restore from the catalog alone: which data files and inlined rows of a table must end,
// and which come back, so that it holds what it held at an older snapshot.
//
//   data file    at the old version    now                     what the restore makes of it
//   1            alive                 alive, same deletes     nothing: it stays
//   2            alive                 alive, more deletes     it ends, and comes back
//   3            alive                 ended, or merged away   it comes back
//   4            -                     alive                   it ends
//   5 (merged)   alive, some rows      alive                   it ends, and comes back with the
//                are younger                                   younger rows deleted
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarn/catalog_store.h"
#include "tarn/restore.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

/// The two states that a restore compares.
struct RestoreInput {
  Snapshot base;
  const CatalogView& base_view;
  Snapshot version;
  const CatalogView& old_view;
  const CatalogView& new_view;  ///< afterwards
  std::string_view data_path;   ///< in force; ends in "/"
};

/// What becomes of the rows of a table of the old view, which `restored` of the new view is
/// afterwards. Reads inside the connection's transaction.
RestoredTable PlanRestoredRows(StoreConnection& connection, TableRef old, TableRef restored,
                               const RestoreInput& input);

/// What was dropped, and a version that still has it.
struct DroppedTable {
  TableId table;
  SnapshotId version;
};
/// The newest dropped table of a name, with the last version that is kept of it. Throws kNotFound
/// when there is none, or no version of any.
DroppedTable FindDroppedTable(StoreConnection& connection, const std::string& schema,
                              const std::string& table, SnapshotId base);

}  // namespace tarn
