// The one implementation of Lake: what transactions of one lake share.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "catalog/change_set.h"
#include "catalog/committer.h"
#include "catalog/connection_pool.h"
#include "catalog/table_files_cache.h"
#include "catalog/view_cache.h"
#include "tarn/lake.h"
#include "tarn/transaction.h"

namespace tarn {

class LakeImpl final : public Lake {
 public:
  /// What opening a lake found out.
  struct Settled {
    std::string data_path;
    bool encrypted = false;
    bool read_only = false;
    std::optional<std::string> lost_folder;  ///< why nothing can be written: see data_folder.h
  };
  LakeImpl(LakeOptions options, std::unique_ptr<ConnectionPool> pool, Settled settled);

  std::unique_ptr<Transaction> Begin(const SnapshotSelector& at,
                                     std::function<bool()> interrupted) override;
  Snapshot FindSnapshot(const SnapshotSelector& selector) override;
  Snapshot FirstSnapshotFrom(Timestamp time) override;
  std::vector<SnapshotInfo> ListSnapshots() override;
  std::shared_ptr<const CatalogView> ViewAt(const Snapshot& snapshot) override;
  std::optional<SnapshotId> last_committed() const override;
  const std::string& data_path() const override { return settled_.data_path; }
  bool encrypted() const override { return settled_.encrypted; }
  bool read_only() const override { return settled_.read_only; }
  CatalogStore& store() override { return pool_->store(); }
  void SetMetadataCacheSize(int64_t bytes) override { files_.SetBudget(bytes); }
  FileSystem& file_system() override;
  const Environment& environment() const override { return options_.environment; }
  /// Throws kInvalid when files would go to another folder than those that are there.
  void RequireFolder() const;
  const RetryOptions& retry_options() const { return options_.retry; }
  std::string TablePath(const CatalogView& view, const Table& table) const override;

  // For transactions.
  ConnectionPool& pool() { return *pool_; }
  TableFilesCache& files() { return files_; }
  /// Reads inside the connection's transaction; opens one for the time when there is none and the
  /// view is not cached.
  std::shared_ptr<const CatalogView> ViewAt(StoreConnection& connection, const Snapshot& snapshot);
  std::optional<SnapshotId> Commit(ChangeSet& changes, DeleteFileWriter* writer,
                                   const OptionSet& options, const RetryOptions& retry,
                                   const std::function<bool()>& interrupted);

 private:
  /// Of inlined rows: those of older shapes that a flush or an expiry has emptied.
  void DropEmptiedTables(const ChangeSet& changes) noexcept;

  LakeOptions options_;
  std::unique_ptr<ConnectionPool> pool_;
  Settled settled_;
  ViewCache views_;
  TableFilesCache files_;
  Committer committer_;
  mutable std::mutex mutex_;  ///< guards what follows
  std::optional<SnapshotId> last_committed_;
};

}  // namespace tarn
