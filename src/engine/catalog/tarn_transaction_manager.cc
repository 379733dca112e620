// Starts, commits and rolls back DuckDB's transactions on a lake. See tarn_transaction_manager.h.
#include "engine/catalog/tarn_transaction_manager.h"

#include "engine/bridge/errors.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/interrupt_relay.h"
#include "engine/session.h"

namespace tarn::engine {
namespace {

/// Each try reads and writes files again, so a step that others get in the way of all the time
/// gives up sooner than a commit does; the next checkpoint has it to do.
constexpr int kStepAttempts = 5;

/// Belongs to the connection of a checkpoint: what DuckDB makes of a failed commit no longer tells
/// why it failed.
struct CommitWatch : duckdb::ClientContextState {
  static constexpr const char* kName = "tarn_commit_watch";
  bool met_others = false;  ///< the last commit conflicted with those of others
};

}  // namespace

TarnTransactionManager::TarnTransactionManager(duckdb::AttachedDatabase& db, TarnCatalog& catalog)
    : duckdb::TransactionManager(db), catalog_(catalog) {}

duckdb::Transaction& TarnTransactionManager::StartTransaction(duckdb::ClientContext& context) {
  auto transaction = std::make_unique<TarnTransaction>(catalog_, *this, context);
  auto& result = *transaction;
  std::lock_guard lock(mutex_);
  transactions_[&result] = std::move(transaction);
  return result;
}

duckdb::ErrorData TarnTransactionManager::CommitTransaction(duckdb::ClientContext& context,
                                                            duckdb::Transaction& transaction) {
  const auto taken = Take(transaction);
  try {
    taken->Commit(context);
  } catch (const std::exception& error) {
    const auto* own = dynamic_cast<const Error*>(&error);
    const auto watch = context.registered_state->Get<CommitWatch>(CommitWatch::kName);
    if (watch) watch->met_others = own && own->code() == ErrorCode::kConflict;
    return ToErrorData(error);
  }
  return {};
}

void TarnTransactionManager::RollbackTransaction(duckdb::Transaction& transaction) {
  Take(transaction)->Rollback();
}

// Each step in a transaction of its own, which the caller's cannot undo, and on what the one before
// it left. One that meets the upkeep or the changes of others looks at what they left and does the
// rest.
void TarnTransactionManager::Checkpoint(duckdb::ClientContext& context, bool) {
  duckdb::Connection connection(*context.db);
  const auto watch = duckdb::make_shared_ptr<CommitWatch>();
  connection.context->registered_state->Insert(CommitWatch::kName, watch);
  for (const std::string step : kUpkeepSteps) {
    for (int attempt = 1;; ++attempt) {
      if (context.interrupted) throw duckdb::InterruptException();
      watch->met_others = false;
      const InterruptRelay relay(context, *connection.context);
      const auto result =
          connection.TableFunction("tarn_" + step, {duckdb::Value(catalog_.GetName())})->Execute();
      if (!result->HasError()) break;
      if (!watch->met_others) result->ThrowError();
      if (attempt == kStepAttempts) break;
    }
  }
}

std::unique_ptr<TarnTransaction> TarnTransactionManager::Take(duckdb::Transaction& transaction) {
  std::lock_guard lock(mutex_);
  const auto found = transactions_.find(&transaction);
  auto result = std::move(found->second);
  transactions_.erase(found);
  return result;
}

}  // namespace tarn::engine
