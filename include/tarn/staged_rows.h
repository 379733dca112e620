// Rows of a transaction that are to be kept in the catalog database instead of a file (format page,
// section 7). The kernel knows when and where they go, the engine what they are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

/// Some rows, numbered from 0. Immutable and thread safe.
class StagedRows {
 public:
  virtual ~StagedRows() = default;

  virtual int64_t count() const = 0;
  /// The table as it was when the rows were staged: they have its columns.
  virtual const std::shared_ptr<const Table>& shape() const = 0;
  /// The rows have ids already, as an update's have. Else the commit numbers them.
  virtual bool keeps_row_ids() const = 0;
  /// These rows and then those of `next` as one, so that many small inserts of a transaction are
  /// few things to scan; null when that does not pay or their shapes differ.
  virtual std::shared_ptr<const StagedRows> Join(const StagedRows& next) const = 0;

  /// What the rows say of each leaf column of `table`, which may have been altered since, in its
  /// order; those of `without` (sorted) left out. Bounds are texts as a plain cast gives them.
  /// Counts of 0 are true: there is neither a value nor a NULL.
  virtual std::vector<ColumnStats> Describe(const Table& table,
                                            std::span<const int64_t> without) const = 0;

  /// Where the rows go.
  struct Target {
    std::string_view table_name;  ///< of the inlined table
    const Table& table;           ///< whose columns it has
    SnapshotId snapshot;          ///< they begin there
    int64_t first_row_id = 0;     ///< of those that have no ids
  };
  /// Inserts the rows less those of `without`; values are bound.
  virtual void Insert(StoreConnection& connection, const Target& target,
                      std::span<const int64_t> without) const = 0;
};

}  // namespace tarn
