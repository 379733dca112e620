// Whether the values of a column have room in the type that it is altered to. Nearly all promotions
// hold every value; a finer timestamp does not hold far years.
#pragma once

#include "duckdb.hpp"
#include "tarn/schema.h"

namespace tarn::engine {

class TarnTableEntry;

/// Throws kInvalid, and names a value, when one that the transaction sees is too far away for its
/// type in `shape`, fields matched by name; of nested columns also when deleted rows of a file may
/// have such a value. Files and inlined rows whose statistics rule that out
/// are not opened; nothing is read for promotions that hold every value.
void RequireValuesFit(duckdb::ClientContext& context, TarnTableEntry& table,
                      duckdb::column_t column, const Column& shape);

}  // namespace tarn::engine
