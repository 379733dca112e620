// Rows of catalog tables from one database to another, as they are. See include/tarn/copy_lake.h.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "format/tables.h"
#include "tarn/catalog_store.h"
#include "tarn/scan.h"

namespace tarn {

/// Told how many more rows are done; may throw to end it.
using RowsDone = std::function<void(int64_t rows)>;

/// Streams all rows of a table into the table of this name and these columns, in batches. `change`
/// may change a row, and leaves it out by returning false; empty: all as they are.
void CopyRows(StoreConnection& from, StoreConnection& to, std::string_view table,
              std::span<const CatalogColumn> columns,
              const std::function<bool(std::vector<Value>&)>& change, const RowsDone& done);

/// The same for an inlined table, between two databases of one kind that is not DuckDB: each value
/// is bound as whoever inlined it has bound it.
void CopyInlinedTable(StoreConnection& from, StoreConnection& to, const InlinedScan& scan,
                      const RowsDone& done);

}  // namespace tarn
