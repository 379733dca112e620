// DuckDB's filters as the kernel's Predicate. A Predicate only prunes files, so whatever does not
// translate surely becomes "true": rows are never lost to it.
#pragma once

#include <functional>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/planner/expression.hpp"
#include "duckdb/planner/table_filter.hpp"
#include "tarn/scan.h"
#include "tarn/schema.h"

namespace tarn::engine {

/// Which table column an expression's column reference means; null for another table's and for
/// virtual ones.
using ColumnResolver = std::function<const Column*(const duckdb::Expression& reference)>;

/// Of a filter expression of a plan (references are BoundColumnRef).
Predicate ToPredicate(duckdb::ClientContext& context, const duckdb::Expression& filter,
                      const ColumnResolver& resolve);

/// Of a filter that was pushed into the scan of `column`; join and Top-N filters count as far as
/// they are filled.
Predicate ToPredicate(const duckdb::TableFilter& filter, const Column& column);

/// Whether a value that is the same for a whole file (its index, its name) can pass. What cannot be
/// told passes.
bool MayPass(const duckdb::TableFilter& filter, const duckdb::Value& constant);

/// Both; nested ANDs are flattened, repetitions and "true" dropped.
Predicate And(Predicate a, Predicate b);
bool IsTrue(const Predicate& predicate);
bool SamePredicate(const Predicate& a, const Predicate& b);

}  // namespace tarn::engine
