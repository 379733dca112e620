// Files written but not committed. See pending_files.h.
#include "engine/catalog/pending_files.h"

#include <algorithm>
#include <set>

namespace tarn::engine {
namespace {

/// All that exist. The registry's mutex is taken before theirs.
struct Registry {
  std::mutex mutex;
  std::set<const PendingFiles*> all;
};

Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

}  // namespace

PendingFiles::PendingFiles(FileSystem& file_system) : file_system_(file_system) {
  std::lock_guard lock(TheRegistry().mutex);
  TheRegistry().all.insert(this);
}

PendingFiles::~PendingFiles() {
  std::lock_guard lock(TheRegistry().mutex);
  TheRegistry().all.erase(this);
}

std::vector<std::string> PendingFiles::OfAllTransactions() {
  std::vector<std::string> paths;
  std::lock_guard registry_lock(TheRegistry().mutex);
  for (const PendingFiles* pending : TheRegistry().all) {
    std::lock_guard lock(pending->mutex_);
    paths.insert(paths.end(), pending->paths_.begin(), pending->paths_.end());
    paths.insert(paths.end(), pending->borrowed_.begin(), pending->borrowed_.end());
  }
  return paths;
}

void PendingFiles::Add(std::string path) {
  std::lock_guard lock(mutex_);
  paths_.push_back(std::move(path));
}

void PendingFiles::Borrow(std::string path) {
  std::lock_guard lock(mutex_);
  borrowed_.push_back(std::move(path));
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
  borrowed_.clear();
}

void PendingFiles::Forget() {
  std::lock_guard lock(mutex_);
  paths_.clear();
  discarded_.clear();
  borrowed_.clear();
}

void PendingFiles::RemoveAll() noexcept {
  std::lock_guard lock(mutex_);
  for (const auto& path : paths_) Remove(path);
  for (const auto& path : discarded_) Remove(path);
  paths_.clear();
  discarded_.clear();
  borrowed_.clear();
}

void PendingFiles::Remove(const std::string& path) noexcept {
  try {
    file_system_.Remove(path);
  } catch (...) {  // a storage error here must not hide how the transaction ended; clean-up finds
                   // the file later
  }
}

}  // namespace tarn::engine
