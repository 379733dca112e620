// The schema of a Parquet footer: a flat list of elements that becomes a tree of fields, and for
// each leaf how its bytes are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/thrift_reader.h"
#include "format/stats_value.h"
#include "format/type_names.h"
#include "tarn/footer.h"

namespace tarn {

enum class PhysicalType : uint8_t {
  kBoolean,
  kInt32,
  kInt64,
  kInt96,
  kFloat,
  kDouble,
  kByteArray,
  kFixedLenByteArray
};

/// A leaf in the order of a row group's column chunks.
struct ParquetLeaf {
  PhysicalType physical = PhysicalType::kByteArray;
  ScalarType type;               ///< what it is read as
  int64_t units_per_second = 0;  ///< of times and timestamps as stored in the file
  bool has_statistics = true;  ///< false where stored bounds must not be used (INT96, half floats)
  std::optional<int64_t> field_id;
  int32_t type_length = 0;
  bool is_repeated = false;  ///< inside of a list or map

  /// The order of the deprecated min and max, which writers compared as signed values, is right for
  /// it.
  bool IsSignedOrder() const;
};

struct ParquetSchema {
  std::vector<ParquetField> fields;
  std::vector<ParquetLeaf> leaves;
};

/// Reads the list of schema elements (field 2 of FileMetaData) with the reader at its start. Throws
/// ThriftFailure.
ParquetSchema ReadParquetSchema(ThriftReader& reader, const ThriftReader::Field& field);

/// A bound as a footer has it (plain encoding) as a value of the leaf's type; nullopt when it says
/// nothing.
std::optional<StatsValue> DecodeParquetBound(const ParquetLeaf& leaf, std::string_view bytes,
                                             BoundSide side);

}  // namespace tarn
