// The cache, and how it refreshes.
#include "catalog/view_cache.h"

#include <utility>

namespace tarn {
namespace {

/// Views share what they have in common, so a few more cost little; time travel over many versions
/// should not fill the memory.
constexpr size_t kMaxViews = 16;

}  // namespace

std::shared_ptr<const CatalogView> ViewCache::Find(const Snapshot& snapshot) {
  std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->snapshot.schema_version != snapshot.schema_version) continue;
    // One id with two times: the catalog was put back to an earlier state and went another way from
    // there. Nothing cached holds.
    if (entry->snapshot.id == snapshot.id && entry->snapshot.time != snapshot.time) {
      entries_.clear();
      return nullptr;
    }
    if (entry->snapshot.id < snapshot.id) entry->snapshot = snapshot;
    entries_.splice(entries_.begin(), entries_, entry);
    return entry->view;
  }
  return nullptr;
}

std::optional<ViewCache::Entry> ViewCache::FindOlder(const Snapshot& snapshot) {
  std::lock_guard lock(mutex_);
  std::optional<Entry> best;
  for (const Entry& entry : entries_) {
    if (entry.snapshot.id < snapshot.id && (!best || best->snapshot.id < entry.snapshot.id))
      best = entry;
  }
  return best;
}

void ViewCache::Add(const Snapshot& snapshot, std::shared_ptr<const CatalogView> view) {
  std::lock_guard lock(mutex_);
  entries_.remove_if(
      [&](const Entry& entry) { return entry.snapshot.schema_version == snapshot.schema_version; });
  entries_.push_front({snapshot, std::move(view)});
  if (entries_.size() > kMaxViews) entries_.pop_back();
}

std::shared_ptr<const CatalogView> ViewCache::Get(StoreConnection& connection,
                                                  const Snapshot& snapshot) {
  if (auto view = Find(snapshot)) return view;
  CatalogReader reader(connection);
  std::shared_ptr<const CatalogView> view;
  if (std::optional<Entry> older = FindOlder(snapshot)) {
    view = reader.RefreshView(*older->view, older->snapshot, snapshot.id).value_or(nullptr);
  }
  if (view == nullptr) view = reader.LoadView(snapshot.id);
  Add(snapshot, view);
  return view;
}

}  // namespace tarn
