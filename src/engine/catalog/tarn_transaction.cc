// One DuckDB transaction's part in one lake. See tarn_transaction.h.
#include "engine/catalog/tarn_transaction.h"

#include "duckdb/common/string_util.hpp"
#include "engine/catalog/auto_rollback.h"
#include "engine/catalog/inlining_limit.h"
#include "engine/catalog/snapshot_selector.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/functions/settings.h"
#include "engine/operators/delete_writer.h"

namespace tarn::engine {

TarnTransaction::TarnTransaction(TarnCatalog& catalog, duckdb::TransactionManager& manager,
                                 duckdb::ClientContext& context)
    : duckdb::Transaction(manager, context),
      catalog_(catalog),
      pending_files_(catalog.lake().file_system()) {
  EndFailedStatements(context);
}

TarnTransaction::~TarnTransaction() = default;

TarnTransaction& TarnTransaction::Get(duckdb::ClientContext& context, duckdb::Catalog& catalog) {
  return duckdb::Transaction::Get(context, catalog).Cast<TarnTransaction>();
}

tarn::Transaction& TarnTransaction::kernel() {
  std::lock_guard lock(mutex_);
  return KernelLocked();
}

tarn::Transaction& TarnTransaction::KernelLocked() {
  if (!kernel_) {
    // The check outlives this statement and may be asked while the client goes away.
    auto interrupted = [client = context] {
      const auto locked = client.lock();
      return locked && locked->interrupted;
    };
    kernel_ = catalog_.lake().Begin(catalog_.attach_options().snapshot, std::move(interrupted));
    base_view_ = kernel_->view();
  }
  return *kernel_;
}

bool TarnTransaction::started() {
  std::lock_guard lock(mutex_);
  return kernel_ != nullptr;
}

EntrySet& TarnTransaction::Entries() {
  std::lock_guard lock(mutex_);
  const auto view = KernelLocked().view();
  if (!entries_ || entries_->view() != view) {
    entries_ = view == base_view_ ? catalog_.EntriesOf(view)
                                  : std::make_shared<EntrySet>(catalog_, view, std::nullopt);
    kept_entries_.insert(entries_);
  }
  return *entries_;
}

EntrySet& TarnTransaction::EntriesAt(duckdb::ClientContext& context,
                                     const duckdb::BoundAtClause& at) {
  SnapshotSelector selector;
  if (duckdb::StringUtil::CIEquals(at.Unit(), "version")) {
    selector.version = ToSnapshotId(context, at.GetValue());
  } else if (duckdb::StringUtil::CIEquals(at.Unit(), "timestamp")) {
    selector.time = ToTimestamp(context, at.GetValue());
  } else {
    throw Error(ErrorCode::kInvalid, "Unsupported AT clause unit " + at.Unit() +
                                         ": a lake knows VERSION and TIMESTAMP.");
  }
  std::lock_guard lock(mutex_);
  KernelLocked();
  auto& lake = catalog_.lake();
  const auto snapshot = lake.FindSnapshot(selector);
  auto& entries = entries_at_[snapshot.id];
  if (!entries) entries = std::make_shared<EntrySet>(catalog_, lake.ViewAt(snapshot), snapshot);
  return *entries;
}

std::optional<int64_t> TarnTransaction::RowCount(duckdb::ClientContext& context, TableRef table) {
  std::lock_guard lock(mutex_);
  const auto query = context.transaction.GetActiveQuery();
  if (row_counts_query_ != query) {
    row_counts_ = KernelLocked().RowCounts();
    row_counts_query_ = query;
  }
  const auto found = row_counts_.find(table);
  return found == row_counts_.end() ? std::nullopt : std::optional(found->second);
}

void TarnTransaction::DropTable(const std::shared_ptr<const Table>& table) {
  DiscardFilesOf(table);
  kernel().DropTable(table->ref);
}

void TarnTransaction::DropSchema(const Schema& schema, bool cascade) {
  if (cascade) {
    const auto view = kernel().view();
    for (const auto& [name, table] : view->FindSchema(schema.name)->tables) DiscardFilesOf(table);
  }
  kernel().DropSchema(schema.ref, cascade);
}

void TarnTransaction::DiscardFilesOf(const std::shared_ptr<const Table>& table) {
  if (pending_files_.empty()) return;
  TableScan scan;
  scan.table = table;
  std::vector<std::string> paths;
  for (const auto& file : kernel().PlanScan(scan).files) {
    if (file.is_staged) paths.push_back(file.path);
  }
  pending_files_.Discard(paths);
}

bool TarnTransaction::PrefersDeletionVectors(duckdb::ClientContext& context) const {
  return catalog_.attach_options().write_deletion_vectors.value_or(ReadDeletionVectors(context));
}

void TarnTransaction::Commit(duckdb::ClientContext& context) {
  std::lock_guard lock(mutex_);
  if (!kernel_) return;
  kernel_->SetRetryOptions(ReadRetryOptions(context));
  DeleteWriter delete_writer(*context.db, catalog_, kernel_->options(), pending_files_,
                             PrefersDeletionVectors(context));
  kernel_->SetInliningDefault(DefaultInliningRowLimit(context, catalog_));
  try {
    if (const auto snapshot = kernel_->Commit(&delete_writer)) {
      pending_files_.Committed();
      FollowCommit(context, catalog_, *snapshot, kernel_->options());
    } else {
      pending_files_.RemoveAll();  // nothing was left to commit, so nothing refers to them
    }
  } catch (const Error& error) {
    switch (error.code()) {
      case ErrorCode::kUnknownOutcome:
      case ErrorCode::kInternal:
        pending_files_.Forget();
        break;
      default:
        pending_files_.RemoveAll();
    }
    throw;
  }
}

void TarnTransaction::Rollback() noexcept {
  std::lock_guard lock(mutex_);
  if (kernel_) kernel_->Rollback();
  pending_files_.RemoveAll();
}

}  // namespace tarn::engine
