// Decides from statistics whether a file can hold a row that a predicate wants. What is not surely
// known keeps the file.
//
// The facts about a field are a superset of its values in the file: may there be NULLs, may there
// be values, and between which bounds. NaN is the greatest value, as in DuckDB, so a file that may
// hold NaN has no upper bound below it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/stats_value.h"
#include "format/transform.h"
#include "format/type_names.h"
#include "tarn/data_file.h"
#include "tarn/scan.h"
#include "tarn/schema.h"

namespace tarn {

/// All values of a field in a file have this part: of the calendar, or their bucket's number.
struct PartFact {
  Transform transform;
  int64_t part = 0;
};

struct FieldFacts {
  bool may_be_null = true;
  bool may_be_value = true;
  std::optional<StatsValue> min;  ///< absent: unknown
  std::optional<StatsValue> max;
  std::vector<PartFact> parts;
};

/// A field whose statistics can decide something: a scalar at the top level or inside structs only.
/// (What a list's elements are says nothing of a row.)
struct PrunableField {
  FieldId id;
  ScalarType type;
  const Column* column = nullptr;  ///< owned by the table
  bool is_top_level = true;
};

/// A predicate made ready: fields looked up, constants parsed once. Immutable; the table must
/// outlive it.
class PredicatePruner {
 public:
  PredicatePruner(const Predicate& predicate, const Table& table);
  ~PredicatePruner();
  PredicatePruner(PredicatePruner&&) noexcept;

  /// The fields whose facts CanMatch wants, in the order that it wants them. Empty: nothing can be
  /// pruned.
  std::span<const PrunableField> fields() const { return fields_; }
  /// False only when surely no row matches. `facts` has one entry per field.
  bool CanMatch(std::span<const FieldFacts> facts) const;

 private:
  struct Node;
  Node Compile(const Predicate& predicate, const Table& table);
  bool CanMatch(const Node& node, std::span<const FieldFacts> facts) const;

  std::vector<PrunableField> fields_;
  std::unique_ptr<Node> root_;
};

/// Facts from a file's stored statistics. `may_be_other_type`: the file may have been written
/// before the column had its present type, so that the bounds of floats need room for a cast's
/// rounding.
FieldFacts FactsFromStats(const PrunableField& field, const ColumnStats& stats,
                          int64_t record_count, bool may_be_other_type);

/// Facts of a field that is absent from a file, or that is the same in all its rows: a default or
/// an identity partition value, as text in either encoding; absent: NULL.
FieldFacts FactsOfConstant(const PrunableField& field, const std::optional<std::string>& value);

/// Facts of a field whose values all have these parts.
FieldFacts FactsOfParts(const PrunableField& field, std::vector<PartFact> parts);

/// Both hold: the tighter of the two.
FieldFacts Intersect(FieldFacts a, const FieldFacts& b);

}  // namespace tarn
