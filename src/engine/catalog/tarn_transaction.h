// One DuckDB transaction's part in one lake. The kernel's transaction begins at the first use of
// the lake, so that is when the snapshot is fixed, not at BEGIN.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/planner/tableref/bound_at_clause.hpp"
#include "duckdb/transaction/transaction.hpp"
#include "engine/catalog/entry_set.h"
#include "engine/catalog/pending_files.h"
#include "tarn/transaction.h"

namespace tarn::engine {

class TarnCatalog;

/// Owned by the transaction manager. The accessors may be called from any thread of the
/// transaction's query.
class TarnTransaction : public duckdb::Transaction {
 public:
  TarnTransaction(TarnCatalog& catalog, duckdb::TransactionManager& manager,
                  duckdb::ClientContext& context);
  ~TarnTransaction() override;

  static TarnTransaction& Get(duckdb::ClientContext& context, duckdb::Catalog& catalog);

  TarnCatalog& catalog() { return catalog_; }
  /// Begins at the first call. Throws tarn::Error.
  tarn::Transaction& kernel();
  /// True once kernel() was called.
  bool started();
  /// Files written by this transaction's statements.
  PendingFiles& pending_files() { return pending_files_; }

  /// Entries of the transaction's present view. They live as long as the transaction, whatever it
  /// changes later.
  EntrySet& Entries();
  /// Entries as of an AT clause. Throws kNotFound, kInvalid.
  EntrySet& EntriesAt(duckdb::ClientContext& context, const duckdb::BoundAtClause& at);

  // Files that this transaction wrote into what is dropped go with the commit.
  void DropTable(const std::shared_ptr<const Table>& table);
  void DropSchema(const Schema& schema, bool cascade);

  /// Live rows per table for listings; asked from the lake once per statement.
  std::optional<int64_t> RowCount(duckdb::ClientContext& context, TableRef table);

  /// Throws tarn::Error; written files are gone or kept as the outcome demands.
  void Commit(duckdb::ClientContext& context);
  void Rollback() noexcept;

 private:
  tarn::Transaction& KernelLocked();
  bool PrefersDeletionVectors(duckdb::ClientContext& context) const;
  void DiscardFilesOf(const std::shared_ptr<const Table>& table);

  TarnCatalog& catalog_;
  PendingFiles pending_files_;
  std::recursive_mutex mutex_;
  std::unique_ptr<tarn::Transaction> kernel_;
  std::shared_ptr<const CatalogView> base_view_;      ///< what the transaction began with
  std::shared_ptr<EntrySet> entries_;                 ///< of the present view
  std::set<std::shared_ptr<EntrySet>> kept_entries_;  ///< all that were handed out
  std::map<SnapshotId, std::shared_ptr<EntrySet>> entries_at_;
  std::optional<duckdb::transaction_t>
      row_counts_query_;  ///< the statement that row_counts_ was read for
  std::map<TableRef, int64_t> row_counts_;
};

}  // namespace tarn::engine
