// See auto_rollback.h.
#include "engine/catalog/auto_rollback.h"

#include "duckdb/main/client_context.hpp"
#include "duckdb/main/client_context_state.hpp"

namespace tarn::engine {
namespace {

struct AutoRollback : duckdb::ClientContextState {
  void QueryEnd(duckdb::ClientContext& context,
                duckdb::optional_ptr<duckdb::ErrorData> error) override {
    auto& transaction = context.transaction;
    if (!error || !error->HasError() || !transaction.HasActiveTransaction() ||
        transaction.IsAutoCommit() || !transaction.GetAutoRollback()) {
      return;
    }
    transaction.Rollback(error);
  }
};

}  // namespace

void EndFailedStatements(duckdb::ClientContext& context) {
  context.registered_state->GetOrCreate<AutoRollback>("tarn_auto_rollback");
}

}  // namespace tarn::engine
