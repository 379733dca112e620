// Which rows of a change feed are updates: rows that went and came back in one snapshot.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "data/delete_mask.h"
#include "duckdb.hpp"
#include "engine/operators/scan_source.h"
#include "tarn/scan.h"

namespace tarn::engine {

/// Row ids by snapshot, compressed.
class RowsBySnapshot {
 public:
  void Add(SnapshotId snapshot, int64_t row_id) { rows_[snapshot].Add(row_id); }
  bool Contains(SnapshotId snapshot, int64_t row_id) const;
  bool Touches(SnapshotRange range) const;
  bool empty() const { return rows_.empty(); }

 private:
  std::map<SnapshotId, DeleteMask> rows_;
};

/// The updates among the changes of `plan`, a feed's plan without a predicate. Reads no column but
/// row ids, and those only of snapshots that both brought and took rows.
RowsBySnapshot FindUpdates(duckdb::ClientContext& context, ScanSource& source,
                           const ScanPlan& plan);

/// "insert", "delete", "update_preimage" or "update_postimage" for rows of one side, from
/// expressions for their row ids and snapshots.
duckdb::unique_ptr<duckdb::Expression> ChangeTypeExpression(
    std::shared_ptr<const RowsBySnapshot> updates, FeedPart::Side side, SnapshotRange snapshots,
    duckdb::unique_ptr<duckdb::Expression> row_id, duckdb::unique_ptr<duckdb::Expression> snapshot);

}  // namespace tarn::engine
