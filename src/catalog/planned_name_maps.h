// Name mappings that a commit writes for the files that it registers.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "catalog/commit_plan.h"
#include "catalog/name_maps.h"
#include "catalog/row_changes.h"

namespace tarn {

/// One mapping for all files of one shape of one table; those that are known are not written again.
class PlannedNameMaps {
 public:
  using InsertRow = std::function<void(const CatalogTable&, std::vector<PlanValue>)>;

  explicit PlannedNameMaps(const KnownNameMaps& known) : known_(known) {}

  /// Before the table's files get their ids, as other clients number them: both come from one
  /// counter.
  void Add(TableRef table, const PlanValue& table_id, const RowChanges& rows, int64_t& file_ids,
           const InsertRow& insert);
  /// What goes into the file's mapping_id.
  PlanValue Of(const DataFile& file) const;

 private:
  const KnownNameMaps& known_;
  std::map<const NameMap*, PlanValue> ids_;
};

}  // namespace tarn
