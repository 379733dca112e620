// The objects of a lake after a restore: those of an older view, kept under their ids, in the place
// of the present ones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tarn/schema.h"

namespace tarn {

/// What a restored view is made of.
struct ViewsToRestore {
  const CatalogView& base;  ///< the present
  const CatalogView& old;   ///< the objects to go back to
  /// For objects that come back as new ones.
  std::function<int64_t()> next_ordinal;
  std::function<std::string()> new_uuid;
};

/// All objects are the old ones again. Tables and views keep their ids. Schemas that are gone come
/// back as equal new ones, since the catalog takes each id once, unless one of that name and folder
/// is there; so do macros that are gone, partition specs and sort orders, since their parts lie in
/// tables that know no snapshots. What has not changed is shared with the base.
std::shared_ptr<const CatalogView> RestoreObjects(const ViewsToRestore& views);

/// The base with one table of the old view. Its schema comes back with it if need be. Throws
/// kAlreadyExists when something else bears a name that is needed; with `replaces` the table of
/// that name makes room, if the one that comes back is gone.
std::shared_ptr<const CatalogView> RestoreObject(const ViewsToRestore& views, const Table& table,
                                                 bool replaces);

}  // namespace tarn
