// Files written but not committed. See pending_files.h.
#include "engine/catalog/pending_files.h"

#include <algorithm>
#include <set>

namespace tarn::engine {

void PendingFiles::Add(std::string path) {
  std::lock_guard lock(mutex_);
  paths_.push_back(std::move(path));
}

void PendingFiles::Discard(const std::vector<std::string>& paths) {
  const std::set<std::string> gone(paths.begin(), paths.end());
  std::lock_guard lock(mutex_);
  const auto kept = std::partition(paths_.begin(), paths_.end(),
                                   [&](const auto& path) { return !gone.contains(path); });
  discarded_.insert(discarded_.end(), kept, paths_.end());
  paths_.erase(kept, paths_.end());
}

void PendingFiles::Drop(const std::string& path) noexcept {
  std::lock_guard lock(mutex_);
  std::erase(paths_, path);
  Remove(path);
}

bool PendingFiles::empty() const {
  std::lock_guard lock(mutex_);
  return paths_.empty();
}

void PendingFiles::Committed() noexcept {
  std::lock_guard lock(mutex_);
  for (const auto& path : discarded_) Remove(path);
  discarded_.clear();
  paths_.clear();
}

void PendingFiles::Forget() {
  std::lock_guard lock(mutex_);
  paths_.clear();
  discarded_.clear();
}

void PendingFiles::RemoveAll() noexcept {
  std::lock_guard lock(mutex_);
  for (const auto& path : paths_) Remove(path);
  for (const auto& path : discarded_) Remove(path);
  paths_.clear();
  discarded_.clear();
}

void PendingFiles::Remove(const std::string& path) noexcept {
  try {
    file_system_.Remove(path);
  } catch (...) {  // a storage error here must not hide how the transaction ended; clean-up finds
                   // the file later
  }
}

}  // namespace tarn::engine
