// Rows of older catalogs that have another meaning now, or that clients of their time left wrong.
// See migrate.h for the transaction.
#pragma once

#include "tarn/catalog_store.h"

namespace tarn {

/// In 0.1, a partition key names its column by its place among the table's columns, from 0; later,
/// by its id.
void NameKeysByColumnId(StoreConnection& connection);

/// The client of 0.2 let the old row of a column live on when it renamed the column or changed its
/// default or its NOT NULL. A table with two rows of one column cannot be read.
void EndReplacedColumns(StoreConnection& connection);

/// It let columns, files and partition specs of a dropped table live on, too.
void EndWhatHasNoTable(StoreConnection& connection);

}  // namespace tarn
