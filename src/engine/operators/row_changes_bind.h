// What statements that change rows need read beside what they name: DuckDB's binder asks for some
// of it, the rest is added to the plan before it is optimised.
#pragma once

#include "duckdb.hpp"
#include "duckdb/planner/operator/logical_get.hpp"
#include "duckdb/planner/operator/logical_projection.hpp"
#include "duckdb/planner/operator/logical_update.hpp"

namespace tarn::engine {

class TarnTableEntry;

/// Adds to an UPDATE all columns that it does not set: a new version of a row is a whole row.
void AddUnchangedColumns(const TarnTableEntry& table, duckdb::LogicalGet& get,
                         duckdb::LogicalProjection& projection, duckdb::LogicalUpdate& update);

/// Has deletes whose rows are wanted back read them: the binder leaves that to a storage that finds
/// rows by their ids. Where that did not happen, this is why.
inline constexpr const char* kNoOldRows =
    "RETURNING of deleted rows needs DuckDB's optimizer with its extensions, and one of them is "
    "switched off. Run SET "
    "disabled_optimizers = '' and PRAGMA enable_optimizer, or leave RETURNING out.";
void RegisterOldRows(duckdb::DatabaseInstance& db);

}  // namespace tarn::engine
