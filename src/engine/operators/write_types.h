// What types values have in data files. DuckDB's Parquet writer turns some types into ones that
// hold less: HUGEINT into DOUBLE, intervals into whole milliseconds, TIMETZ into UTC; for TIME_NS
// it has none. Those are written as text, which every reader of the format casts back to the
// column's type, as it does with any file whose type differs. ENUMs and arrays, which the format
// has not, are written as what they are stored as.
#pragma once

#include "duckdb.hpp"

namespace tarn::engine {

/// `type` itself where the writer keeps all of it, at every level.
duckdb::LogicalType WrittenType(const duckdb::LogicalType& type);

/// Rows back from the types that files have to their own: those of `own`, which may be fewer
/// columns, and may refer to `written`.
void CastToOwnTypes(duckdb::DataChunk& written, duckdb::DataChunk& own);

/// Puts the casts to the written types over `plan`; returns `plan` when there are none.
duckdb::PhysicalOperator& CastToWrittenTypes(duckdb::PhysicalPlanGenerator& planner,
                                             duckdb::PhysicalOperator& plan);

}  // namespace tarn::engine
