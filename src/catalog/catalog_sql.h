// The few SQL fragments and row readers that every reader of the catalog shares.
#pragma once

#include <string_view>
#include <vector>

#include "format/tables.h"
#include "store/statement.h"
#include "tarn/catalog_store.h"
#include "tarn/data_file.h"
#include "tarn/error.h"
#include "tarn/snapshot.h"

namespace tarn {

/// Appends ` (<alias.>begin_snapshot <= s AND (<alias.>end_snapshot IS NULL OR <alias.>end_snapshot
/// > s))`: the rows alive at a snapshot.
void AppendAlive(StatementBuilder& sql, SnapshotId snapshot, std::string_view alias = {});

/// A read transaction for the length of a scope: the connection's own when there is one already,
/// else one that ends with the scope.
class ReadScope {
 public:
  explicit ReadScope(StoreConnection& connection)
      : connection_(connection), is_owner_(!connection.in_transaction()) {
    if (is_owner_) connection_.Begin(TransactionMode::kRead);
  }
  ~ReadScope() {
    if (is_owner_) connection_.Rollback();  // nothing was written: ending it either way is the same
  }
  ReadScope(const ReadScope&) = delete;
  ReadScope& operator=(const ReadScope&) = delete;

 private:
  StoreConnection& connection_;
  bool is_owner_;
};

/// A snapshot that is being read is not there any more. To be looked for in one read transaction
/// with the rows.
Error ExpiredSnapshot(SnapshotId snapshot);
/// Throws it when the snapshot is gone.
void RequireKept(StoreConnection& connection, SnapshotId snapshot);

/// Absent also for what is no time, which some databases take.
std::optional<Timestamp> ReadTime(Rows& rows, int column);

/// Of so few files, what belongs to them is asked for by their ids, so that a query of few files
/// does not fetch what all have that the table ever had.
inline constexpr size_t kMaxNamedFiles = 100;

/// Columns of ducklake_data_file and ducklake_delete_file in the order that the readers below
/// expect.
std::span<const CatalogColumn> DataFileColumns();
DataFile ReadDataFile(Rows& rows, int first_column = 0);
std::span<const CatalogColumn> DeleteFileColumns();
DeleteFile ReadDeleteFile(Rows& rows, int first_column = 0);

/// Whether a delete file may name, without saying so in its row, the snapshot of each of its rows:
/// the reference's flush leaves partial_max NULL where it should be the last of them. Only files
/// that hold rows of several snapshots themselves get such delete files.
bool MayHideSnapshots(const DeleteFile& deletion, std::optional<SnapshotId> partial_max);

}  // namespace tarn
