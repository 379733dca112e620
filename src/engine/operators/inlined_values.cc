// See inlined_values.h; format page, section 7.
#include "engine/operators/inlined_values.h"

#include <algorithm>

#include "catalog/inlining.h"
#include "duckdb/common/vector_operations/vector_operations.hpp"

namespace tarn::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;

/// The columns before the table's own.
constexpr size_t kOwnColumns = 3;

LogicalType BoundType(InlinedForm form) {
  switch (form) {
    case InlinedForm::kInteger:
      return LogicalType::BIGINT;
    case InlinedForm::kBoolean:
      return LogicalType::BOOLEAN;
    case InlinedForm::kDouble:
      return LogicalType::DOUBLE;
    default:
      return LogicalType::VARCHAR;
  }
}

// Texts of structs that escape something begin with a space: other clients write a struct as an SQL
// literal, whose backslashes escape nothing, and so a reader can tell.
std::string StructText(const duckdb::string_t& text) {
  const std::string_view view(text.GetData(), text.GetSize());
  const bool escapes = std::find(view.begin(), view.end(), '\\') != view.end();
  return escapes ? " " + std::string(view) : std::string(view);
}

bool HoldsText(const Column& column) {
  return column.type == "varchar" || column.type == "json" ||
         std::any_of(column.children.begin(), column.children.end(), HoldsText);
}

bool HasZeroByte(duckdb::Vector& values, idx_t count) {
  duckdb::Vector texts(LogicalType::VARCHAR, std::max<idx_t>(count, 1));
  duckdb::VectorOperations::DefaultCast(values, texts, count);
  duckdb::UnifiedVectorFormat format;
  texts.ToUnifiedFormat(count, format);
  for (idx_t row = 0; row < count; ++row) {
    const auto index = format.sel->get_index(row);
    if (!format.validity.RowIsValid(index)) continue;
    const auto& text = duckdb::UnifiedVectorFormat::GetData<duckdb::string_t>(format)[index];
    if (std::string_view(text.GetData(), text.GetSize()).find('\0') != std::string_view::npos)
      return true;
  }
  return false;
}

// PostgreSQL's intervals take fewer hours than DuckDB's.
bool HasLongInterval(duckdb::Vector& values, idx_t count) {
  constexpr int64_t kMaxHours = 2'000'000'000;
  duckdb::UnifiedVectorFormat format;
  values.ToUnifiedFormat(count, format);
  for (idx_t row = 0; row < count; ++row) {
    const auto index = format.sel->get_index(row);
    if (!format.validity.RowIsValid(index)) continue;
    const auto hours =
        duckdb::UnifiedVectorFormat::GetData<duckdb::interval_t>(format)[index].micros /
        duckdb::Interval::MICROS_PER_HOUR;
    if (hours > kMaxHours || hours < -kMaxHours) return true;
  }
  return false;
}

}  // namespace

void BindInlinedColumn(const Dialect& dialect, const Column& column, duckdb::Vector& values,
                       idx_t count, std::span<std::vector<Value>> rows, size_t target) {
  const auto form = InlinedFormOf(dialect, column);
  const bool is_struct = values.GetType().id() == LogicalTypeId::STRUCT;
  duckdb::Vector bound(BoundType(form), std::max<idx_t>(count, 1));
  auto* source = &values;
  const bool is_text = values.GetType().InternalType() == duckdb::PhysicalType::VARCHAR &&
                       bound.GetType().InternalType() == duckdb::PhysicalType::VARCHAR;
  if (!is_text && values.GetType() != bound.GetType()) {
    duckdb::VectorOperations::DefaultCast(values, bound, count);
    source = &bound;
  }
  duckdb::UnifiedVectorFormat format;
  source->ToUnifiedFormat(count, format);
  for (idx_t row = 0; row < count; ++row) {
    const auto index = format.sel->get_index(row);
    if (!format.validity.RowIsValid(index)) continue;
    Value& value = rows[row][target];
    switch (form) {
      case InlinedForm::kInteger:
        value = duckdb::UnifiedVectorFormat::GetData<int64_t>(format)[index];
        break;
      case InlinedForm::kBoolean:
        value = duckdb::UnifiedVectorFormat::GetData<bool>(format)[index];
        break;
      case InlinedForm::kDouble:
        value = duckdb::UnifiedVectorFormat::GetData<double>(format)[index];
        break;
      case InlinedForm::kBytes:
        value =
            Blob{duckdb::UnifiedVectorFormat::GetData<duckdb::string_t>(format)[index].GetString()};
        break;
      case InlinedForm::kText: {
        const auto& text = duckdb::UnifiedVectorFormat::GetData<duckdb::string_t>(format)[index];
        value = is_struct ? StructText(text) : text.GetString();
        break;
      }
    }
  }
}

std::vector<std::string> InlinedColumnTypes(const Dialect& dialect, const Table& table) {
  std::vector<std::string> types(kOwnColumns, dialect.TypeName(StoreType::kBigint));
  for (const Column& column : table.columns) types.push_back(InlinedColumnType(dialect, column));
  return types;
}

bool FitsIntoColumn(const Dialect& dialect, const Column& column, duckdb::Vector& values,
                    idx_t count) {
  if (dialect.name() != "postgres") return true;
  if (column.type == "interval" && HasLongInterval(values, count)) return false;
  // Texts of their own are bytes there; nested ones are text, which takes no zero byte.
  return column.children.empty() || !HoldsText(column) || !HasZeroByte(values, count);
}

}  // namespace tarn::engine
