// Files whose n-th call fails, before or after it has had its effect.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <type_traits>

#include "tarn/error.h"
#include "tarn/file_system.h"
#include "unit/catalog/faulty_store.h"

namespace tarn::test {

/// Counts the calls of all files in one Fault.
class FaultyFileSystem final : public FileSystem {
 public:
  FaultyFileSystem(std::shared_ptr<FileSystem> inner, std::shared_ptr<Fault> fault)
      : inner_(std::move(inner)), fault_(std::move(fault)) {}

  std::optional<FileInfo> Stat(const std::string& path) override {
    return Run("stat", [&] { return inner_->Stat(path); });
  }
  std::unique_ptr<RandomAccessFile> Open(const std::string& path) override {
    return Run("open", [&] { return inner_->Open(path); });
  }
  void CreateDirectories(const std::string& path) override {
    Run("create directories", [&] {
      inner_->CreateDirectories(path);
      return true;
    });
  }
  void Link(const std::string& from, const std::string& to) override {
    Run("link", [&] {
      inner_->Link(from, to);
      return true;
    });
  }
  std::unique_ptr<FileWriter> Create(const std::string& path) override {
    return Run("create", [&] { return inner_->Create(path); });
  }
  void SyncFolder(const std::string& path) override {
    {
      const std::lock_guard lock(mutex_);
      synced_folders.insert(path);
    }
    Run("sync", [&] {
      inner_->SyncFolder(path);
      return true;
    });
  }
  bool Remove(const std::string& path) override {
    return Run("remove", [&] { return inner_->Remove(path); });
  }
  void List(const std::string& folder, const std::function<void(const FileInfo&)>& visit) override {
    Run("list", [&] {
      inner_->List(folder, visit);
      return true;
    });
  }

  std::multiset<std::string> synced_folders;

 private:
  template <class Work>
  std::invoke_result_t<Work> Run(const std::string& where, Work work) {
    if (!Fails(where)) return work();
    if (fault_->after_effect) work();
    throw Error(fault_->code, "A fault was injected at: " + where);
  }
  // Files are used by several threads.
  bool Fails(const std::string& where) {
    const std::lock_guard lock(mutex_);
    const bool fails = fault_->calls++ == fault_->at || (fault_->hit && fault_->lasting);
    if (!fails) return false;
    fault_->hit = true;
    fault_->where = where;
    return true;
  }

  std::shared_ptr<FileSystem> inner_;
  std::shared_ptr<Fault> fault_;
  std::mutex mutex_;
};

}  // namespace tarn::test
