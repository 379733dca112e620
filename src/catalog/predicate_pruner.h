// Decides from statistics whether a file can hold a row that a predicate wants. What is not surely
// known keeps the file.
//
// The facts about a field are a superset of its values in the file: may there be NULLs, may there
// be values, and between which bounds. NaN is the greatest value, as in DuckDB, and lies outside
// the bounds: a file may hold it besides.
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
  bool may_be_nan = true;  ///< of types that have it: besides what is within the bounds
  std::vector<PartFact> parts;
  // For answers; pruning needs none of it.
  bool min_is_exact = false;  ///< a row of the file, which may be deleted, has this value
  bool max_is_exact = false;
  std::optional<int64_t> nulls;  ///< how many rows are NULL, deleted ones too
};

/// A field whose statistics can decide something: a scalar at the top level or inside structs only.
/// (What a list's elements are says nothing of a row.)
struct PrunableField {
  FieldId id;
  ScalarType type;
  const Column* column = nullptr;  ///< owned by the table
  bool is_top_level = true;
};

/// Absent when the table has no such field, or its statistics decide nothing.
std::optional<PrunableField> FindPrunable(const Table& table, FieldId id);

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
  /// `field <compare> constant` that each row must fulfil, with others perhaps: for a quick look
  /// before CanMatch.
  struct Required {
    size_t slot = 0;  ///< in fields()
    Predicate::Compare compare = Predicate::Compare::kEqual;
    const StatsValue* constant = nullptr;  ///< owned by the pruner
  };
  std::vector<Required> RequiredComparisons() const;
  /// True only when surely every row matches.
  bool MustMatch(std::span<const FieldFacts> facts) const;

 private:
  struct Node;
  bool CanMatchAt(size_t next, std::vector<FieldFacts>& facts) const;
  Node Compile(const Predicate& predicate, const Table& table);
  bool CanMatch(const Node& node, std::span<const FieldFacts> facts) const;
  bool MustMatch(const Node& node, std::span<const FieldFacts> facts) const;

  std::vector<PrunableField> fields_;
  std::vector<size_t> ranges_;  ///< places in fields_: floats that are compared several times
  std::unique_ptr<Node> root_;
};

/// As many values as DuckDB hands on at a time: fewer rows in a row group nobody asks for.
inline constexpr int64_t kLeastRowGroup = 2048;

/// Whether the statement that a file holds no NaN is to be believed. The reference looks only at
/// the last row group that it writes, so of its files only those count that surely have one; a row
/// group has half the rows of `parquet_row_group_size` at least. `has_small_row_groups`: the lake
/// has been told less than kLeastRowGroup. The footers of our own files have been read.
bool ProvesAbsentNans(const DataFile& file, bool has_small_row_groups);

/// Facts from a file's stored statistics. `may_be_other_type`: the file may have been written
/// before the column had its present type, so that the bounds of floats need room for a cast's
/// rounding.
FieldFacts FactsFromStats(const PrunableField& field, const ColumnStats& stats,
                          int64_t record_count, bool may_be_other_type,
                          bool proves_absent_nans = true);

/// Facts of a field that is absent from a file, or that is the same in all its rows: a default or
/// an identity partition value, as text in either encoding; absent: NULL.
FieldFacts FactsOfConstant(const PrunableField& field, const std::optional<std::string>& value);

/// Facts of a field whose values all have these parts.
FieldFacts FactsOfParts(const PrunableField& field, std::vector<PartFact> parts);

/// Both hold: the tighter of the two.
FieldFacts Intersect(FieldFacts a, const FieldFacts& b);

}  // namespace tarn
