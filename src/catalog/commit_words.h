// What changes_made says of a commit (format page, section 9).
#pragma once

#include <map>
#include <vector>

#include "base/assert.h"
#include "catalog/commit_plan.h"

namespace tarn {

/// An object's id: its own, or the one that it gets by `new_objects` (CommitPlan::new_objects).
template <class IdType>
PlanValue PlannedId(Ref<IdType> ref, const std::map<int64_t, int64_t>& new_objects) {
  if (!ref.is_new()) return Value(ref.id().value);
  auto offset = new_objects.find(ref.ordinal());
  TARN_ASSERT(offset != new_objects.end());
  return HeadRelative{HeadRelative::From::kCatalogId, offset->second};
}

std::vector<PlanWord> BuildWords(const ChangeSet& changes, const SettledDeletes& deletes,
                                 const std::map<int64_t, int64_t>& new_objects);

}  // namespace tarn
