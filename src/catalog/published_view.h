// The view at the snapshot that a commit makes, without reading it back: the head's objects,
// changed as the transaction changed them, with the ids that the commit gave to new ones.
#pragma once

#include <memory>

#include "catalog/change_set.h"
#include "catalog/rebase.h"
#include "tarn/schema.h"

namespace tarn {

/// `head` is the view at the snapshot that `plan` was rebased on. The result equals what loading
/// the new snapshot would give.
std::shared_ptr<const CatalogView> PublishedView(const CatalogView& head, const ChangeSet& changes,
                                                 const RebasedPlan& plan);

}  // namespace tarn
