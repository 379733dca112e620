// See leaf_bounds.h.
#include "engine/operators/leaf_bounds.h"

#include <optional>
#include <string>
#include <utility>

#include "duckdb/common/operator/comparison_operators.hpp"
#include "engine/bridge/types.h"
#include "format/stats_text.h"

namespace tarn::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using Format = duckdb::RecursiveUnifiedVectorFormat;

// The lowest and the highest value of one leaf.
class Bounds {
 public:
  virtual ~Bounds() = default;
  virtual void Add(const Format& values, idx_t index) = 0;
  virtual std::optional<std::string> Text(bool max) const = 0;
};

template <class T>
class TypedBounds final : public Bounds {
 public:
  explicit TypedBounds(LogicalType type) : type_(std::move(type)) {}

  void Add(const Format& values, idx_t index) override {
    const T& value = duckdb::UnifiedVectorFormat::GetData<T>(values.unified)[index];
    if (!any_ || duckdb::LessThan::Operation<T>(value, min_)) min_ = value;
    if (!any_ || duckdb::GreaterThan::Operation<T>(value, max_)) max_ = value;
    any_ = true;
  }
  std::optional<std::string> Text(bool max) const override {
    if (!any_) return std::nullopt;
    duckdb::Vector one(type_, 1);
    duckdb::FlatVector::GetData<T>(one)[0] = max ? max_ : min_;
    return one.GetValue(0).ToString();
  }

 private:
  const LogicalType type_;
  bool any_ = false;
  T min_{};
  T max_{};
};

class TextBounds final : public Bounds {
 public:
  explicit TextBounds(LogicalType type) : type_(std::move(type)) {}

  void Add(const Format& values, idx_t index) override {
    const auto& text =
        duckdb::UnifiedVectorFormat::GetData<duckdb::string_t>(values.unified)[index];
    const std::string_view value(text.GetData(), text.GetSize());
    if (!any_ || value < min_) min_ = value;
    if (!any_ || value > max_) max_ = value;
    any_ = true;
  }
  std::optional<std::string> Text(bool max) const override {
    if (!any_) return std::nullopt;
    const std::string& bound = max ? max_ : min_;
    if (type_.id() == LogicalTypeId::BLOB) return duckdb::Value::BLOB_RAW(bound).ToString();
    if (bound.find('\0') == std::string::npos) return bound;
    // Cut before it, as in files: not every database can hold it.
    return EncodeBound({TypeKind::kVarchar}, StatsValue::Bytes(bound),
                       max ? BoundSide::kMax : BoundSide::kMin);
  }

 private:
  const LogicalType type_;
  bool any_ = false;
  std::string min_;
  std::string max_;
};

// Types whose values have no order.
class NoBounds final : public Bounds {
 public:
  void Add(const Format&, idx_t) override {}
  std::optional<std::string> Text(bool) const override { return std::nullopt; }
};

std::unique_ptr<Bounds> MakeBounds(const LogicalType& type) {
  using duckdb::PhysicalType;
  switch (type.InternalType()) {
    case PhysicalType::BOOL:
      return std::make_unique<TypedBounds<bool>>(type);
    case PhysicalType::INT8:
      return std::make_unique<TypedBounds<int8_t>>(type);
    case PhysicalType::INT16:
      return std::make_unique<TypedBounds<int16_t>>(type);
    case PhysicalType::INT32:
      return std::make_unique<TypedBounds<int32_t>>(type);
    case PhysicalType::INT64:
      return std::make_unique<TypedBounds<int64_t>>(type);
    case PhysicalType::INT128:
      return std::make_unique<TypedBounds<duckdb::hugeint_t>>(type);
    case PhysicalType::UINT8:
      return std::make_unique<TypedBounds<uint8_t>>(type);
    case PhysicalType::UINT16:
      return std::make_unique<TypedBounds<uint16_t>>(type);
    case PhysicalType::UINT32:
      return std::make_unique<TypedBounds<uint32_t>>(type);
    case PhysicalType::UINT64:
      return std::make_unique<TypedBounds<uint64_t>>(type);
    case PhysicalType::UINT128:
      return std::make_unique<TypedBounds<duckdb::uhugeint_t>>(type);
    case PhysicalType::FLOAT:
      return std::make_unique<TypedBounds<float>>(type);
    case PhysicalType::DOUBLE:
      return std::make_unique<TypedBounds<double>>(type);
    case PhysicalType::INTERVAL:
      return std::make_unique<TypedBounds<duckdb::interval_t>>(type);
    case PhysicalType::VARCHAR:
      return std::make_unique<TextBounds>(type);
    default:
      return std::make_unique<NoBounds>();
  }
}

}  // namespace

