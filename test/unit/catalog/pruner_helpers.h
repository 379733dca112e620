// Predicates, tables and statistics in few words, for the tests of the pruner.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catalog/predicate_pruner.h"

namespace tarn {

using Kind = Predicate::Kind;
using Op = Predicate::Compare;

inline Column MakeColumn(int64_t id, std::string name, std::string type,
                         std::vector<Column> children = {}) {
  Column column;
  column.id = FieldId(id);
  column.name = std::move(name);
  column.type = std::move(type);
  column.children = std::move(children);
  return column;
}

inline Table MakeTable(std::vector<Column> columns) {
  Table table;
  table.ref = TableId(1);
  table.name = "t";
  table.columns = std::move(columns);
  return table;
}

inline Predicate Is(int64_t field, Op op, std::string constant) {
  Predicate predicate;
  predicate.kind = Kind::kCompare;
  predicate.field = FieldId(field);
  predicate.compare = op;
  predicate.constants = {std::move(constant)};
  return predicate;
}
inline Predicate In(int64_t field, std::vector<std::string> constants) {
  Predicate predicate;
  predicate.kind = Kind::kIn;
  predicate.field = FieldId(field);
  predicate.constants = std::move(constants);
  return predicate;
}
inline Predicate Nullness(int64_t field, Kind kind) {
  Predicate predicate;
  predicate.kind = kind;
  predicate.field = FieldId(field);
  return predicate;
}
inline Predicate Join(Kind kind, std::vector<Predicate> children) {
  Predicate predicate;
  predicate.kind = kind;
  predicate.children = std::move(children);
  return predicate;
}

inline ColumnStats Stats(std::optional<std::string> min, std::optional<std::string> max,
                         int64_t values = 10, int64_t nulls = 0, std::optional<bool> nan = {}) {
  ColumnStats stats;
  stats.value_count = values;
  stats.null_count = nulls;
  stats.min_value = std::move(min);
  stats.max_value = std::move(max);
  stats.contains_nan = nan;
  return stats;
}

// Whether a file with these statistics of column 1 stays.
inline bool Stays(const std::string& type, const ColumnStats& stats, const Predicate& predicate,
                  bool may_be_other_type = false, bool proves_absent_nans = true) {
  Table table = MakeTable({MakeColumn(1, "c", type)});
  PredicatePruner pruner(predicate, table);
  std::vector<FieldFacts> facts;
  int64_t rows = stats.value_count.value_or(0) + stats.null_count.value_or(0);
  for (const PrunableField& field : pruner.fields())
    facts.push_back(FactsFromStats(field, stats, rows, may_be_other_type, proves_absent_nans));
  return pruner.CanMatch(facts);
}

}  // namespace tarn
