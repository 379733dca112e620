// The objects of a lake after a restore: those of an older view, kept under their ids, in the place
// of the present ones.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
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

struct RestoredView {
  std::shared_ptr<const CatalogView> view;
  std::map<TableRef, TableRef> tables;  ///< what came back as what
};

/// All objects are the old ones again. Tables and views keep their ids, unless their schema was
/// dropped: a schema comes back as an equal new one, since the catalog takes each id once, or as
/// the one of that name and folder that was made since; and an object whose rows name two schemas
/// cannot be read by other clients once the first one has expired. Macros that are gone, partition
/// specs and sort orders come back as new ones, since their parts lie in tables that know no
/// snapshots. What has not changed is shared with the base.
RestoredView RestoreObjects(const ViewsToRestore& views);

/// The base with one table of the old view. Its schema comes back with it if need be. Throws
/// kAlreadyExists when something else bears a name that is needed; with `replaces` the table of
/// that name makes room, if the one that comes back is gone.
RestoredView RestoreObject(const ViewsToRestore& views, const Table& table, bool replaces);

}  // namespace tarn