class ColumnBounds::Node {
 public:
  explicit Node(const Column& column) : field_(column.id), type_(ToLogicalType(column)) {
    const bool is_nested = type_.id() == LogicalTypeId::STRUCT ||
                           type_.id() == LogicalTypeId::LIST || type_.id() == LogicalTypeId::MAP;
    if (!is_nested) bounds_ = MakeBounds(type_);
    for (const Column& child : column.children) children_.emplace_back(child);
  }

  const LogicalType& type() const { return type_; }

  void Add(const Format& values, idx_t row) {
    const auto index = values.unified.sel->get_index(row);
    if (!values.unified.validity.RowIsValid(index)) return AddNull();
    if (bounds_) {
      ++value_count_;
      bounds_->Add(values, index);
      return;
    }
    if (type_.id() == LogicalTypeId::STRUCT) {
      // Fields are selected along with their struct: by row, not by its place in a dictionary.
      for (size_t i = 0; i < children_.size(); ++i) children_[i].Add(values.children[i], row);
      return;
    }
    const auto& entry =
        duckdb::UnifiedVectorFormat::GetData<duckdb::list_entry_t>(values.unified)[index];
    for (idx_t i = entry.offset; i < entry.offset + entry.length; ++i) AddElement(values, i);
  }

  void AppendTo(std::vector<ColumnStats>& stats) const {
    for (const Node& child : children_) child.AppendTo(stats);
    if (!bounds_) return;
    ColumnStats& leaf = stats.emplace_back();
    leaf.field = field_;
    leaf.value_count = value_count_;
    leaf.null_count = null_count_;
    leaf.min_value = bounds_->Text(false);
    leaf.max_value = bounds_->Text(true);
  }

 private:
  // Fields of a struct that is NULL are NULL; a list that is NULL has no elements.
  void AddNull() {
    if (bounds_) ++null_count_;
    if (type_.id() != LogicalTypeId::STRUCT) return;
    for (Node& child : children_) child.AddNull();
  }

  void AddElement(const Format& values, idx_t i) {
    if (type_.id() == LogicalTypeId::LIST) return children_[0].Add(values.children[0], i);
    // A map is a list of pairs.
    const Format& pairs = values.children[0];
    for (size_t k = 0; k < children_.size(); ++k) children_[k].Add(pairs.children[k], i);
  }

  const FieldId field_;
  const LogicalType type_;
  std::unique_ptr<Bounds> bounds_;  ///< of a leaf
  std::vector<Node> children_;
  int64_t value_count_ = 0;
  int64_t null_count_ = 0;
};

ColumnBounds::ColumnBounds(const Column& column) : root_(std::make_unique<Node>(column)) {}
ColumnBounds::~ColumnBounds() = default;
ColumnBounds::ColumnBounds(ColumnBounds&&) noexcept = default;

void ColumnBounds::Add(duckdb::Vector& values, idx_t count) {
  Format format;
  duckdb::Vector::RecursiveToUnifiedFormat(values, count, format);
  for (idx_t row = 0; row < count; ++row) root_->Add(format, row);
}

void ColumnBounds::AppendTo(std::vector<ColumnStats>& stats) const { root_->AppendTo(stats); }

}  // namespace tarn::engine
