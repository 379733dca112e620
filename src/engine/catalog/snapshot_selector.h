// Which snapshot a user asks for: the values of AT clauses, ATTACH options and function arguments.
#pragma once

#include "duckdb.hpp"
#include "tarn/snapshot.h"

namespace tarn::engine {

/// A snapshot id. Throws kInvalid for NULL and for what is no number.
SnapshotId ToSnapshotId(duckdb::ClientContext& context, const duckdb::Value& value);

/// A point in time; a text or a time without zone is read in the session's time zone. Throws
/// kInvalid for NULL.
Timestamp ToTimestamp(duckdb::ClientContext& context, const duckdb::Value& value);

}  // namespace tarn::engine
