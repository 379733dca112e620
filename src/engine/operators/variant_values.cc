// See variant_values.h.
#include "engine/operators/variant_values.h"

#include <limits>

#include "duckdb/common/types/variant.hpp"

namespace tarn::engine {
namespace {

using duckdb::VariantLogicalType;

// Files have no wider integers than those of 64 bits with a sign.
constexpr int64_t kMaxInteger = std::numeric_limits<int64_t>::max();

class ValueCheck {
 public:
  ValueCheck(const duckdb::UnifiedVariantVectorData& variant, duckdb::idx_t row)
      : variant_(variant), row_(row) {}

  bool Fits(uint32_t value) const {
    switch (variant_.GetTypeId(row_, value)) {
      case VariantLogicalType::UINT64:
        return Load<uint64_t>(value) <= static_cast<uint64_t>(kMaxInteger);
      case VariantLogicalType::UINT128:
        return Load<duckdb::uhugeint_t>(value) <= duckdb::uhugeint_t(kMaxInteger);
      case VariantLogicalType::INT128: {
        const auto number = Load<duckdb::hugeint_t>(value);
        return number >= duckdb::hugeint_t(std::numeric_limits<int64_t>::min()) &&
               number <= duckdb::hugeint_t(kMaxInteger);
      }
      case VariantLogicalType::VARIANT_NULL:
      case VariantLogicalType::BOOL_TRUE:
      case VariantLogicalType::BOOL_FALSE:
      case VariantLogicalType::INT8:
      case VariantLogicalType::INT16:
      case VariantLogicalType::INT32:
      case VariantLogicalType::INT64:
      case VariantLogicalType::UINT8:
      case VariantLogicalType::UINT16:
      case VariantLogicalType::UINT32:
      case VariantLogicalType::FLOAT:
      case VariantLogicalType::DOUBLE:
      case VariantLogicalType::DECIMAL:
      case VariantLogicalType::VARCHAR:
      case VariantLogicalType::BLOB:
      case VariantLogicalType::UUID:
      case VariantLogicalType::DATE:
      case VariantLogicalType::TIME_MICROS:
      case VariantLogicalType::TIMESTAMP_MICROS:
      case VariantLogicalType::TIMESTAMP_NANOS:
      case VariantLogicalType::TIMESTAMP_MICROS_TZ:
      case VariantLogicalType::OBJECT:
      case VariantLogicalType::ARRAY:
        return true;
      default:  // intervals, bits, seconds, …: the writer refuses them
        return false;
    }
  }

 private:
  template <class T>
  T Load(uint32_t value) const {
    const auto* bytes = duckdb::const_data_ptr_cast(variant_.GetData(row_).GetData());
    return duckdb::Load<T>(bytes + variant_.GetByteOffset(row_, value));
  }

  const duckdb::UnifiedVariantVectorData& variant_;
  const duckdb::idx_t row_;
};

}  // namespace

bool FitVariantFiles(duckdb::Vector& values, duckdb::idx_t count) {
  duckdb::RecursiveUnifiedVectorFormat format;
  duckdb::Vector::RecursiveToUnifiedFormat(values, count, format);
  const duckdb::UnifiedVariantVectorData variant(format);
  for (duckdb::idx_t row = 0; row < count; ++row) {
    if (!variant.RowIsValid(row)) continue;
    // A row's values lie in one list, however deep they are nested.
    const ValueCheck check(variant, row);
    const auto length = variant.GetValuesListEntry(row).length;
    for (uint32_t value = 0; value < length; ++value) {
      if (!check.Fits(value)) return false;
    }
  }
  return true;
}

}  // namespace tarn::engine
