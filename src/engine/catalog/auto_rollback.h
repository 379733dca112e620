// DuckDB runs some statements as several in a transaction of its own: ADD COLUMN with an expression
// as default is ADD COLUMN, UPDATE, SET DEFAULT. When one of them fails, clients that run them one
// by one are left in a transaction that they never began; this ends it.
#pragma once

#include "duckdb.hpp"

namespace tarn::engine {

/// From now on, for the connection that `context` is.
void EndFailedStatements(duckdb::ClientContext& context);

}  // namespace tarn::engine
