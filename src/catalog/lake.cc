// Lake: snapshots, views and commits over a pool of connections.
#include <utility>

#include "base/environment.h"
#include "catalog/catalog_reader.h"
#include "catalog/data_folder.h"
#include "catalog/flush.h"
#include "catalog/lake_impl.h"
#include "catalog/lake_opening.h"
#include "catalog/scan_planner.h"
#include "catalog/transaction_impl.h"
#include "tarn/error.h"

namespace tarn {
std::optional<std::string> OptionSet::Find(std::string_view key, std::optional<SchemaRef> schema,
                                           std::optional<TableRef> table) const {
  auto find = [&](std::string_view scope, int64_t scope_id) -> const OptionEntry* {
    for (const OptionEntry& entry : entries_) {
      if (entry.key == key && entry.scope == scope && (scope.empty() || entry.scope_id == scope_id))
        return &entry;
    }
    return nullptr;
  };
  const OptionEntry* found = table ? find("table", ScopeId(*table)) : nullptr;
  if (found == nullptr && schema) found = find("schema", ScopeId(*schema));
  if (found == nullptr) found = find("", 0);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

void OptionSet::Set(OptionEntry entry) {
  for (OptionEntry& existing : entries_) {
    if (existing.key == entry.key && existing.scope == entry.scope &&
        (entry.scope.empty() || existing.scope_id == entry.scope_id)) {
      existing.value = std::move(entry.value);
      return;
    }
  }
  entries_.push_back(std::move(entry));
}

std::shared_ptr<Lake> Lake::Open(LakeOptions options) {
  if (options.store == nullptr)
    throw Error(ErrorCode::kInvalid,
                "LakeOptions::store must name the catalog database of the lake");
  options.environment = WithDefaults(std::move(options.environment));
  auto pool = std::make_unique<ConnectionPool>(options.store);
  LakeImpl::Settled settled = OpenOrCreateLake(*pool, options);
  return std::make_shared<LakeImpl>(std::move(options), std::move(pool), std::move(settled));
}

LakeImpl::LakeImpl(LakeOptions options, std::unique_ptr<ConnectionPool> pool, Settled settled)
    : options_(std::move(options)),
      pool_(std::move(pool)),
      settled_(std::move(settled)),
      committer_(*pool_, views_, options_.environment) {
  if (options_.file_system == nullptr) options_.file_system = LocalFileSystem();
}

std::unique_ptr<Transaction> LakeImpl::Begin(const SnapshotSelector& at,
                                             std::function<bool()> interrupted) {
  ConnectionPool::Lease connection = pool_->Acquire(interrupted);
  const bool pinned = at.version || at.time;
  CatalogReader::Head head = CatalogReader(*connection).ReadHead();
  std::shared_ptr<const CatalogView> view = pinned ? nullptr : views_.Find(head.snapshot);
  if (view == nullptr) {
    // Loading takes several queries, which must see one state of the catalog.
    connection->Begin(TransactionMode::kRead);
    CatalogReader reader(*connection);
    head = reader.ReadHead();
    if (pinned) {
      std::optional<Snapshot> found = reader.FindSnapshot(at);
      if (!found) throw NoSuchSnapshot(at, *connection);
      head.snapshot = *found;
    }
    view = views_.Get(*connection, head.snapshot);
    connection->Rollback();
  }
  auto self = std::static_pointer_cast<LakeImpl>(shared_from_this());
  return std::make_unique<TransactionImpl>(std::move(self), head.snapshot, std::move(view),
                                           std::move(head.options), pinned || settled_.read_only,
                                           std::move(interrupted));
}

Snapshot LakeImpl::FindSnapshot(const SnapshotSelector& selector) {
  ConnectionPool::Lease connection = pool_->Acquire();
  std::optional<Snapshot> found = CatalogReader(*connection).FindSnapshot(selector);
  if (!found && !selector.version && !selector.time)
    return CatalogReader(*connection).ReadHead().snapshot;  // says what is wrong
  if (!found) throw NoSuchSnapshot(selector, *connection);
  return *found;
}

Snapshot LakeImpl::FirstSnapshotFrom(Timestamp time) {
  ConnectionPool::Lease connection = pool_->Acquire();
  std::optional<Snapshot> found = CatalogReader(*connection).FirstSnapshotFrom(time);
  if (!found) throw NoSuchSnapshot({.version = {}, .time = time}, *connection);
  return *found;
}

std::vector<SnapshotInfo> LakeImpl::ListSnapshots() {
  ConnectionPool::Lease connection = pool_->Acquire();
  return CatalogReader(*connection).ListSnapshots();
}

std::shared_ptr<const CatalogView> LakeImpl::ViewAt(const Snapshot& snapshot) {
  if (auto view = views_.Find(snapshot)) return view;
  ConnectionPool::Lease connection = pool_->Acquire();
  return ViewAt(*connection, snapshot);
}

std::shared_ptr<const CatalogView> LakeImpl::ViewAt(StoreConnection& connection,
                                                    const Snapshot& snapshot) {
  if (auto view = views_.Find(snapshot)) return view;
  const bool own_transaction = !connection.in_transaction();
  if (own_transaction) connection.Begin(TransactionMode::kRead);
  std::shared_ptr<const CatalogView> view = views_.Get(connection, snapshot);
  if (own_transaction) connection.Rollback();
  return view;
}

std::optional<SnapshotId> LakeImpl::last_committed() const {
  std::lock_guard lock(mutex_);
  return last_committed_;
}

FileSystem& LakeImpl::file_system() { return *options_.file_system; }

void LakeImpl::RequireFolder() const {
  if (settled_.lost_folder && !HasFolder(settled_.data_path))
    throw Error(ErrorCode::kInvalid, *settled_.lost_folder);
}

std::string LakeImpl::TablePath(const CatalogView& view, const Table& table) const {
  RequireFolder();  // whoever asks is about to write
  return ResolveTablePath(settled_.data_path, view, table);
}

std::optional<SnapshotId> LakeImpl::Commit(ChangeSet& changes, DeleteFileWriter* writer,
                                           const OptionSet& options, const RetryOptions& retry,
                                           const std::function<bool()>& interrupted) {
  auto uses_vectors = [&](const Table& table) {
    auto option = options.Find("write_deletion_vectors", table.schema, table.ref);
    return option ? *option == "true" : writer != nullptr && writer->prefers_deletion_vectors();
  };
  DeleteFiles deletes(changes, {writer, settled_.data_path, uses_vectors, settled_.encrypted});
  std::optional<Snapshot> snapshot =
      committer_.Commit(changes, deletes, {file_system(), settled_.data_path}, retry, interrupted);
  if (!snapshot) {
    if (!changes.expiry.snapshots.empty()) DropEmptiedTables(changes);
    return std::nullopt;
  }
  DropEmptiedTables(changes);
  std::lock_guard lock(mutex_);
  if (!last_committed_ || *last_committed_ < snapshot->id) last_committed_ = snapshot->id;
  return snapshot->id;
}

void LakeImpl::DropEmptiedTables(const ChangeSet& changes) noexcept {
  std::vector<TableId> flushed;
  for (const auto& [table, rows] : changes.rows) {
    if (rows.flush && !rows.flush->tables.empty()) flushed.push_back(table.id());
  }
  const bool all = !changes.expiry.snapshots.empty();
  if (flushed.empty() && !all) return;
  try {
    ConnectionPool::Lease connection = pool_->Acquire();
    DropEmptyInlinedTables(*connection, all ? TablesOfSeveralShapes(*connection) : flushed);
  } catch (const Error&) {
    // The commit has happened; empty tables do no harm.
  }
}

}  // namespace tarn
