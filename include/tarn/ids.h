// One strong type per kind of id, and references to objects that have no id yet.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace tarn {

/// A 64-bit id that cannot be mistaken for another kind's. Default: invalid (-1).
template <class Tag>
struct Id {
  int64_t value = -1;

  constexpr Id() = default;
  constexpr explicit Id(int64_t v) : value(v) {}
  constexpr bool valid() const { return value >= 0; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using SnapshotId = Id<struct SnapshotIdTag>;
using SchemaId = Id<struct SchemaIdTag>;
using TableId = Id<struct TableIdTag>;
using ViewId = Id<struct ViewIdTag>;
using MacroId = Id<struct MacroIdTag>;
using PartitionId = Id<struct PartitionIdTag>;
using SortId = Id<struct SortIdTag>;
using FieldId = Id<struct FieldIdTag>;  ///< a column's id inside its table; Parquet's field_id
using DataFileId = Id<struct DataFileIdTag>;
using DeleteFileId = Id<struct DeleteFileIdTag>;
using MappingId = Id<struct MappingIdTag>;

/// Names a catalog object that either has its id or is the k-th new object of this transaction,
/// whose id only the commit decides. Refs are compared within one transaction (or for committed
/// objects anywhere).
template <class IdType>
class Ref {
 public:
  constexpr Ref() = default;
  constexpr Ref(IdType id) : is_new_(false), value_(id.value) {}  // NOLINT: an id is a reference
  static constexpr Ref New(int64_t ordinal) {
    Ref ref;
    ref.value_ = ordinal;
    ref.is_new_ = true;
    return ref;
  }

  constexpr bool is_new() const { return is_new_; }
  constexpr bool valid() const { return value_ >= 0; }
  /// The committed id; only when !is_new().
  constexpr IdType id() const { return IdType(value_); }
  /// Which new object of the transaction; only when is_new(). Unique over all kinds of objects of
  /// one transaction.
  constexpr int64_t ordinal() const { return value_; }
  friend constexpr auto operator<=>(Ref, Ref) = default;

 private:
  bool is_new_ = false;
  int64_t value_ = -1;
};

using SchemaRef = Ref<SchemaId>;
using TableRef = Ref<TableId>;
using ViewRef = Ref<ViewId>;
using MacroRef = Ref<MacroId>;
using PartitionRef = Ref<PartitionId>;
using SortRef = Ref<SortId>;

}  // namespace tarn

template <class Tag>
struct std::hash<tarn::Id<Tag>> {
  size_t operator()(tarn::Id<Tag> id) const noexcept { return std::hash<int64_t>()(id.value); }
};
template <class IdType>
struct std::hash<tarn::Ref<IdType>> {
  size_t operator()(tarn::Ref<IdType> ref) const noexcept {
    return std::hash<int64_t>()(ref.is_new() ? ~ref.ordinal() : ref.id().value);
  }
};
