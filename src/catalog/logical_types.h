// Logical types of columns (format/logical_type.h) live in tags: the columns of a table and its
// tags say the same.
#pragma once

#include "tarn/schema.h"

namespace tarn {

/// From the tags, for a table that was read. Other programs' texts are left alone.
void ReadLogicalTypes(Table& table);

/// Into the tags, for a table that a transaction made or altered.
void WriteLogicalTypes(Table& table);

}  // namespace tarn
