// Starts, commits and rolls back DuckDB's transactions on a lake.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "duckdb.hpp"
#include "duckdb/transaction/transaction_manager.hpp"
#include "engine/catalog/tarn_transaction.h"

namespace tarn::engine {

class TarnCatalog;

/// Thread safe: connections share it.
class TarnTransactionManager : public duckdb::TransactionManager {
 public:
  TarnTransactionManager(duckdb::AttachedDatabase& db, TarnCatalog& catalog);

  duckdb::Transaction& StartTransaction(duckdb::ClientContext& context) override;
  duckdb::ErrorData CommitTransaction(duckdb::ClientContext& context,
                                      duckdb::Transaction& transaction) override;
  void RollbackTransaction(duckdb::Transaction& transaction) override;
  void Checkpoint(duckdb::ClientContext& context, bool force) override;

 private:
  std::unique_ptr<TarnTransaction> Take(duckdb::Transaction& transaction);

  TarnCatalog& catalog_;
  std::mutex mutex_;
  std::unordered_map<duckdb::Transaction*, std::unique_ptr<TarnTransaction>> transactions_;
};

}  // namespace tarn::engine
