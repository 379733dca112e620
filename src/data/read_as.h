// Which types a Parquet column may have that is read as a column of a table.
#pragma once

#include "format/type_names.h"

namespace tarn {

/// True when every value of the stored type reads as a value of the column's type, by a cast that
/// loses nothing: the rules of registered files and of the format's promised type changes.
bool CanReadAs(const ScalarType& stored, const ScalarType& column);

/// The rules of files that are registered: the same, but for types that only our own writers store
/// the column's type as, and for casts that may fail or that readers do not have.
bool CanRegisterAs(const ScalarType& stored, const ScalarType& column);

}  // namespace tarn
