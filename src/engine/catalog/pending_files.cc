// Files written but not committed. See pending_files.h.
#include "engine/catalog/pending_files.h"

namespace tarn::engine {

void PendingFiles::Add(std::string path) {
  std::lock_guard lock(mutex_);
  paths_.push_back(std::move(path));
}

void PendingFiles::Forget() {
  std::lock_guard lock(mutex_);
  paths_.clear();
}

void PendingFiles::RemoveAll() noexcept {
  std::lock_guard lock(mutex_);
  for (const auto& path : paths_) {
    try {
      file_system_.Remove(path);
    } catch (...) {  // a storage error here must not hide why the transaction ended
    }
  }
  paths_.clear();
}

}  // namespace tarn::engine
