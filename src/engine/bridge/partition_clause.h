// PARTITIONED BY of ALTER TABLE and CREATE TABLE, as the kernel's keys.
#pragma once

#include "duckdb.hpp"
#include "tarn/table_change.h"

namespace tarn::engine {

/// Throws kUnsupported or kInvalid for what is no partition key of a lake. Whether the columns are
/// there and of a type that fits is for the kernel to say.
SetPartitioning ToPartitioning(
    const duckdb::vector<duckdb::unique_ptr<duckdb::ParsedExpression>>& keys);

}  // namespace tarn::engine
