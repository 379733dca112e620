// Counts and extremes from what the catalog knows of each file. Pure; what is not surely known
// leaves the file to be read.
//
// A file is settled when all of its rows fulfil the condition, when it is known how many are alive,
// when all have the same group, and when each aggregate is known:
//   - a count of values: no row is NULL, or each is, or nothing is deleted and the NULLs are
//     counted;
//   - an extreme: all rows have one value, or nothing is deleted and the bound is a row's value, or
//     another settled file of the group reaches further than this one can.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/predicate_pruner.h"
#include "tarn/aggregates.h"
#include "tarn/schema.h"

namespace tarn {

class AggregateSettler {
 public:
  /// The question and its table must outlive this.
  explicit AggregateSettler(const AggregateQuestion& question);

  /// False when no file can be settled, whatever is known of it.
  bool can_settle() const { return can_settle_; }
  /// The fields whose facts are wanted, in their order. None: counts of all rows.
  std::span<const PrunableField> fields() const { return fields_; }

  struct File {
    std::optional<int64_t> rows;    ///< alive; absent: only opening it could tell
    bool has_deletes = false;       ///< some of its rows are dead, or may be
    std::vector<FieldFacts> facts;  ///< one per field
  };
  /// False when no row of it fulfils the condition.
  bool CanMatch(const File& file) const;
  /// Files have numbers from 0 in the order that they come.
  void Add(File file);
  /// The same for a file, or for many as if they were one, that will not be looked at again: false,
  /// and nothing else, unless it is settled already. It gets no number.
  bool AddIfSettled(const File& file);

  struct Outcome {
    std::vector<AggregateAnswers::Group> groups;
    std::vector<size_t> unsettled;  ///< numbers of files
  };
  /// Called once.
  Outcome Finish();

 private:
  struct Slot {
    AggregateQuestion::Aggregate::Kind kind;
    size_t field = 0;
  };
  struct Running {
    int64_t count = 0;
    std::optional<StatsValue> extreme;
  };
  struct Group {
    std::vector<std::optional<std::string>> keys;
    std::vector<Running> aggregates;
    bool is_settled = false;  ///< a file is
  };
  /// What one file adds to an aggregate.
  struct Share {
    int64_t count = 0;
    std::optional<StatsValue> extreme;
    bool needs_further = false;  ///< holds only if the group's extreme lies beyond the file's bound
  };
  struct Known {
    std::vector<std::optional<std::string>> keys;
    std::vector<Share> shares;
    bool needs_further() const;
  };
  struct Waiting {
    size_t number;
    size_t group;
    std::vector<Share> shares;
  };

  std::optional<size_t> FindField(FieldId id);
  std::optional<Known> Judge(const File& file) const;
  std::optional<std::vector<std::optional<std::string>>> KeysOf(const File& file) const;
  std::optional<Share> ShareOf(const Slot& slot, const File& file) const;
  std::optional<Share> ExtremeOf(bool is_min, const PrunableField& field, const FieldFacts& facts,
                                 const File& file) const;
  size_t GroupOf(std::vector<std::optional<std::string>> keys);
  void Merge(const std::vector<Share>& shares, Group& group) const;
  bool Reaches(const Waiting& waiting) const;

  const Table& table_;
  PredicatePruner pruner_;
  bool can_settle_ = true;
  std::vector<PrunableField> fields_;  ///< the pruner's first
  std::vector<size_t> keys_;
  std::vector<Slot> slots_;
  std::map<std::vector<std::optional<std::string>>, size_t> places_;
  std::vector<Group> groups_;
  std::vector<Waiting> waiting_;
  std::vector<size_t> unsettled_;
  size_t added_ = 0;
};

}  // namespace tarn
