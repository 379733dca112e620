// See deletion_history.h.
#include "data/deletion_history.h"

#include <algorithm>

namespace tarn {

void DeletionHistory::Add(int64_t position, SnapshotId snapshot) {
  if (position < 0) return;  // no row has such a position
  if (snapshot < range_.first || (own_ && snapshot <= *own_)) {
    before_.Add(position);
  } else if (snapshot <= range_.last) {
    events_.push_back({position, snapshot});
  }
}

void DeletionHistory::Settle(std::optional<SnapshotId> end) {
  std::erase_if(events_, [this](const auto& event) { return before_.Contains(event.position); });
  if (!std::is_sorted(events_.begin(), events_.end())) std::sort(events_.begin(), events_.end());
  const auto same_position = [](const auto& a, const auto& b) { return a.position == b.position; };
  events_.erase(std::unique(events_.begin(), events_.end(), same_position), events_.end());
  end_ = own_ && end && *end <= *own_ ? std::nullopt : end;
}

std::optional<SnapshotId> DeletionHistory::At(int64_t position) const {
  const auto found =
      std::lower_bound(events_.begin(), events_.end(), position,
                       [](const auto& event, int64_t wanted) { return event.position < wanted; });
  if (found != events_.end() && found->position == position) return found->snapshot;
  return end_ && !before_.Contains(position) ? end_ : std::nullopt;
}

std::optional<SnapshotId> DeletionHistory::only_snapshot() const {
  if (events_.empty()) return end_;
  const SnapshotId first = events_.front().snapshot;
  if (end_ && *end_ != first) return std::nullopt;
  const bool same = std::all_of(events_.begin(), events_.end(),
                                [first](const auto& event) { return event.snapshot == first; });
  return same ? std::optional(first) : std::nullopt;
}

int64_t DeletionHistory::SelectRemoved(int64_t start, int64_t count, uint32_t* removed) const {
  if (end_) return before_.SelectAlive(start, count, removed);  // sooner or later, all others went
  uint32_t* out = removed;
  auto event =
      std::lower_bound(events_.begin(), events_.end(), start,
                       [](const auto& entry, int64_t wanted) { return entry.position < wanted; });
  for (; event != events_.end() && event->position < start + count; ++event)
    *out++ = static_cast<uint32_t>(event->position - start);
  return out - removed;
}

}  // namespace tarn
