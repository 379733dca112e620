// All that one transaction did: the difference of two views, staged files, options, a message.
// Plain values, no database.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/expiry.h"
#include "catalog/row_changes.h"
#include "catalog/view_diff.h"
#include "tarn/lake.h"
#include "tarn/scan.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

struct OptionChange {
  std::string key;
  std::string value;
  OptionScope scope;
};

/// How many rows the catalog keeps of a table, at most, of one insert or one file's deletes.
struct InliningRule {
  OptionSet options;
  int64_t otherwise = 0;  ///< where no option is stored
  int64_t LimitOf(const Table& table) const;
};

/// The transaction made tables what they had been: nobody else may have touched them meanwhile.
struct Restored {
  SnapshotId version;
  std::vector<TableRef> only;  ///< none: the whole lake
};

struct ChangeSet {
  Snapshot base;
  std::shared_ptr<const CatalogView> before;  ///< the base's objects
  std::shared_ptr<const CatalogView> after;   ///< with this transaction's changes
  ViewDiff catalog;                           ///< from `before` to `after`
  std::map<TableRef, RowChanges> rows;        ///< only of tables in `after`; none is empty
  /// What a serialisable transaction has read of the base's tables.
  std::map<TableRef, std::vector<Predicate>> reads;
  std::vector<OptionChange> options;
  std::optional<Restored> restored;
  InliningRule inlining;
  Expiry expiry;
  CommitMessage message;

  /// Files that flushes wrote in vain: the commit does without these flushes.
  std::vector<std::pair<TableRef, DataFile>> unused_files;

  /// Another flush took the rows, or somebody dropped the table.
  void WithdrawFlush(TableRef table);

  /// Options and expired snapshots alone make none.
  bool MakesSnapshot() const { return !catalog.empty() || !rows.empty(); }
  bool empty() const { return !MakesSnapshot() && options.empty() && expiry.snapshots.empty(); }
};

}  // namespace tarn
