// Partition values of a registered file, from its folders.
#pragma once

#include <optional>
#include <string>

#include "format/transform.h"
#include "format/type_names.h"
#include "tarn/data_file.h"
#include "tarn/registered_file.h"
#include "tarn/schema.h"

namespace tarn {

/// Whether rows with these statistics can all have a partition value.
enum class Claim {
  kTrue,   ///< they surely have it
  kFalse,  ///< at least one has another one
  kOpen,   ///< the statistics do not tell
};
/// `value`: as stored; absent: NULL. `stats` of the transform's column, if there are any, exact in
/// their bounds.
Claim CheckClaim(const Transform& transform, const ScalarType& type, const ColumnStats* stats,
                 int64_t row_count, const std::optional<std::string>& value);

/// Sets the file's partition values if its table is partitioned. Throws kInvalid when a key has no
/// folder or a folder says what cannot be. A file whose folders say what its statistics do not
/// prove gets no partition values: it is read like one from before the table was partitioned, and
/// never pruned by a value that nobody has checked.
void SetPartitionValues(const FileToRegister& request, const Table& table, DataFile& file);

}  // namespace tarn
