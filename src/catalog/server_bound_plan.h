// A commit plan as statements that the database settles itself, in PostgreSQL's SQL: the head, and
// what depends on it, is read where it lies, so that a commit is one round trip whatever others
// have committed meanwhile (docs/adr/0021).
#pragma once

#include <optional>
#include <vector>

#include "catalog/commit_plan.h"
#include "tarn/catalog_store.h"
#include "tarn/snapshot.h"

namespace tarn {

/// The statements of one transaction that holds the lake's lock. The first gives one row: the new
/// snapshot as it stands in ducklake_snapshot, or NULLs when the plan may not be committed like
/// that; then none of them writes anything. It writes when the base is still there with all
/// snapshots since, none of these has changed an object, and the tables' statistics can be widened
/// by the database.
///
/// Absent for plans that may conflict with more than changed objects (all but plain inserts into
/// committed tables), for big ones, and where bounds do not compare in SQL as they do here.
std::optional<std::vector<Statement>> BindOnServer(const CommitPlan& plan, const Snapshot& base,
                                                   Timestamp now, const Dialect& dialect);

}  // namespace tarn
