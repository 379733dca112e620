// All that one transaction did: the difference of two views, staged files, options, a message.
// Plain values, no database.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "catalog/view_diff.h"
#include "tarn/data_file.h"
#include "tarn/lake.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"

namespace tarn {

/// What a transaction did to one table's rows.
struct RowChanges {
  std::vector<DataFile> data_files;   ///< inserted, in this order
  std::set<DataFileId> deleted_from;  ///< committed data files that lose rows
  bool empty() const { return data_files.empty() && deleted_from.empty(); }
};

struct OptionChange {
  std::string key;
  std::string value;
  OptionScope scope;
};

struct ChangeSet {
  Snapshot base;
  std::shared_ptr<const CatalogView> before;  ///< the base's objects
  std::shared_ptr<const CatalogView> after;   ///< with this transaction's changes
  ViewDiff catalog;                           ///< from `before` to `after`
  std::map<TableRef, RowChanges> rows;        ///< only of tables in `after`
  std::vector<OptionChange> options;
  CommitMessage message;

  /// Options alone make no snapshot.
  bool MakesSnapshot() const { return !catalog.empty() || !rows.empty(); }
  bool empty() const { return !MakesSnapshot() && options.empty(); }
};

}  // namespace tarn
